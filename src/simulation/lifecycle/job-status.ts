import { logLine } from '../logs/index.js';
import { onJobStatusChange } from '../checkpoints/scheduler.js';
import { JOB_STATUSES, type JobState, type JobStatus } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { logValues } from './names.js';
import { onSchedulerStateChange } from './rescale-timeline.js';

const GLOBALLY_TERMINAL: ReadonlySet<JobStatus> = new Set(['FINISHED', 'CANCELED', 'FAILED']);

export function isGloballyTerminal(status: JobStatus): boolean {
  return GLOBALLY_TERMINAL.has(status);
}

export function statusTimestamp(job: JobState, status: JobStatus): number {
  return job.statusTimestamps[JOB_STATUSES.indexOf(status)];
}

/** RESTARTING. The adaptive scheduler cancels the execution graph that there was, and that is what the times show. */
export function switchToRestarting(state: SimulationState, job: JobState): void {
  switchJob(state, job, 'RESTARTING');
  if (job.schedulerType !== 'Adaptive') return;
  job.statusTimestamps[JOB_STATUSES.indexOf('RESTARTING')] = 0;
  job.statusTimestamps[JOB_STATUSES.indexOf('CANCELLING')] = state.nowMs;
}

/** Switches the job's status, now. `detail` is the stack trace that the log shows below the line. */
export function switchJob(state: SimulationState, job: JobState, to: JobStatus, detail = ''): void {
  const from = job.status;
  job.status = to;
  job.statusTimestamps[JOB_STATUSES.indexOf(to)] = state.nowMs;
  job.lastModificationMs = state.nowMs;
  job.generation++;
  state.revision++;
  if (from !== 'INITIALIZING' && to !== from) logLine(state, state.jobManager.log, 'jobSwitched', { ...logValues(state, job), from, to }, { detail });
  onSchedulerStateChange(state, job, to);
  onJobStatusChange(state, job);
}
