import type { JobState } from '../../simulation/state/job-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { hashMapOrder, stringHash } from '../java/hash-order.js';
import { isSparse, pendingOperators } from '../views/execution-graph.js';
import { jobSpan, wholeNow } from '../views/job-times.js';
import { countStates, statesOf, stateTimestamp } from '../views/task-states.js';

/** Flink's JobDetails: a job in a line. Read from the job manager itself, past all caches. */
export function jobDetailsLine(job: JobState, context: EndpointContext) {
  const { features } = context;
  const nowMs = wholeNow(context.state);
  const { startMs, endMs, durationMs } = jobSpan(job, nowMs, features);
  const attempts = isSparse(job) ? [] : job.vertices.flatMap((vertex) => vertex.subtasks.map((subtask) => subtask.current));
  let lastChangeMs = 0;
  for (const attempt of attempts) lastChangeMs = Math.max(lastChangeMs, stateTimestamp(attempt, attempt.state));
  const counts = countStates(attempts);
  const tasks = [['total', attempts.length] as const, ...statesOf(features).map((state) => [state.toLowerCase(), counts[state]] as const)];
  return {
    jid: job.id,
    name: job.name,
    jobType: job.model.jobType,
    schedulerType: isSparse(job) ? null : job.schedulerType,
    'start-time': startMs,
    'end-time': endMs,
    duration: durationMs,
    state: job.status,
    'last-modification': Math.max(lastChangeMs, endMs),
    tasks: Object.fromEntries(features.overviewTasksAreHashed ? hashMapOrder(tasks, ([name]) => stringHash(name)) : tasks),
    'pending-operators': isSparse(job) ? 0 : pendingOperators(job),
  };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs',
    handle: (_request, { state }) => ({ jobs: [...state.jobs.values()].map((job) => ({ id: job.id, status: job.status })) }),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/overview',
    handle: (_request, context) => ({ jobs: [...context.state.jobs.values()].map((job) => jobDetailsLine(job, context)) }),
  }),
];
