import { logLine } from '../logs/index.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { discardPath } from './complete.js';
import { abortCheckpoint, REASON } from './failure.js';

/** The job has ended: no checkpoint is under way any more, the last completed one stays or goes as its retention says. */
export function shutdownCoordinator(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (!checkpoints) return;
  const { log } = state.jobManager;
  checkpoints.queue = [];
  checkpoints.schedulerRunning = false;
  checkpoints.timerGeneration++;
  checkpoints.nextTriggerMs = Infinity;
  for (const checkpoint of [...checkpoints.pending]) abortCheckpoint(state, job, checkpoint, REASON.shutdown);
  logLine(state, log, 'coordinatorStopping', { id: job.id });
  logLine(state, log, 'storeShutdown');
  const { latestCompleted, latestSavepoint } = checkpoints;
  const last = lifecycleOf(state).storesSavepoints && latestSavepoint && latestSavepoint.afterwards !== 'nothing' ? latestSavepoint : latestCompleted;
  if (!last) return;
  // A savepoint in the store had the oldest one make room for it.
  const others = last.isSavepoint ? (checkpoints.kept?.slice(1) ?? []) : (checkpoints.kept?.slice(0, -1) ?? []);
  for (const checkpoint of [...others, last]) {
    if (!checkpoint.externalPath) continue;
    if (checkpoint.isSavepoint || retained(job)) logLine(state, log, 'checkpointNotDiscarded', { checkpoint: checkpoint.id, path: checkpoint.externalPath });
    else {
      checkpoint.discarded = true;
      discardPath(state, checkpoint.externalPath);
    }
  }
}

/** Externalized checkpoints outlive failures, and cancellation where they were told to; a finished job leaves none. */
function retained(job: JobState): boolean {
  const { retention } = job.checkpoints!.config;
  if (job.status === 'FINISHED') return false;
  if (job.status === 'FAILED') return retention !== 'NO_EXTERNALIZED_CHECKPOINTS';
  return retention === 'RETAIN_ON_CANCELLATION';
}
