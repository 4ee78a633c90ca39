import { schedule } from '../event-queue.js';
import { logLine } from '../logs/index.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { subtasksOf, switchAttempt } from './attempts.js';
import { cancelDurationMs } from './durations.js';
import { afterTaskEnded } from './failover.js';
import { isGloballyTerminal, switchJob } from './job-status.js';
import { taskNameWithAttempt } from './names.js';
import { taskEvent, type TaskEvent } from './scheduling.js';

/** Cancels tasks: all, or those given. What has not been sent to a task manager ends at once. */
export function cancelTasks(state: SimulationState, job: JobState, tasks: readonly (readonly [number, number])[] | null): void {
  const selected = tasks ?? [...subtasksOf(job)].map(([v, s]) => [v, s] as const);
  for (const [v, s] of selected) cancelTask(state, job, v, s);
}

function cancelTask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  switch (attempt.state) {
    case 'CREATED':
      switchAttempt(state, job, vertexIndex, subtask, 'CANCELED');
      return;
    case 'SCHEDULED':
      switchAttempt(state, job, vertexIndex, subtask, 'CANCELING');
      switchAttempt(state, job, vertexIndex, subtask, 'CANCELED');
      return;
    case 'DEPLOYING':
    case 'INITIALIZING':
    case 'RUNNING': {
      const from = attempt.state;
      switchAttempt(state, job, vertexIndex, subtask, 'CANCELING');
      const taskManager = state.taskManagers.get(attempt.taskManagerId!);
      // One that says nothing cancels when it is back, if it is not given up before.
      if (taskManager && (taskManager.silentUntilMs ?? 0) > state.nowMs) {
        schedule(state.queue, taskManager.silentUntilMs! + cancelDurationMs(state, job, vertexIndex, subtask), 'lifecycle.canceled', taskEvent(job, vertexIndex, subtask));
        return;
      }
      if (taskManager?.status === 'REGISTERED') {
        const values = { taskWithAttempt: taskNameWithAttempt(state, job, vertexIndex, subtask), attempt: attempt.attemptId, from, to: 'CANCELING' };
        for (const line of ['attemptingCancel', 'tmTaskSwitched', 'triggeringCancellation'] as const) logLine(state, taskManager.log, line, values);
      } else if (taskManager && !lifecycleOf(state).detectsUnreachable) {
        return; // Nobody answers; the heartbeat's time-out ends it.
      }
      schedule(state.queue, state.nowMs + cancelDurationMs(state, job, vertexIndex, subtask), 'lifecycle.canceled', taskEvent(job, vertexIndex, subtask));
      return;
    }
    default:
      return;
  }
}

/** The task manager reports the end of a cancelled task. */
export function taskCanceled(state: SimulationState, job: JobState, { vertexIndex, subtask }: TaskEvent): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  if (attempt.state !== 'CANCELING') return;
  logTaskEnd(state, job, vertexIndex, subtask, 'CANCELING', 'CANCELED');
  switchAttempt(state, job, vertexIndex, subtask, 'CANCELED');
  afterTaskEnded(state, job);
}

/** How the task manager's log tells the end of a task. */
export function logTaskEnd(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, from: string, to: string): void {
  const vertex = job.vertices[vertexIndex];
  const attempt = vertex.subtasks[subtask].current;
  const taskManager = attempt.taskManagerId === null ? undefined : state.taskManagers.get(attempt.taskManagerId);
  if (taskManager?.status !== 'REGISTERED') return;
  const values = { taskWithAttempt: taskNameWithAttempt(state, job, vertexIndex, subtask), attempt: attempt.attemptId, from, to, state: to, vertexName: vertex.model.name };
  for (const line of ['tmTaskSwitched', 'freeingResources', 'ensuringStreamsClosed', 'unregisteringTask'] as const) logLine(state, taskManager.log, line, values);
}

/** Cancels a job, now. */
export function cancelJobNow(state: SimulationState, job: JobState): void {
  if (isGloballyTerminal(job.status) || job.status === 'CANCELLING' || job.status === 'FAILING') return;
  job.failover = null;
  job.waitingForSlotsSinceMs = -1;
  switchJob(state, job, 'CANCELLING');
  cancelTasks(state, job, null);
  afterTaskEnded(state, job);
}
