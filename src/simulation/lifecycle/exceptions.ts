import { findOption } from '../options.js';
import type { FailureLabels } from '../model/timeline-event.js';
import type { ExceptionHistoryEntryState, ExecutionExceptionState, JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { taskName } from './names.js';

/** First line's class. */
export function exceptionName(stackTrace: string): string {
  return /^[^\s:]+/.exec(stackTrace)?.[0] ?? '';
}

/** A failure of the current attempt of a subtask. */
export function executionException(job: JobState, vertexIndex: number, subtask: number, stackTrace: string, timestampMs: number, labels?: FailureLabels): ExecutionExceptionState {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  return {
    stackTrace,
    exceptionName: exceptionName(stackTrace),
    timestampMs,
    taskName: taskName(job, vertexIndex, subtask),
    attemptNumber: attempt.attemptNumber,
    location: attempt.taskManagerId === null ? null : `${attempt.host}:${attempt.dataPort}`,
    taskManagerId: attempt.taskManagerId,
    ...(labels ? { labels } : {}),
  };
}

function globalException(stackTrace: string, timestampMs: number): ExecutionExceptionState {
  return { stackTrace, exceptionName: exceptionName(stackTrace), timestampMs, taskName: null, attemptNumber: -1, location: null, taskManagerId: null };
}

/** A task has failed: it is listed among the executions' exceptions until it is restarted. */
export function recordExecutionException(job: JobState, failure: ExecutionExceptionState): void {
  job.exceptions.executions.push(failure);
}

/** The failure that took the job down. */
export function recordRootException(job: JobState, stackTrace: string, timestampMs: number): void {
  job.exceptions.rootException = { stackTrace, timestampMs };
}

type Failure = ExecutionExceptionState | { readonly stackTrace: string; readonly timestampMs: number; readonly labels?: FailureLabels };

/** What the history will tell of a restart or the end: `failure` is its cause, failures of other tasks at that time come with it. */
export function historyEntry(job: JobState, failure: Failure): ExceptionHistoryEntryState {
  const main = 'exceptionName' in failure ? failure : globalException(failure.stackTrace, failure.timestampMs);
  return { ...main, failureLabels: { ...failure.labels }, concurrent: job.exceptions.executions.filter((other) => other !== failure) };
}

export function recordHistoryEntry(state: SimulationState, job: JobState, failure: Failure): void {
  recordHistoryEntries(state, job, [historyEntry(job, failure)]);
}

export function recordHistoryEntries(state: SimulationState, job: JobState, entries: readonly ExceptionHistoryEntryState[]): void {
  const { history } = job.exceptions;
  history.push(...entries);
  const limit = Math.max(1, Number(findOption(state.options, 'web.exception-history-size') ?? 16) || 16);
  if (history.length > limit) history.splice(0, history.length - limit);
}

/** Restarted tasks have no failure any more. */
export function forgetExecutionExceptions(job: JobState, tasks: readonly (readonly [number, number])[] | null): void {
  if (tasks === null) {
    job.exceptions.executions = [];
    return;
  }
  const names = new Set(tasks.map(([v, s]) => taskName(job, v, s)));
  job.exceptions.executions = job.exceptions.executions.filter((failure) => failure.taskName === null || !names.has(failure.taskName));
}
