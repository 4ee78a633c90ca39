import { operationKey } from '../../simulation/lifecycle/operations.js';
import type { AsyncOperationState } from '../../simulation/state/operation-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { durationOptionMs } from '../../versions/flink-options.js';
import type { FlinkVersion } from '../../versions/flink-versions.js';
import { serializeThrowable } from './serialized-throwable.js';

/** An operation that is still to be had: under way, or completed no longer ago than results are kept. */
export function findOperation(state: SimulationState, kinds: readonly AsyncOperationState['kind'][], triggerId: string, jobId: string | null): AsyncOperationState | null {
  for (const kind of kinds) {
    const operation = state.operations.get(operationKey(kind, triggerId, jobId));
    if (!operation) continue;
    const keptMs = durationOptionMs(state.options, 'rest.async.store-duration');
    if (operation.status === 'IN_PROGRESS' || state.nowMs - operation.completedMs <= keptMs) return operation;
  }
  return null;
}

/** Name of the field that holds a failure: it is written otherwise in the answer about checkpoints. */
export type FailureField = 'failure-cause' | 'failureCause';

/** Flink's AsynchronousOperationResult. */
export function operationStatus(operation: AsyncOperationState, version: FlinkVersion, failureField: FailureField = 'failure-cause') {
  const { status, result } = operation;
  return { status: { id: status }, operation: status === 'IN_PROGRESS' || result === null ? null : resultBody(result, version, failureField) };
}

function resultBody(result: NonNullable<AsyncOperationState['result']>, version: FlinkVersion, failureField: FailureField): object {
  switch (result.kind) {
    case 'location':
      return { location: result.location };
    case 'checkpoint-id':
      return { checkpointId: result.checkpointId };
    case 'failure':
      return { [failureField]: serializeThrowable(result.stackTrace, version) };
    case 'done':
      return {};
  }
}
