import { findOption } from '../options.js';
import type { CheckpointCoordinatorState, CheckpointState } from '../state/checkpoint-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** Completed checkpoints whose figures the summary's percentiles come from. */
const SUMMARY_SAMPLES = 10_000;

/** A checkpoint has been triggered: it heads the history. */
export function recordPending(state: SimulationState, coordinator: CheckpointCoordinatorState, checkpoint: CheckpointState): void {
  coordinator.counts.total++;
  coordinator.counts.inProgress++;
  coordinator.history.unshift(checkpoint);
  const limit = Math.max(0, Number(findOption(state.options, 'web.checkpoints.history', 'jobmanager.web.checkpoints.history') ?? 10) || 0);
  if (coordinator.history.length > limit) coordinator.history.length = limit;
  state.revision++;
}

/** A trigger failed before there was a checkpoint. */
export function recordFailedTrigger(state: SimulationState, coordinator: CheckpointCoordinatorState): void {
  coordinator.counts.total++;
  coordinator.counts.failed++;
  state.revision++;
}

function sum(checkpoint: CheckpointState, column: 'checkpointedSizeBytes' | 'stateSizeBytes' | 'alignmentBufferedBytes' | 'processedBytes' | 'persistedBytes'): number {
  let total = 0;
  for (const vertex of checkpoint.vertices) for (const value of vertex[column]) total += value;
  return total;
}

/** State of all subtasks that have acknowledged, bytes. */
export function stateSize(checkpoint: CheckpointState): number {
  return sum(checkpoint, 'stateSizeBytes');
}

/** What the checkpoint itself has written, bytes. */
export function checkpointedSize(checkpoint: CheckpointState): number {
  return sum(checkpoint, 'checkpointedSizeBytes');
}

export function recordCompleted(state: SimulationState, coordinator: CheckpointCoordinatorState, checkpoint: CheckpointState): void {
  coordinator.counts.inProgress--;
  coordinator.counts.completed++;
  if (checkpoint.isSavepoint) coordinator.latestSavepoint = checkpoint;
  else coordinator.latestCompleted = checkpoint;
  const { summary } = coordinator;
  summary.count++;
  summary.checkpointedSize.push(checkpointedSize(checkpoint));
  summary.stateSize.push(stateSize(checkpoint));
  summary.endToEndDuration.push(checkpoint.latestAckMs - checkpoint.triggerMs);
  summary.alignmentBuffered.push(sum(checkpoint, 'alignmentBufferedBytes'));
  summary.processedData.push(sum(checkpoint, 'processedBytes'));
  summary.persistedData.push(sum(checkpoint, 'persistedBytes'));
  if (summary.stateSize.length > SUMMARY_SAMPLES) {
    for (const samples of [summary.checkpointedSize, summary.stateSize, summary.endToEndDuration, summary.alignmentBuffered, summary.processedData, summary.persistedData]) samples.shift();
  }
  state.revision++;
}

export function recordFailed(state: SimulationState, coordinator: CheckpointCoordinatorState, checkpoint: CheckpointState, reason: string): void {
  checkpoint.status = 'FAILED';
  checkpoint.failureMs = state.nowMs;
  checkpoint.failureMessage = reason;
  coordinator.counts.inProgress--;
  coordinator.counts.failed++;
  coordinator.latestFailed = checkpoint;
  state.revision++;
}
