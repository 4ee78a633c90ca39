import { EXECUTION_STATE_INDEX, type JobState } from '../../simulation/state/job-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { hashMapOrder, stringHash } from '../java/hash-order.js';
import { isSparse, pendingOperators } from '../views/execution-graph.js';
import { jobSpan, wholeNow } from '../views/job-times.js';
import { noStates, statesOf } from '../views/task-states.js';

/** Flink's JobDetails: a job in a line. Read from the job manager itself, past all caches. */
export function jobDetailsLine(job: JobState, context: EndpointContext) {
  const { features } = context;
  const nowMs = wholeNow(context.state);
  const { startMs, endMs, durationMs } = jobSpan(job, nowMs, features);
  const counts = noStates();
  let [total, lastChangeMs] = [0, 0];
  // Asked often, of many tasks: no list of them is made.
  for (const { subtasks } of isSparse(job) ? [] : job.vertices) {
    total += subtasks.length;
    for (const { current } of subtasks) {
      counts[current.state]++;
      lastChangeMs = Math.max(lastChangeMs, current.timestamps[EXECUTION_STATE_INDEX[current.state]]);
    }
  }
  const tasks = [['total', total] as const, ...statesOf(features).map((state) => [state.toLowerCase(), counts[state]] as const)];
  return {
    jid: job.id,
    name: job.name,
    jobType: job.model.jobType,
    schedulerType: isSparse(job) ? null : job.schedulerType,
    'start-time': startMs,
    'end-time': endMs,
    duration: durationMs,
    state: job.status,
    'last-modification': Math.max(Math.floor(lastChangeMs), endMs),
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
