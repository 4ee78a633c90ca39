import { schedule } from '../event-queue.js';
import { hex } from '../random.js';
import { logLine } from '../logs/index.js';
import { durationOption, numberOption } from '../options.js';
import { shutdownCoordinator } from '../checkpoints/shutdown.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { isApplicationCluster, onApplicationJobEnded } from './application.js';
import { completeOperation } from './operations.js';
import { recordHistoryEntry } from './exceptions.js';
import { switchJob } from './job-status.js';
import { logValues } from './names.js';
import { releaseSlots } from './slots.js';

/** From the end of a job to the moment when the resource manager gives its slots to others. */
const SLOTS_FREED_MS = 50;

const APPLICATION_ENDING = { FINISHED: 'FINISHED', CANCELED: 'CANCELING', FAILED: 'FAILING' } as const;

/** The job reaches a globally terminal state, now: its slots are free, it stays visible until it expires. */
export function endJob(state: SimulationState, job: JobState, status: 'FINISHED' | 'CANCELED' | 'FAILED'): void {
  const { log } = state.jobManager;
  const values = { ...logValues(state, job), status, state: status, connection: hex(32, state.model.seed, 'connection') };
  switchJob(state, job, status, status === 'FAILED' ? job.failureCause!.trimEnd() : '');
  job.endMs = state.nowMs;
  if (status === 'FAILED') {
    logLine(state, log, 'couldNotRestart', values, { detail: job.failureCause!.trimEnd() });
    // The adaptive scheduler's history tells the failure itself, not that it was the last one.
    const told = job.schedulerType === 'Adaptive' ? job.failureCause!.split(/^Caused by: /m).at(-1)! : job.failureCause!;
    recordHistoryEntry(state, job, { stackTrace: told, timestampMs: state.nowMs });
  }
  if (!isApplicationCluster(state)) logApplicationEnd(state, status, values);
  shutdownCoordinator(state, job);
  logLine(state, log, 'jobReachedTerminal', values);
  if (!isApplicationCluster(state)) logLine(state, log, 'archivingApplication', values);
  logLine(state, log, 'stoppingJobMaster', values);
  logLine(state, log, 'suspendingSlotPool', values);
  logLine(state, log, 'clearingRequirements', values);
  for (const id of new Set(job.slots.map((slot) => slot.taskManagerId))) logLine(state, log, 'disconnectTaskExecutor', { taskManager: id, reason: `Stopping JobMaster for job '${job.name}' (${job.id}).` });
  releaseSlots(state, job);
  logLine(state, log, 'closeResourceManager', values);
  logLine(state, log, 'stoppingSlotPool', values);
  logLine(state, log, 'disconnectJobManager', values);
  finishStop(state, job, status);
  onApplicationJobEnded(state, job, status);
  schedule(state.queue, state.nowMs + durationOption(state.options, 'jobstore.expiration-time', 3_600_000, 1000), 'lifecycle.expire-job', { jobId: job.id });
  forgetBeyondCapacity(state);
  schedule(state.queue, state.nowMs + SLOTS_FREED_MS, 'lifecycle.slots-freed', null);
}

/** A job that was submitted by itself is an application of its own. */
function logApplicationEnd(state: SimulationState, status: keyof typeof APPLICATION_ENDING, values: Record<string, string | number>): void {
  const { log } = state.jobManager;
  logLine(state, log, 'applicationCompleted', values);
  const ending = APPLICATION_ENDING[status];
  logLine(state, log, 'applicationSwitched', { ...values, from: 'RUNNING', to: ending });
  if (ending !== status) logLine(state, log, 'applicationSwitched', { ...values, from: ending, to: status });
}

/** A stop with savepoint completes with the job's end. */
function finishStop(state: SimulationState, job: JobState, status: string): void {
  if (job.stopOperationKey === null) return;
  const savepoint = job.checkpoints?.latestSavepoint;
  const key = job.stopOperationKey;
  job.stopOperationKey = null;
  if (status === 'FINISHED' && savepoint?.externalPath) completeOperation(state, key, { kind: 'location', location: savepoint.externalPath });
  else {
    completeOperation(state, key, {
      exceptionClass: 'org.apache.flink.util.FlinkException',
      message: `Stop with savepoint operation could not be completed: the job ended in state ${status}.`,
    });
  }
}

/** The job store forgets an ended job. */
export function expireJob(state: SimulationState, jobId: string): void {
  state.jobs.delete(jobId);
  state.revision++;
}

/** The job store keeps so many ended jobs; those that ended first go. */
function forgetBeyondCapacity(state: SimulationState): void {
  const capacity = numberOption(state.options, 'jobstore.max-capacity', Infinity);
  const ended = [...state.jobs.values()].filter(({ endMs }) => endMs >= 0).sort((a, b) => a.endMs - b.endMs);
  for (const { id } of ended.slice(0, Math.max(0, ended.length - capacity))) expireJob(state, id);
}
