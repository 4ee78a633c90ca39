import { schedule } from '../event-queue.js';
import { below } from '../random.js';
import { logLine } from '../logs/index.js';
import { subtasksOf } from '../lifecycle/attempts.js';
import { catchUpInParts } from '../network/index.js';
import type { Parts } from '../parts.js';
import { NO_CHECKPOINT_INTERVAL, type CheckpointCoordinatorState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { abortCheckpoint, REASON } from './failure.js';
import { failTriggerBecauseOf, firstTaskNotRunning, onPeriodicRequest } from './trigger.js';

interface TimerEvent {
  readonly jobId: string;
  readonly timerGeneration: number;
}

/** Periodic checkpoints start with RUNNING and stop with anything else. */
export function onJobStatusChange(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (!checkpoints || checkpoints.config.intervalMs === NO_CHECKPOINT_INTERVAL) return;
  const tracksTasks = lifecycleOf(state).schedulesWhenAllTasksRun;
  if (job.status !== 'RUNNING') {
    if (checkpoints.schedulerRunning) {
      logLine(state, state.jobManager.log, 'schedulerStopping', { status: job.status });
      stopScheduler(state, job, checkpoints, tracksTasks && checkpoints.timerSurvives && job.status === 'RESTARTING');
    }
    return;
  }
  if (!tracksTasks) startTimer(state, job, checkpoints, initialDelayMs(state, job, checkpoints));
  else if (job.numRestarts === 0) logLine(state, state.jobManager.log, 'schedulerStarting');
  else if (!checkpoints.schedulerRunning) {
    checkpoints.timerSurvives = true;
    startTimer(state, job, checkpoints, initialDelayMs(state, job, checkpoints));
  }
}

/** Between min pause and the interval, as Flink draws it. */
function initialDelayMs(state: SimulationState, job: JobState, { config, timerGeneration }: CheckpointCoordinatorState): number {
  return config.minPauseMs + below(Math.max(1, config.intervalMs + 1 - config.minPauseMs), state.model.seed, 'checkpoint-timer', job.id, timerGeneration);
}

/** The first task leaves CREATED: a scheduler that tracks the tasks stands still until all of them run. */
export function onAttemptLeavesCreated(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (!checkpoints || checkpoints.config.intervalMs === NO_CHECKPOINT_INTERVAL || !lifecycleOf(state).schedulesWhenAllTasksRun) return;
  if (!checkpoints.schedulerRunning && job.numRestarts === 0) logLine(state, state.jobManager.log, 'schedulerStopping', { status: job.status });
}

/** A task runs. The scheduler that waited for the last one triggers at once. */
export function onAttemptRunning(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (!checkpoints || checkpoints.config.intervalMs === NO_CHECKPOINT_INTERVAL || !lifecycleOf(state).schedulesWhenAllTasksRun) return;
  if (checkpoints.schedulerRunning || job.status !== 'RUNNING' || firstTaskNotRunning(state, job) !== null) return;
  // Recorded on 2.3.0: the trigger of the timer that began with the job fails as the last task comes up, the next one follows at once.
  for (const [v, s] of subtasksOf(job)) {
    failTriggerBecauseOf(state, job, v, s);
    break;
  }
  logLine(state, state.jobManager.log, 'schedulerStarting');
  startTimer(state, job, checkpoints, 1);
}

function startTimer(state: SimulationState, job: JobState, checkpoints: CheckpointCoordinatorState, delayMs: number): void {
  checkpoints.schedulerRunning = true;
  restartTimer(state, job, checkpoints, delayMs);
}

/** The timer's next tick comes after `delayMs`, further ones at the interval. */
export function restartTimer(state: SimulationState, job: JobState, checkpoints: CheckpointCoordinatorState, delayMs: number): void {
  checkpoints.timerGeneration++;
  checkpoints.nextTriggerMs = state.nowMs + delayMs;
  schedule(state.queue, checkpoints.nextTriggerMs, 'checkpoint.timer', { jobId: job.id, timerGeneration: checkpoints.timerGeneration } satisfies TimerEvent);
}

/** The timer stands still until somebody starts it again. */
export function cancelTimer(checkpoints: CheckpointCoordinatorState): void {
  checkpoints.timerGeneration++;
  checkpoints.nextTriggerMs = Infinity;
}

function stopScheduler(state: SimulationState, job: JobState, checkpoints: CheckpointCoordinatorState, timerGoesOn: boolean): void {
  if (!timerGoesOn) {
    checkpoints.schedulerRunning = false;
    cancelTimer(checkpoints);
  }
  suspend(state, job, checkpoints);
}

/** No periodic checkpoints any more, and none under way: before a stop with savepoint. */
export function suspendScheduler(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (!checkpoints) return;
  checkpoints.schedulerRunning = false;
  cancelTimer(checkpoints);
  suspend(state, job, checkpoints);
}

/** Periodic checkpoints go on after a suspension. */
export function resumeScheduler(state: SimulationState, job: JobState): void {
  const { checkpoints } = job;
  if (checkpoints && checkpoints.config.intervalMs !== NO_CHECKPOINT_INTERVAL) startTimer(state, job, checkpoints, initialDelayMs(state, job, checkpoints));
}

function suspend(state: SimulationState, job: JobState, checkpoints: CheckpointCoordinatorState): void {
  checkpoints.queue = [];
  for (const checkpoint of [...checkpoints.pending]) abortCheckpoint(state, job, checkpoint, REASON.suspending);
}

/** A tick of the periodic timer. */
export function* onTimer(state: SimulationState, event: TimerEvent): Parts {
  const job = state.jobs.get(event.jobId);
  const checkpoints = job?.checkpoints;
  if (!job || !checkpoints || checkpoints.timerGeneration !== event.timerGeneration) return;
  checkpoints.nextTriggerMs += checkpoints.config.intervalMs;
  schedule(state.queue, checkpoints.nextTriggerMs, 'checkpoint.timer', event);
  // Barriers meet the records where they are by now.
  if (checkpoints.pending.length < checkpoints.config.maxConcurrent) yield* catchUpInParts(state, job);
  onPeriodicRequest(state, job);
}
