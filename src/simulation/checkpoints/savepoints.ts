import { schedule } from '../event-queue.js';
import { logLine } from '../logs/index.js';
import { savepointDirectory } from './storage.js';
import { taskName } from '../lifecycle/names.js';
import { completeOperation, startOperation } from '../lifecycle/operations.js';
import { missingSnapshotMessage } from '../lifecycle/submission.js';
import { isGloballyTerminal } from '../lifecycle/job-status.js';
import { logNormal } from '../random.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { discardPath } from './complete.js';
import { REASON } from './failure.js';
import { findSnapshot } from './restore.js';
import { suspendScheduler } from './scheduler.js';
import { firstTaskNotRunning, requestCheckpoint } from './trigger.js';

const CHECKPOINT_EXCEPTION = 'org.apache.flink.runtime.checkpoint.CheckpointException';

export interface SavepointRequest {
  readonly jobId: string;
  /** 32 hex digits; null = made up. */
  readonly triggerId: string | null;
  readonly targetDirectory: string | null;
  readonly cancelJob: boolean;
  readonly format: 'CANONICAL' | 'NATIVE';
}

export interface StopRequest {
  readonly jobId: string;
  readonly triggerId: string | null;
  readonly targetDirectory: string | null;
  readonly drain: boolean;
  readonly format: 'CANONICAL' | 'NATIVE';
}

/** The job that a request is about; else the operation fails as Flink's does. */
function jobFor(state: SimulationState, key: string, jobId: string): JobState | null {
  const job = state.jobs.get(jobId);
  if (job && !isGloballyTerminal(job.status)) return job;
  const notFound = { exceptionClass: 'org.apache.flink.runtime.messages.FlinkJobNotFoundException', message: `Could not find Flink job (${jobId})` };
  // the dispatcher's future fails, and what hangs off it with that wrapped (seen with 1.9.3, 1.13.6, 1.20.5 and 2.3.0)
  completeOperation(state, key, { exceptionClass: 'java.util.concurrent.CompletionException', message: `${notFound.exceptionClass}: ${notFound.message}`, cause: notFound });
  return null;
}

/** Savepoints of batch jobs, of jobs that do not run yet, and without a directory fail before they begin. */
function refusal(state: SimulationState, job: JobState, targetDirectory: string | null): { exceptionClass: string; message: string } | null {
  if (!job.checkpoints) return { exceptionClass: CHECKPOINT_EXCEPTION, message: 'Blocking output edge exists in running tasks.' };
  if (targetDirectory === null && savepointDirectory(state, job) === null) {
    return {
      exceptionClass: 'java.lang.IllegalStateException',
      message: 'No savepoint directory configured. You can either specify a directory while cancelling via -s :targetDirectory or configure a cluster-wide default via key \'state.savepoints.dir\'.',
    };
  }
  const missing = firstTaskNotRunning(state, job);
  if (missing === null && job.status === 'RUNNING') return null;
  const task = taskName(job, ...(missing ?? [0, 0]));
  return { exceptionClass: CHECKPOINT_EXCEPTION, message: `Checkpoint triggering task ${task} of job ${job.id} is not being executed at the moment. Aborting checkpoint. Failure reason: ${REASON.notAllRunning}` };
}

/** Takes a savepoint, now; cancels the job when it is complete if asked to. Returns the trigger id. */
export function startSavepoint(state: SimulationState, request: SavepointRequest): string {
  const { operation, key, isNew } = startOperation(state, 'savepoint', request.triggerId, request.jobId);
  if (!isNew) return operation.triggerId;
  const job = jobFor(state, key, request.jobId);
  if (!job) return operation.triggerId;
  logLine(state, state.jobManager.log, request.cancelJob ? 'triggeringCancelWithSavepoint' : 'triggeringSavepoint', { id: job.id });
  const refused = refusal(state, job, request.targetDirectory);
  if (refused) {
    completeOperation(state, key, refused);
    return operation.triggerId;
  }
  if (request.cancelJob) suspendScheduler(state, job);
  requestCheckpoint(state, job, { kind: 'SAVEPOINT', operationKey: key, format: request.format, targetDirectory: request.targetDirectory, afterwards: request.cancelJob ? 'cancel' : 'nothing' });
  return operation.triggerId;
}

/** Takes a savepoint behind which nothing more flows, and finishes the job. Returns the trigger id. */
export function startStop(state: SimulationState, request: StopRequest): string {
  const { operation, key, isNew } = startOperation(state, 'stop-with-savepoint', request.triggerId, request.jobId);
  if (!isNew) return operation.triggerId;
  const job = jobFor(state, key, request.jobId);
  if (!job) return operation.triggerId;
  logLine(state, state.jobManager.log, 'triggeringStop', { id: job.id });
  const refused = refusal(state, job, request.targetDirectory);
  if (refused) {
    completeOperation(state, key, refused);
    return operation.triggerId;
  }
  suspendScheduler(state, job);
  job.stopOperationKey = key;
  requestCheckpoint(state, job, { kind: 'SYNC_SAVEPOINT', operationKey: key, format: request.format, targetDirectory: request.targetDirectory, afterwards: request.drain ? 'terminate' : 'suspend' });
  return operation.triggerId;
}

/** Takes a checkpoint by hand. Returns the trigger id. */
export function startCheckpoint(state: SimulationState, request: { readonly jobId: string; readonly triggerId: string | null; readonly type: 'CONFIGURED' | 'FULL' | 'INCREMENTAL' }): string {
  const { operation, key, isNew } = startOperation(state, 'checkpoint', request.triggerId, request.jobId);
  if (!isNew) return operation.triggerId;
  const job = jobFor(state, key, request.jobId);
  if (!job) return operation.triggerId;
  if (!job.checkpoints) {
    completeOperation(state, key, { exceptionClass: 'java.lang.IllegalStateException', message: `Job ${job.id} is not a streaming job.` });
    return operation.triggerId;
  }
  requestCheckpoint(state, job, { kind: request.type === 'FULL' ? 'FULL_CHECKPOINT' : 'CHECKPOINT', operationKey: key, format: null, targetDirectory: null, afterwards: 'nothing' });
  return operation.triggerId;
}

/** Removes a savepoint or retained checkpoint. Returns the trigger id. */
export function startDisposal(state: SimulationState, { path, triggerId }: { readonly path: string; readonly triggerId: string | null }): string {
  const { operation, key, isNew } = startOperation(state, 'savepoint-disposal', triggerId, null);
  if (!isNew) return operation.triggerId;
  const { log } = state.jobManager;
  logLine(state, log, 'disposingSavepoint', { path });
  logLine(state, log, 'loadingBackendForDisposal');
  logLine(state, log, 'defaultBackendForDisposal');
  schedule(state.queue, state.nowMs + Math.round(logNormal(8, 0.5, state.model.seed, 'disposal', operation.triggerId)), 'checkpoint.disposal', { key, path });
  return operation.triggerId;
}

export function onDisposal(state: SimulationState, { key, path }: { readonly key: string; readonly path: string }): void {
  const point = findSnapshot(state, path);
  if (point) {
    discardPath(state, point.externalPath);
    completeOperation(state, key, { kind: 'done' });
    return;
  }
  const outer = { exceptionClass: 'org.apache.flink.util.FlinkException', message: `Could not dispose savepoint ${path}.` };
  const root = { exceptionClass: 'java.io.FileNotFoundException', message: missingSnapshotMessage(path) };
  const wrapped = lifecycleOf(state).wrapsDisposalFailure;
  completeOperation(state, key, wrapped ? { exceptionClass: 'java.util.concurrent.CompletionException', message: `${outer.exceptionClass}: ${outer.message}`, cause: { ...outer, cause: root } } : { ...outer, cause: root });
}
