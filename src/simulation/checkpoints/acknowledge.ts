import { schedule } from '../event-queue.js';
import { logLine } from '../logs/index.js';
import { locationText } from '../lifecycle/names.js';
import { stallSubtask, type BarrierAck } from '../network/index.js';
import { SUBTASKS_IN_PART, type Parts } from '../parts.js';
import type { CheckpointState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { logNormal } from '../random.js';
import { checkpointFault } from '../faults/checkpoint-faults.js';
import { abortCheckpoint, REASON } from './failure.js';
import { noteSnapshot } from './changelog.js';
import { snapshotSizes } from './snapshot-sizes.js';
import { snapshotDurations } from './storage.js';

/** An acknowledgement on its way to the JobManager. */
interface AckEvent {
  readonly jobId: string;
  readonly attemptId: string;
  readonly location: string;
  readonly ack: BarrierAck;
  /** Epoch ms at which it arrives, to the millisecond; it is handled at the end of the tick if that was before. */
  readonly arrivesMs: number;
  readonly stateBytes: number;
  readonly heldBytes: number;
  readonly changeBytes: number;
  readonly checkpointedBytes: number;
  readonly syncMs: number;
  readonly asyncMs: number;
}

/** Tasks have their barriers: their snapshots begin, their acknowledgements will come in time (or the snapshots fail). */
export function* onBarriersTaken(state: SimulationState, job: JobState, acks: readonly BarrierAck[]): Parts {
  const events: AckEvent[] = [];
  for (let i = 0; i < acks.length; i++) {
    const event = snapshot(state, job, acks[i]);
    if (event) events.push(event);
    if ((i + 1) % SUBTASKS_IN_PART === 0) yield;
  }
  events.sort((a, b) => a.arrivesMs - b.arrivesMs);
  const kind = state.checkpointStorage.failing || events.some(({ ack }) => job.checkpoints && checkpointFault(job.checkpoints, ack.checkpointId, 'decline')) ? 'checkpoint.decline' : 'checkpoint.ack';
  for (const event of events) schedule(state.queue, Math.max(state.nowMs, event.arrivesMs), kind, event);
}

function snapshot(state: SimulationState, job: JobState, ack: BarrierAck): AckEvent | null {
  const checkpoints = job.checkpoints;
  const vertex = job.vertices[ack.vertexIndex];
  const attempt = vertex.subtasks[ack.subtask].current;
  if (!checkpoints || attempt.state !== 'RUNNING') return null;
  const kind = checkpoints.pending.find((pending) => pending.id === ack.checkpointId)?.checkpointType ?? 'CHECKPOINT';
  const sizes = snapshotSizes(job, kind, ack.vertexIndex, ack.subtask);
  noteSnapshot(job, ack.vertexIndex, ack.subtask, sizes);
  const checkpointedBytes = sizes.checkpointedBytes + ack.persistedBytes;
  const durations = snapshotDurations(state, job, ack.vertexIndex, ack.subtask, ack.checkpointId, sizes.writtenBytes + ack.persistedBytes);
  const { syncMs, ackMs } = durations;
  const asyncMs = durations.asyncMs + (checkpointFault(checkpoints, ack.checkpointId, 'delay')?.delayMs ?? 0);
  stallSubtask(job, ack.vertexIndex, ack.subtask, syncMs);
  return { jobId: job.id, attemptId: attempt.attemptId, location: locationText(attempt), ack, arrivesMs: Math.round(ack.atMs + syncMs + asyncMs + ackMs), stateBytes: sizes.stateBytes + ack.persistedBytes, heldBytes: Math.round(vertex.columns.stateBytes[ack.subtask]), changeBytes: vertex.columns.stateChangeBytes[ack.subtask], checkpointedBytes, syncMs, asyncMs };
}

/** An acknowledgement arrives. */
export function onAck(state: SimulationState, event: AckEvent): void {
  const job = state.jobs.get(event.jobId);
  const checkpoints = job?.checkpoints;
  if (!job || !checkpoints) return;
  const { ack } = event;
  const checkpoint = checkpoints.pending.find((pending) => pending.id === ack.checkpointId);
  if (!checkpoint) {
    onLateAck(state, job, event);
    return;
  }
  // An attempt that was replaced meanwhile does not count.
  if (job.vertices[ack.vertexIndex].subtasks[ack.subtask].current.attemptId !== event.attemptId) return;
  record(state, checkpoint, event, true);
  completeIfAllAcknowledged(state, job, checkpoint);
}

function record(state: SimulationState, checkpoint: CheckpointState, event: AckEvent, counts: boolean): void {
  const { vertexIndex, subtask, alignmentBufferedBytes, alignmentDurationMs, processedBytes, persistedBytes, startDelayMs } = event.ack;
  const vertex = checkpoint.vertices[vertexIndex];
  if (vertex.ackMs[subtask] >= 0) return;
  vertex.ackMs[subtask] = event.arrivesMs;
  vertex.stateSizeBytes[subtask] = event.stateBytes;
  vertex.heldBytes[subtask] = event.heldBytes;
  vertex.stateChangeBytes[subtask] = event.changeBytes;
  vertex.checkpointedSizeBytes[subtask] = event.checkpointedBytes;
  vertex.syncDurationMs[subtask] = event.syncMs;
  vertex.asyncDurationMs[subtask] = event.asyncMs;
  vertex.alignmentBufferedBytes[subtask] = Math.round(alignmentBufferedBytes);
  vertex.alignmentDurationMs[subtask] = Math.round(alignmentDurationMs);
  vertex.processedBytes[subtask] = Math.round(processedBytes);
  vertex.persistedBytes[subtask] = Math.round(persistedBytes);
  vertex.startDelayMs[subtask] = Math.round(startDelayMs);
  state.revision++;
  if (!counts) return;
  vertex.numAcknowledged++;
  vertex.latestAckMs = Math.max(vertex.latestAckMs, event.arrivesMs);
  checkpoint.numAcknowledged++;
  checkpoint.latestAckMs = Math.max(checkpoint.latestAckMs, event.arrivesMs);
}

/** A task that has finished holds nothing and needs no barrier. */
export function acknowledgeFinishedTask(state: SimulationState, job: JobState, checkpoint: CheckpointState, vertexIndex: number, subtask: number): void {
  const vertex = checkpoint.vertices[vertexIndex];
  if (vertex.ackMs[subtask] >= 0 || checkpoint.status !== 'IN_PROGRESS') return;
  vertex.ackMs[subtask] = state.nowMs;
  vertex.numAcknowledged++;
  vertex.latestAckMs = state.nowMs;
  checkpoint.numAcknowledged++;
  checkpoint.latestAckMs = state.nowMs;
  completeIfAllAcknowledged(state, job, checkpoint);
}

/** A task ends while checkpoints are under way: from then on it needs no barrier, or the checkpoint cannot go on without it. */
export function onTaskFinished(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const checkpoints = job.checkpoints;
  if (!checkpoints) return;
  const goesOn = lifecycleOf(state).checkpointsAfterTasksFinish && checkpoints.config.afterTasksFinish;
  for (const checkpoint of [...checkpoints.pending]) {
    if (checkpoint.vertices[vertexIndex].ackMs[subtask] >= 0) continue;
    if (goesOn) acknowledgeFinishedTask(state, job, checkpoint, vertexIndex, subtask);
    else abortCheckpoint(state, job, checkpoint, REASON.inputFinished);
  }
}

/** Finalization writes the metadata; then the checkpoint is complete. */
function completeIfAllAcknowledged(state: SimulationState, job: JobState, checkpoint: CheckpointState): void {
  if (checkpoint.numAcknowledged < checkpoint.numSubtasks) return;
  const finalizationMs = Math.max(1, Math.round(logNormal(checkpoint.id === 1 ? 12 : 2, 0.8, state.model.seed, 'finalize', job.id, checkpoint.id) + state.checkpointStorage.latencyMs));
  schedule(state.queue, Math.max(state.nowMs, checkpoint.latestAckMs + finalizationMs), 'checkpoint.complete', { jobId: job.id, checkpointId: checkpoint.id, completedMs: checkpoint.latestAckMs + finalizationMs });
}

function onLateAck(state: SimulationState, job: JobState, event: AckEvent): void {
  const checkpoints = job.checkpoints!;
  const { checkpointId } = event.ack;
  if (!checkpoints.recentExpired.includes(checkpointId)) return;
  logLine(state, state.jobManager.log, 'lateMessage', { checkpoint: checkpointId, attempt: event.attemptId, id: job.id, location: event.location }, { timeMs: event.arrivesMs });
  if (!lifecycleOf(state).recordsLateStatistics) return;
  const known = checkpoints.history.find((checkpoint) => checkpoint.id === checkpointId);
  if (known) record(state, known, event, false);
}

/** A task could not write its snapshot. */
export function onDecline(state: SimulationState, event: AckEvent): void {
  const job = state.jobs.get(event.jobId);
  const checkpoint = job?.checkpoints?.pending.find((pending) => pending.id === event.ack.checkpointId);
  if (!job || !checkpoint) return;
  const reason = checkpointFault(job.checkpoints!, checkpoint.id, 'decline') ? REASON.declined : lifecycleOf(state).asyncFailureReason;
  logLine(state, state.jobManager.log, 'declinedCheckpoint', { checkpoint: checkpoint.id, attempt: event.attemptId, id: job.id, location: event.location }, { detail: `org.apache.flink.runtime.checkpoint.CheckpointException: ${reason}` });
  abortCheckpoint(state, job, checkpoint, reason);
}
