import { schedule } from '../event-queue.js';
import { logLine } from '../logs/index.js';
import { durationOption, findOption } from '../options.js';
import { restoreForRestart } from '../checkpoints/restore.js';
import type { FailureLabels } from '../model/timeline-event.js';
import { JOB_STATUSES, type JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { failureText } from '../../versions/failure-traces.js';
import { lifecycleOf, versionOf } from '../version.js';
import { isAdaptive, waitForResources } from './adaptive.js';
import { isTerminal, renewAttempt, subtasksOf, switchAttempt } from './attempts.js';
import { hasStages } from './batch.js';
import { cancelTasks } from './cancel.js';
import { executionException, forgetExecutionExceptions, historyEntry, recordExecutionException, recordHistoryEntries, recordRootException } from './exceptions.js';
import { switchJob, switchToRestarting } from './job-status.js';
import { logValues, taskNameWithAttempt } from './names.js';
import { regionOf } from './regions.js';
import { applyParallelism } from './rescale.js';
import { delayBeforeRestart, restartStrategyText } from './restart-strategy.js';
import { allTerminal, beginNextStage, scheduleTasks, type JobEvent } from './scheduling.js';
import { countRequiredSlots } from './slots.js';
import { stackTrace, type Throwable } from './stack-trace.js';
import { endJob } from './termination.js';

/** A task fails with an exception, now: its region is restarted, or the job fails. */
export function failTask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, throwable: Throwable, labels?: FailureLabels): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  if (isTerminal(attempt)) return;
  if (attempt.state === 'CANCELING') {
    switchAttempt(state, job, vertexIndex, subtask, 'CANCELED');
    afterTaskEnded(state, job);
    return;
  }
  const text = stackTrace(state, throwable);
  logTaskFailure(state, job, vertexIndex, subtask, text);
  attempt.failureCause = text;
  switchAttempt(state, job, vertexIndex, subtask, 'FAILED', text.trimEnd());
  const failure = executionException(job, vertexIndex, subtask, text, state.nowMs, labels);
  recordExecutionException(job, failure);
  if (job.status !== 'RUNNING' && job.status !== 'RESTARTING') {
    afterTaskEnded(state, job);
    return;
  }
  const whole = isAdaptive(job) || failsWhole(state);
  const tasks = whole ? null : regionOf(job, vertexIndex, subtask);
  const values = { ...logValues(state, job), vertex: job.vertices[vertexIndex].id, subtask, attempt: attempt.attemptId, count: tasks?.length ?? 0 };
  if (lifecycleOf(state).failsBeforeRestarting) {
    failThenRestart(state, job, text);
    return;
  }
  logLine(state, state.jobManager.log, 'calculatingRegion', values);
  handleFailure(state, job, text, failure, tasks, () => logLine(state, state.jobManager.log, 'tasksToRestart', { ...values, count: tasks?.length ?? countTasks(job) }));
}

/** A failure that belongs to no task: everything is restarted, or the job fails. */
export function failGlobally(state: SimulationState, job: JobState, throwable: Throwable, labels?: FailureLabels): void {
  if (job.status !== 'RUNNING' && job.status !== 'RESTARTING') return;
  const text = stackTrace(state, throwable);
  if (lifecycleOf(state).failsBeforeRestarting) {
    failThenRestart(state, job, text);
    return;
  }
  logLine(state, state.jobManager.log, 'globalFailure', {}, { detail: text.trimEnd() });
  handleFailure(state, job, text, null, null, () => logLine(state, state.jobManager.log, 'globalRestart', { count: countTasks(job) }), labels);
}

function countTasks(job: JobState): number {
  return job.vertices.reduce((sum, vertex) => sum + vertex.parallelism, 0);
}

function failsWhole(state: SimulationState): boolean {
  const { defaultFailoverStrategy } = lifecycleOf(state);
  return (findOption(state.options, 'jobmanager.execution.failover-strategy') ?? defaultFailoverStrategy) === 'full';
}

/** DefaultScheduler: the strategy answers at once, tasks are cancelled while the delay runs. */
function handleFailure(
  state: SimulationState,
  job: JobState,
  cause: string,
  failure: ReturnType<typeof executionException> | null,
  tasks: [number, number][] | null,
  logRestart: () => void,
  labels: FailureLabels | undefined = failure?.labels,
): void {
  const delayMs = delayBeforeRestart(state, job);
  if (delayMs === null) {
    failJob(state, job, suppressed(state, job, cause));
    return;
  }
  logRestart();
  if (!isAdaptive(job)) recordRootException(job, cause, state.nowMs);
  const entries = [...(job.failover?.unrecorded ?? []), historyEntry(job, (isAdaptive(job) ? null : failure) ?? { stackTrace: cause, timestampMs: state.nowMs, ...(labels ? { labels } : {}) })];
  const recordsLater = lifecycleOf(state).recordsExceptionsAtRestart;
  if (!recordsLater) recordHistoryEntries(state, job, entries);
  job.numRestarts++;
  const merged = job.failover === null ? tasks : mergeTasks(job.failover.tasks, tasks);
  job.failover = { resumeAtMs: state.nowMs + delayMs, tasks: merged, global: failure === null || (job.failover?.global ?? false), cause, parallelism: null, ...(recordsLater ? { unrecorded: entries } : {}) };
  job.waitingForSlotsSinceMs = -1;
  if (job.status !== 'RESTARTING') switchToRestarting(state, job);
  schedule(state.queue, job.failover.resumeAtMs, 'lifecycle.restart', { jobId: job.id, generation: job.generation } satisfies JobEvent);
  cancelTasks(state, job, merged);
}

function mergeTasks(a: [number, number][] | null, b: [number, number][] | null): [number, number][] | null {
  if (a === null || b === null) return null;
  const keys = new Set(a.map(([v, s]) => `${v}/${s}`));
  return [...a, ...b.filter(([v, s]) => !keys.has(`${v}/${s}`))];
}

/** The text of the JobException around the last failure. */
function suppressed(state: SimulationState, job: JobState, cause: string): string {
  const message = failureText('suppressed', versionOf(state), { strategy: restartStrategyText(state, job.restartStrategy) });
  const outer = stackTrace(state, { exceptionClass: 'org.apache.flink.runtime.JobException', message, trace: 'suppressed' });
  return `${outer}Caused by: ${cause}`;
}

/** FAILING with that root cause; FAILED once every task has ended. */
export function failJob(state: SimulationState, job: JobState, cause: string): void {
  recordRootException(job, cause, state.nowMs);
  job.failureCause = cause;
  if (job.failover?.unrecorded) recordHistoryEntries(state, job, job.failover.unrecorded);
  job.failover = null;
  job.waitingForSlotsSinceMs = -1;
  switchJob(state, job, 'FAILING', cause.trimEnd());
  cancelTasks(state, job, null);
  afterTaskEnded(state, job);
}

/** Before 1.10: FAILING first; whether to restart is asked when every task has ended. */
function failThenRestart(state: SimulationState, job: JobState, cause: string): void {
  recordRootException(job, cause, state.nowMs);
  job.failureCause = cause;
  job.waitingForSlotsSinceMs = -1;
  switchJob(state, job, 'FAILING', cause.trimEnd());
  cancelTasks(state, job, null);
  afterTaskEnded(state, job);
}

/** A task has ended: what waited for all of them may go on. */
export function afterTaskEnded(state: SimulationState, job: JobState): void {
  switch (job.status) {
    case 'CANCELLING':
      if (allTerminal(job)) endJob(state, job, 'CANCELED');
      return;
    case 'FAILING':
      if (allTerminal(job)) afterFailing(state, job);
      return;
    case 'RESTARTING':
      resumeIfReady(state, job);
      return;
    case 'RUNNING':
      if (allFinished(job)) endJob(state, job, 'FINISHED');
      else if (hasStages(job)) beginNextStage(state, job);
      return;
    default:
      return;
  }
}

function allFinished(job: JobState): boolean {
  if (job.vertices.some((vertex) => vertex.parallelism === 0)) return false;
  for (const [, , attempt] of subtasksOf(job)) if (attempt.state !== 'FINISHED') return false;
  return true;
}

function afterFailing(state: SimulationState, job: JobState): void {
  const cause = job.failureCause!;
  if (!lifecycleOf(state).failsBeforeRestarting) {
    endJob(state, job, 'FAILED');
    return;
  }
  logLine(state, state.jobManager.log, 'tryToRestart', logValues(state, job));
  const delayMs = delayBeforeRestart(state, job);
  if (delayMs === null) {
    endJob(state, job, 'FAILED');
    return;
  }
  job.failureCause = null;
  switchJob(state, job, 'RESTARTING');
  logLine(state, state.jobManager.log, 'restartingJob', logValues(state, job));
  job.failover = { resumeAtMs: state.nowMs + delayMs, tasks: null, global: true, cause, parallelism: null };
  job.numRestarts++;
  schedule(state.queue, job.failover.resumeAtMs, 'lifecycle.restart', { jobId: job.id, generation: job.generation } satisfies JobEvent);
}

/** The restart happens when its delay is over and the tasks that it is about have ended. */
export function resumeIfReady(state: SimulationState, job: JobState): void {
  const { failover } = job;
  if (job.status !== 'RESTARTING' || failover === null || state.nowMs < failover.resumeAtMs) return;
  const tasks = failover.tasks ?? [...subtasksOf(job)].map(([v, s]): [number, number] => [v, s]);
  if (!tasks.every(([v, s]) => isTerminal(job.vertices[v].subtasks[s].current))) return;
  job.failover = null;
  if (failover.unrecorded) recordHistoryEntries(state, job, failover.unrecorded);
  forgetExecutionExceptions(job, failover.tasks);
  if (failover.parallelism !== null) applyParallelism(state, job, failover.parallelism);
  else for (const [v, s] of tasks) renewAttempt(state, job, v, s);
  if (lifecycleOf(state).failsBeforeRestarting) {
    // The execution graph starts over: its times of earlier states are reset.
    const restarting = JOB_STATUSES.indexOf('RESTARTING');
    job.statusTimestamps.forEach((_, i) => {
      if (i !== restarting) job.statusTimestamps[i] = 0;
    });
    switchJob(state, job, 'CREATED');
    job.startMs = state.nowMs;
  }
  restoreForRestart(state, job, failover);
  if (isAdaptive(job)) {
    waitForResources(state, job);
    return;
  }
  switchJob(state, job, 'RUNNING');
  scheduleTasks(state, job);
}

/** The slots did not come in time. */
export function failForLackOfSlots(state: SimulationState, job: JobState): void {
  const required = countRequiredSlots(job);
  const timeoutMs = durationOption(state.options, 'slot.request.timeout', 300_000);
  const noResource: Throwable = {
    exceptionClass: 'org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException',
    message: failureText('noResource', versionOf(state), { timeoutMs, required, allocated: job.slots.length }),
    trace: 'noResource',
  };
  logLine(state, state.jobManager.log, 'notEnoughResources', { acquired: `[${job.slots.length === 0 ? '' : `ResourceRequirement{numberOfRequiredSlots=${job.slots.length}}`}]`, registered: new Set(job.slots.map((slot) => slot.taskManagerId)).size, slots: job.slots.length });
  const throwable: Throwable = lifecycleOf(state).wrapsNoResource
    ? { exceptionClass: 'java.util.concurrent.CompletionException', message: `${noResource.exceptionClass}: ${noResource.message}`, trace: 'none', cause: noResource }
    : noResource;
  for (const [v, s, attempt] of subtasksOf(job)) {
    if (attempt.state !== 'SCHEDULED') continue;
    failTask(state, job, v, s, throwable);
    return;
  }
}

function logTaskFailure(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, text: string): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  const taskManager = attempt.taskManagerId === null ? undefined : state.taskManagers.get(attempt.taskManagerId);
  if (taskManager?.status !== 'REGISTERED') return;
  const values = { taskWithAttempt: taskNameWithAttempt(state, job, vertexIndex, subtask), attempt: attempt.attemptId, from: attempt.state, state: 'FAILED', vertexName: job.vertices[vertexIndex].model.name };
  logLine(state, taskManager.log, 'tmTaskFailed', values, { detail: text.trimEnd() });
  logLine(state, taskManager.log, 'tmTaskFailedInfo', values, { detail: text.trimEnd() });
  logLine(state, taskManager.log, 'freeingResources', values);
  logLine(state, taskManager.log, 'ensuringStreamsClosed', values);
  logLine(state, taskManager.log, 'unregisteringTask', values);
}
