import { checkpointFault } from '../faults/checkpoint-faults.js';
import { rescaleAfterCheckpoint } from '../lifecycle/adaptive.js';
import { schedule } from '../event-queue.js';
import { numberOption } from '../options.js';
import { hex } from '../random.js';
import { logLine } from '../logs/index.js';
import { subtasksOf } from '../lifecycle/attempts.js';
import { cancelJobNow } from '../lifecycle/cancel.js';
import { completeOperation } from '../lifecycle/operations.js';
import { taskEvent } from '../lifecycle/scheduling.js';
import { onCheckpointCompleted } from '../kafka/index.js';
import type { CheckpointState, RestorePointState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { logNormal } from '../random.js';
import { heldMaterializations } from './changelog.js';
import { abortCheckpoint, REASON } from './failure.js';
import { checkpointedSize, recordCompleted } from './statistics.js';
import { checkpointDirectory, normalizePath, savepointDirectory } from './storage.js';
import { executeNext } from './trigger.js';

const NOT_ADDRESSABLE = '<checkpoint-not-externally-addressable>';

function externalPath(state: SimulationState, job: JobState, checkpoint: CheckpointState): string | null {
  if (!checkpoint.isSavepoint) {
    const directory = checkpointDirectory(state, job);
    return directory === null ? NOT_ADDRESSABLE : `${directory}/${job.id}/chk-${checkpoint.id}`;
  }
  const directory = checkpoint.targetDirectory === null ? savepointDirectory(state, job) : normalizePath(checkpoint.targetDirectory);
  return directory === null ? null : `${directory}/savepoint-${job.id.slice(0, 6)}-${hex(12, state.model.seed, 'savepoint', job.id, checkpoint.id)}`;
}

/** Every task has acknowledged and the metadata is written. */
export function onComplete(state: SimulationState, { jobId, checkpointId, completedMs }: { readonly jobId: string; readonly checkpointId: number; readonly completedMs: number }): void {
  const job = state.jobs.get(jobId);
  const checkpoints = job?.checkpoints;
  const checkpoint = checkpoints?.pending.find((pending) => pending.id === checkpointId);
  if (!job || !checkpoints || !checkpoint) return;
  const path = externalPath(state, job, checkpoint);
  if (path === null || state.checkpointStorage.failing || checkpointFault(checkpoints, checkpointId, 'fail')) {
    abortCheckpoint(state, job, checkpoint, REASON.finalize);
    return;
  }
  checkpoint.status = 'COMPLETED';
  checkpoint.completedMs = completedMs;
  checkpoint.externalPath = path;
  checkpoints.pending = checkpoints.pending.filter((other) => other !== checkpoint);
  checkpoints.lastCompletionMs = state.nowMs;
  checkpoints.consecutiveFailures = 0;
  const previous = checkpoints.latestCompleted;
  recordCompleted(state, checkpoints, checkpoint);
  keep(state, job, checkpoint, path);
  if (!checkpoint.isSavepoint) {
    const kept = [...(checkpoints.kept ?? (previous ? [previous] : [])), checkpoint];
    while (kept.length > numRetained(state, job)) subsume(state, kept.shift()!);
    checkpoints.kept = kept;
    abortOlder(state, job, checkpoint);
  }
  const lastAck = checkpoint.latestAckMs;
  const values = { checkpoint: checkpoint.id, id: job.id, bytes: Math.round(checkpointedSize(checkpoint)), duration: lastAck - checkpoint.triggerMs, finalization: completedMs - lastAck };
  logLine(state, state.jobManager.log, 'completedCheckpoint', values, { timeMs: completedMs });
  if (!checkpoint.isSavepoint || checkpoint.afterwards !== 'nothing') onCheckpointCompleted(state, job, checkpoint.id);
  act(state, job, checkpoint, path);
  rescaleAfterCheckpoint(state, job);
  if (job.status === 'RUNNING') executeNext(state, job);
}

/** What a restore needs of the checkpoint, and where it lies. */
function keep(state: SimulationState, job: JobState, checkpoint: CheckpointState, path: string): void {
  const point: RestorePointState = {
    id: checkpoint.id,
    jobId: job.id,
    isSavepoint: checkpoint.isSavepoint,
    triggerMs: checkpoint.triggerMs,
    externalPath: path,
    changeBytes: new Map(checkpoint.vertices.map((vertex) => [vertex.vertexId, vertex.stateChangeBytes.slice()])),
    materialized: heldMaterializations(job),
    stateBytes: new Map(checkpoint.vertices.map((vertex) => [vertex.vertexId, vertex.heldBytes.slice()])),
  };
  // A savepoint is not in the store of completed checkpoints, except one that ends the job.
  if (!checkpoint.isSavepoint || checkpoint.afterwards !== 'nothing') job.checkpoints!.restorePoint = point;
  if (path === NOT_ADDRESSABLE) return;
  state.checkpointStorage.existingPaths.push(path);
  state.checkpointStorage.snapshots.set(path, point);
}

/** How many completed checkpoints are kept: one, unless more are asked for. */
function numRetained(state: SimulationState, job: JobState): number {
  const asked = numberOption({ ...state.options, ...job.model.options }, ['execution.checkpointing.num-retained', 'state.checkpoints.num-retained'], 1);
  return Math.max(1, Math.floor(asked));
}

/** A newer checkpoint takes the place of one that was kept. */
function subsume(state: SimulationState, checkpoint: CheckpointState): void {
  checkpoint.discarded = true;
  if (checkpoint.externalPath) discardPath(state, checkpoint.externalPath);
  state.revision++;
}

/** Removes what lies under a path. */
export function discardPath(state: SimulationState, path: string): void {
  const { checkpointStorage } = state;
  checkpointStorage.snapshots.delete(path);
  checkpointStorage.existingPaths = checkpointStorage.existingPaths.filter((other) => other !== path);
}

/** With several checkpoints under way, a newer one that completes makes the older ones needless. */
function abortOlder(state: SimulationState, job: JobState, completed: CheckpointState): void {
  for (const pending of [...job.checkpoints!.pending]) if (pending.id < completed.id && !pending.isSavepoint) abortCheckpoint(state, job, pending, REASON.subsumed);
}

function act(state: SimulationState, job: JobState, checkpoint: CheckpointState, path: string): void {
  const { operationKey } = checkpoint;
  if (checkpoint.afterwards === 'cancel') {
    logLine(state, state.jobManager.log, 'savepointStoredCancelling', { path, id: job.id });
    cancelJobNow(state, job);
  }
  if (checkpoint.afterwards === 'suspend' || checkpoint.afterwards === 'terminate') {
    finishTasks(state, job);
    return;
  }
  if (operationKey) completeOperation(state, operationKey, operationKey.startsWith('checkpoint/') ? { kind: 'checkpoint-id', checkpointId: checkpoint.id } : { kind: 'location', location: path });
}

/** The tasks hear that the savepoint is complete and end, sources first. */
function finishTasks(state: SimulationState, job: JobState): void {
  for (const [v, s] of subtasksOf(job)) {
    const delayMs = Math.round(20 + 12 * v + logNormal(20, 0.5, state.model.seed, 'stop', job.id, v, s));
    schedule(state.queue, state.nowMs + delayMs, 'lifecycle.finish', taskEvent(job, v, s));
  }
}
