import { schedule } from '../event-queue.js';
import { CHECKPOINT_TYPE_NAMES } from '../../versions/log-lines-checkpoints.js';
import { valueIn, type ByVersion } from '../../versions/flink-versions.js';
import { logLine } from '../logs/index.js';
import { subtasksOf } from '../lifecycle/attempts.js';
import { taskName } from '../lifecycle/names.js';
import { completeOperation } from '../lifecycle/operations.js';
import { injectBarrier } from '../network/index.js';
import type { CheckpointState, QueuedCheckpointState, VertexCheckpointState } from '../state/checkpoint-state.js';
import type { JobState, JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf, versionOf } from '../version.js';
import { acknowledgeFinishedTask } from './acknowledge.js';
import { REASON } from './failure.js';
import { cancelTimer, restartTimer } from './scheduler.js';
import { recordFailedTrigger, recordPending } from './statistics.js';

export interface CheckpointRequest extends QueuedCheckpointState {
  readonly format: CheckpointState['savepointFormat'];
  readonly targetDirectory: string | null;
  readonly afterwards: CheckpointState['afterwards'];
}

const PERIODIC = { kind: 'CHECKPOINT', periodic: true, operationKey: null, format: null, targetDirectory: null, afterwards: 'nothing' } as const;

/** The first task that could not take part in a checkpoint now; null = all can. */
export function firstTaskNotRunning(state: SimulationState, job: JobState): [vertexIndex: number, subtask: number] | null {
  const finishedToo = lifecycleOf(state).checkpointsAfterTasksFinish && job.checkpoints!.config.afterTasksFinish;
  for (const [v, s, attempt] of subtasksOf(job)) if (attempt.state !== 'RUNNING' && !(finishedToo && attempt.state === 'FINISHED')) return [v, s];
  return null;
}

/** A trigger fails because a task does not run (any more, or yet). */
export function failTriggerBecauseOf(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  logLine(state, state.jobManager.log, 'notAllTasksRunning', { id: job.id, task: taskName(job, vertexIndex, subtask), state: attempt.state });
  if (lifecycleOf(state).countsFailedTriggers) recordFailedTrigger(state, job.checkpoints!);
}

/** The periodic timer asks for a checkpoint. */
export function onPeriodicRequest(state: SimulationState, job: JobState): void {
  const checkpoints = job.checkpoints!;
  const { config } = checkpoints;
  const busy = checkpoints.pending.length >= config.maxConcurrent;
  const pauseMs = checkpoints.lastCompletionMs + config.minPauseMs - state.nowMs;
  if (lifecycleOf(state).queuesCheckpointRequests) {
    if (checkpoints.queue.length < 1000) checkpoints.queue.push({ ...PERIODIC, requestedMs: state.nowMs });
    if (!busy) executeNext(state, job);
    return;
  }
  if (checkpoints.queue.length > 0) return;
  if (busy) {
    checkpoints.queue.push({ ...PERIODIC, requestedMs: state.nowMs });
    cancelTimer(checkpoints);
  } else if (pauseMs > 0) restartTimer(state, job, checkpoints, pauseMs);
  else trigger(state, job, { ...PERIODIC, requestedMs: state.nowMs });
}

/** The next queued request, taken out of the queue, when it may go now; null otherwise. */
export function takeQueued(state: SimulationState, job: JobState): QueuedCheckpointState | null {
  const checkpoints = job.checkpoints!;
  const { config } = checkpoints;
  if (checkpoints.queue.length === 0 || checkpoints.pending.length >= config.maxConcurrent) return null;
  const request = checkpoints.queue.shift()!;
  if (!lifecycleOf(state).queuesCheckpointRequests) {
    // The old timer starts over with the queued trigger.
    restartTimer(state, job, checkpoints, Math.max(0, checkpoints.lastCompletionMs + config.minPauseMs - state.nowMs));
    return null;
  }
  const pauseMs = checkpoints.lastCompletionMs + config.minPauseMs - state.nowMs;
  if (request.periodic && pauseMs > 0) {
    restartTimer(state, job, checkpoints, pauseMs);
    return null;
  }
  if (state.nowMs - request.requestedMs > 100) logLine(state, state.jobManager.log, 'requestTimeInQueue', { ms: state.nowMs - request.requestedMs });
  return request;
}

/** A place has become free: the next queued request goes. */
export function executeNext(state: SimulationState, job: JobState): void {
  const request = takeQueued(state, job);
  if (request) trigger(state, job, { ...PERIODIC, ...request });
}

/** Asks for a checkpoint by hand; it waits for its turn like a periodic one. Savepoints are forced. */
export function requestCheckpoint(state: SimulationState, job: JobState, request: Omit<CheckpointRequest, 'periodic' | 'requestedMs'>): void {
  const checkpoints = job.checkpoints!;
  const full = { ...request, periodic: false, requestedMs: state.nowMs };
  if (full.kind === 'CHECKPOINT' || full.kind === 'FULL_CHECKPOINT') {
    if (checkpoints.pending.length >= checkpoints.config.maxConcurrent) {
      const firstPeriodic = checkpoints.queue.findIndex((queued) => queued.periodic);
      checkpoints.queue.splice(firstPeriodic < 0 ? checkpoints.queue.length : firstPeriodic, 0, full);
      return;
    }
  }
  trigger(state, job, full);
}

function emptyVertex(vertex: JobVertexState): VertexCheckpointState {
  const column = (): Float64Array => new Float64Array(vertex.parallelism);
  return {
    vertexId: vertex.id,
    numAcknowledged: 0,
    latestAckMs: -1,
    ackMs: column().fill(-1),
    checkpointedSizeBytes: column(),
    stateSizeBytes: column(),
    heldBytes: column(),
    stateChangeBytes: column(),
    syncDurationMs: column(),
    asyncDurationMs: column(),
    alignmentBufferedBytes: column(),
    processedBytes: column(),
    persistedBytes: column(),
    alignmentDurationMs: column(),
    startDelayMs: column(),
  };
}

/** Starts a checkpoint now, unless a task stands in the way. */
export function trigger(state: SimulationState, job: JobState, request: CheckpointRequest): void {
  const checkpoints = job.checkpoints!;
  const missing = firstTaskNotRunning(state, job);
  if (missing) {
    failTriggerBecauseOf(state, job, ...missing);
    if (request.operationKey) completeOperation(state, request.operationKey, { exceptionClass: 'org.apache.flink.runtime.checkpoint.CheckpointException', message: REASON.notAllRunning });
    return;
  }
  const isSavepoint = request.kind === 'SAVEPOINT' || request.kind === 'SYNC_SAVEPOINT';
  const { config } = checkpoints;
  const checkpoint: CheckpointState = {
    id: checkpoints.nextCheckpointId++,
    status: 'IN_PROGRESS',
    isSavepoint,
    savepointFormat: request.format,
    checkpointType: request.kind,
    unaligned: config.unaligned && !isSavepoint,
    triggerMs: state.nowMs,
    latestAckMs: -1,
    vertices: job.vertices.map(emptyVertex),
    numSubtasks: job.vertices.reduce((sum, vertex) => sum + vertex.parallelism, 0),
    numAcknowledged: 0,
    externalPath: null,
    discarded: false,
    failureMs: -1,
    failureMessage: null,
    completedMs: -1,
    targetDirectory: request.targetDirectory,
    operationKey: request.operationKey,
    afterwards: request.afterwards,
  };
  checkpoints.pending.push(checkpoint);
  recordPending(state, checkpoints, checkpoint);
  logLine(state, state.jobManager.log, 'triggeringCheckpoint', { checkpoint: checkpoint.id, id: job.id, timestamp: state.nowMs, type: typeName(state, checkpoint) });
  schedule(state.queue, state.nowMs + config.timeoutMs, 'checkpoint.expire', { jobId: job.id, checkpointId: checkpoint.id });
  injectBarrier(state, job, checkpoint);
  for (const [v, s, attempt] of subtasksOf(job)) if (attempt.state === 'FINISHED') acknowledgeFinishedTask(state, job, checkpoint, v, s);
}

function typeName(state: SimulationState, checkpoint: CheckpointState): string {
  const kind = checkpoint.checkpointType !== 'SYNC_SAVEPOINT' ? checkpoint.checkpointType : checkpoint.afterwards === 'terminate' ? 'TERMINATE' : 'SUSPEND';
  return valueIn(CHECKPOINT_TYPE_NAMES[kind] as unknown as ByVersion<string>, versionOf(state)).replace('{format}', checkpoint.savepointFormat ?? 'CANONICAL');
}
