import { logLine } from '../logs/index.js';
import { failureText } from '../../versions/failure-traces.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';
import { isTerminal, subtasksOf, switchAttempt } from './attempts.js';
import { switchJob } from './job-status.js';
import { logValues } from './names.js';

/** The job's master does not lead any more, now: the job is SUSPENDED here, and another leader will take it up. */
export function suspendJob(state: SimulationState, job: JobState): void {
  const { log } = state.jobManager;
  const values = { ...logValues(state, job), state: 'SUSPENDED' };
  const scheduler = job.schedulerType === 'Adaptive' ? 'AdaptiveScheduler' : 'Scheduler';
  job.failover = null;
  job.waitingForSlotsSinceMs = -1;
  logLine(state, log, 'stoppingJobMaster', values);
  switchJob(state, job, 'SUSPENDED', `org.apache.flink.util.FlinkException: ${failureText('suspended', versionOf(state), { scheduler, job: job.name, id: job.id })}`);
  for (const [v, s, attempt] of subtasksOf(job)) {
    if (isTerminal(attempt)) continue;
    if (attempt.state !== 'CREATED' && attempt.state !== 'CANCELING') switchAttempt(state, job, v, s, 'CANCELING');
    switchAttempt(state, job, v, s, 'CANCELED');
  }
  job.slots = [];
  logLine(state, log, 'jobSuspended', values);
  logLine(state, log, 'jobReachedTerminal', values);
}
