import { failureText } from '../../versions/failure-traces.js';
import { logLine } from '../logs/index.js';
import { failGlobally } from '../lifecycle/failover.js';
import { completeOperation } from '../lifecycle/operations.js';
import { abortBarrier } from '../network/index.js';
import type { CheckpointState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf, versionOf } from '../version.js';
import { resumeScheduler } from './scheduler.js';
import { recordFailed } from './statistics.js';
import { takeQueued, trigger } from './trigger.js';

/** Messages of CheckpointFailureReason that REST shows. */
export const REASON = {
  expired: 'Checkpoint expired before completing.',
  suspending: 'Checkpoint Coordinator is suspending.',
  shutdown: 'CheckpointCoordinator shutdown.',
  declined: 'Checkpoint was declined.',
  notAllRunning: 'Not all required tasks are currently running.',
  finalize: 'Failure to finalize checkpoint.',
  inputFinished: 'Checkpoint was declined because one input stream is finished',
  subsumed: 'Checkpoint has been subsumed.',
} as const;

const COUNTED: ReadonlySet<string> = new Set([REASON.declined, 'Asynchronous task checkpoint failed.']);

const EXCEPTION = 'org.apache.flink.runtime.checkpoint.CheckpointException';

/** Ends a checkpoint that is under way, now, and lets the next queued one go; too many of them fail the job. */
export function abortCheckpoint(state: SimulationState, job: JobState, checkpoint: CheckpointState, reason: string): void {
  const checkpoints = job.checkpoints!;
  const features = lifecycleOf(state);
  checkpoints.pending = checkpoints.pending.filter((other) => other !== checkpoint);
  recordFailed(state, checkpoints, checkpoint, reason);
  logLine(state, state.jobManager.log, 'failedCheckpoint', { checkpoint: checkpoint.id, id: job.id, failures: checkpoints.consecutiveFailures }, { detail: `${EXCEPTION}: ${reason}` });
  if (reason === REASON.expired || !features.lateMessagesOnlyForExpired) {
    checkpoints.recentExpired.push(checkpoint.id);
    if (checkpoints.recentExpired.length > 16) checkpoints.recentExpired.shift();
  }
  if (features.notifiesAborted) abortBarrier(state, job, checkpoint.id);
  if (checkpoint.operationKey) {
    completeOperation(state, checkpoint.operationKey, { exceptionClass: EXCEPTION, message: reason });
    if (job.stopOperationKey === checkpoint.operationKey) job.stopOperationKey = null;
  }
  // What should have ended the job has failed: it goes on as before.
  if (checkpoint.afterwards !== 'nothing' && job.status === 'RUNNING') resumeScheduler(state, job);
  if (reason === REASON.suspending || reason === REASON.shutdown) return;
  const next = takeQueued(state, job);
  countFailure(state, job, checkpoint, reason);
  if (next) trigger(state, job, { format: null, targetDirectory: null, afterwards: 'nothing', ...next });
}

/** CheckpointFailureManager: which failures count, and how many are tolerated. */
function countFailure(state: SimulationState, job: JobState, checkpoint: CheckpointState, reason: string): void {
  const checkpoints = job.checkpoints!;
  const counts = COUNTED.has(reason) || (reason === REASON.expired && lifecycleOf(state).countsExpiredFailures);
  if (!counts || (checkpoint.isSavepoint && reason === REASON.expired)) return;
  checkpoints.consecutiveFailures++;
  if (checkpoints.config.tolerableFailures < 0 || checkpoints.consecutiveFailures <= checkpoints.config.tolerableFailures) return;
  checkpoints.consecutiveFailures = 0;
  failGlobally(state, job, {
    exceptionClass: 'org.apache.flink.util.FlinkRuntimeException',
    message: failureText('tolerableFailures', versionOf(state), { reason }),
    trace: 'tolerableFailures',
  });
}

/** The time-out of a checkpoint is over. */
export function onExpiry(state: SimulationState, { jobId, checkpointId }: { readonly jobId: string; readonly checkpointId: number }): void {
  const job = state.jobs.get(jobId);
  const checkpoint = job?.checkpoints?.pending.find((pending) => pending.id === checkpointId);
  if (!job || !checkpoint) return;
  logLine(state, state.jobManager.log, 'expiredCheckpoint', { checkpoint: checkpoint.id, id: job.id });
  abortCheckpoint(state, job, checkpoint, REASON.expired);
}
