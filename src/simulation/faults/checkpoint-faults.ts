import { onExpiry } from '../checkpoints/failure.js';
import type { CheckpointCoordinatorState, CheckpointFaultState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** Something will go wrong with a checkpoint: the one of that number, or the next to be triggered. */
export function planCheckpointFault(job: JobState, checkpoint: number | null, fault: CheckpointFaultState['fault'], delayMs: number): void {
  const { checkpoints } = job;
  if (!checkpoints) return;
  const checkpointId = checkpoint ?? checkpoints.nextCheckpointId;
  checkpoints.faults = [...(checkpoints.faults ?? []).filter((planned) => planned.checkpointId >= checkpoints.nextCheckpointId - 50), { checkpointId, fault, delayMs }];
}

export function checkpointFault(checkpoints: CheckpointCoordinatorState, checkpointId: number, fault: CheckpointFaultState['fault']): CheckpointFaultState | undefined {
  return checkpoints.faults?.find((planned) => planned.checkpointId === checkpointId && planned.fault === fault);
}

/** Every checkpoint under way reaches its time-out, now. */
export function expireCheckpoints(state: SimulationState, job: JobState): void {
  for (const { id, isSavepoint } of [...(job.checkpoints?.pending ?? [])]) if (!isSavepoint) onExpiry(state, { jobId: job.id, checkpointId: id });
}
