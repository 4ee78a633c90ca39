import { removeEvent, schedule } from '../event-queue.js';
import { hex } from '../random.js';
import { logLine } from '../logs/index.js';
import { durationOption } from '../options.js';
import type { AsyncOperationResult, AsyncOperationState } from '../state/operation-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { stackTrace, type Throwable } from './stack-trace.js';

/** Why an operation failed, with what lies below. */
export interface OperationFailure {
  readonly exceptionClass: string;
  readonly message: string;
  readonly cause?: OperationFailure;
}

function throwableOf({ exceptionClass, message, cause }: OperationFailure): Throwable {
  return { exceptionClass, message, trace: 'none', ...(cause && { cause: throwableOf(cause) }) };
}

/** Trigger ids are a client's to choose, so an operation is known by its id and its job together, as in Flink. */
export function operationKey(kind: AsyncOperationState['kind'], triggerId: string, jobId: string | null): string {
  return jobId === null ? `${kind}/${triggerId}` : `${kind}/${triggerId}/${jobId}`;
}

/** Flink keeps results for a while, however many; while a clock stands that would be for ever. */
export const MAX_OPERATIONS = 10_000;

/** Forgets the oldest operation that is over (or the oldest of all), and that it was to be forgotten. */
function forgetOldest(state: SimulationState): void {
  let oldest: string | undefined;
  for (const [key, { status }] of state.operations) {
    oldest ??= key;
    if (status !== 'COMPLETED') continue;
    oldest = key;
    break;
  }
  if (oldest === undefined) return;
  state.operations.delete(oldest);
  const expiry = state.queue.heap.find(({ kind, payload }) => kind === 'lifecycle.expire-operation' && (payload as { readonly key: string }).key === oldest);
  if (expiry) removeEvent(state.queue, expiry.sequence);
}

/** Starts an operation under its key. The same trigger id once more names the operation that there is. */
export function startOperation(state: SimulationState, kind: AsyncOperationState['kind'], triggerId: string | null, jobId: string | null): { readonly operation: AsyncOperationState; readonly key: string; readonly isNew: boolean } {
  const id = triggerId ?? hex(32, state.model.seed, 'trigger', kind, state.idSequence++);
  const key = operationKey(kind, id, jobId);
  const known = state.operations.get(key);
  if (known) return { operation: known, key, isNew: false };
  const operation: AsyncOperationState = { kind, triggerId: id, jobId, startedMs: state.nowMs, status: 'IN_PROGRESS', completedMs: -1, result: null };
  if (state.operations.size >= MAX_OPERATIONS) forgetOldest(state);
  state.operations.set(key, operation);
  state.revision++;
  return { operation, key, isNew: true };
}

function isFailure(outcome: AsyncOperationResult | OperationFailure): outcome is OperationFailure {
  return 'message' in outcome;
}

/** The operation has its result, which is kept for rest.async.store-duration. */
export function completeOperation(state: SimulationState, key: string, outcome: AsyncOperationResult | OperationFailure): void {
  const operation = state.operations.get(key);
  if (!operation || operation.status === 'COMPLETED') return;
  operation.status = 'COMPLETED';
  operation.completedMs = state.nowMs;
  if (isFailure(outcome)) {
    operation.result = { kind: 'failure', exceptionClass: outcome.exceptionClass, stackTrace: stackTrace(state, throwableOf(outcome)) };
  } else operation.result = outcome;
  state.revision++;
  schedule(state.queue, state.nowMs + durationOption(state.options, 'rest.async.store-duration', 300_000), 'lifecycle.expire-operation', { key });
}

export function expireOperation(state: SimulationState, key: string): void {
  const operation = state.operations.get(key);
  if (!operation) return;
  state.operations.delete(key);
  state.revision++;
  const seconds = Math.round(durationOption(state.options, 'rest.async.store-duration', 300_000) / 1000);
  logLine(state, state.jobManager.log, 'evictedResult', { trigger: operation.triggerId, seconds });
}
