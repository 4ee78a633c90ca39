import type { ExecutionAttemptState } from '../../simulation/state/job-state.js';
import { inOneGo } from '../../simulation/parts.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { InternalServerException, NotFoundException } from '../errors.js';
import { hashMapOrder, stringHash } from '../java/hash-order.js';
import { rowList, withList } from '../serializer/long-list.js';
import { aggregatedDetails, attemptDetails, endpointOf, UNASSIGNED } from '../views/attempt-details.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import type { ExecutionGraph, ExecutionJobVertex } from '../views/execution-graph.js';
import { fetchedTask, ioMetrics, ioMetricsInfo, readCounters, type FetchedCounters, type TaskAttempt } from '../views/io-metrics.js';
import { wholeNow } from '../views/job-times.js';
import { aggregateState, byState, countStates, isTerminal, spanOf, stateTimestamp, statusDurations } from '../views/task-states.js';
import { findVertex, getJobVertex } from '../views/vertex-lookup.js';

/** The vertex of handlers that say it in their own words when there is none. */
function lookUp(request: EndpointRequest, context: EndpointContext): { readonly graph: ExecutionGraph; readonly vertex: ExecutionJobVertex | undefined; readonly notFound: NotFoundException } {
  const graph = getExecutionGraph(context, request.params['jobid']!);
  const vertexId = request.params['vertexid']!;
  return { graph, vertex: findVertex(graph, vertexId), notFound: new NotFoundException(`JobVertex ${vertexId} not found`) };
}

/** Tasks of a vertex by where they run, in the order of Flink's map. */
function byTaskManager(vertex: ExecutionJobVertex): (readonly [taskManagerId: string, tasks: readonly TaskAttempt[]])[] {
  const groups = new Map<string, TaskAttempt[]>();
  for (const task of currentAttempts(vertex)) {
    const id = task.attempt.taskManagerId ?? UNASSIGNED;
    const group = groups.get(id);
    if (group) group.push(task);
    else groups.set(id, [task]);
  }
  return hashMapOrder([...groups], ([id]) => stringHash(id));
}

function taskManagerDetails({ features }: EndpointContext, fetched: FetchedCounters, taskManagerId: string, tasks: readonly TaskAttempt[], nowMs: number) {
  const attempts = tasks.map(({ attempt }) => attempt);
  const counts = countStates(attempts);
  const { startMs, endMs, durationMs } = spanOf(attempts, nowMs);
  const endpoint = endpointOf(attempts[0]!);
  return {
    host: endpoint,
    endpoint,
    status: aggregateState(counts, attempts.length),
    'start-time': startMs,
    'end-time': endMs,
    duration: durationMs,
    metrics: ioMetricsInfo(ioMetrics(fetched, tasks)),
    'status-counts': byState(features, (state) => counts[state]),
    'taskmanager-id': taskManagerId,
    aggregated: aggregatedOver(fetched, tasks, nowMs),
  };
}

/** The counters of a vertex as they were fetched when it was asked for; read with the first row that needs them. */
function countersOf(context: EndpointContext, graph: ExecutionGraph, vertex: ExecutionJobVertex): () => FetchedCounters {
  const task = fetchedTask(context, graph.jobId, vertex.id, vertex.subtasks.map(({ current }) => current));
  let counters: FetchedCounters | undefined;
  return () => (counters === undefined ? (counters = inOneGo(readCounters(context, task))) : counters);
}

function aggregatedOver(fetched: FetchedCounters, tasks: readonly TaskAttempt[], nowMs: number) {
  return aggregatedDetails(tasks.map((task) => ioMetricsInfo(ioMetrics(fetched, [task]))), tasks.map(({ attempt }) => statusDurations(attempt, nowMs)));
}

const currentAttempts = ({ subtasks }: ExecutionJobVertex): TaskAttempt[] => subtasks.map(({ index, current }) => ({ subtask: index, attempt: current }));

/** From scheduling to the end, ms; -1 before. */
function timeSinceScheduled(attempt: ExecutionAttemptState, nowMs: number): number {
  const scheduledMs = stateTimestamp(attempt, 'SCHEDULED');
  if (scheduledMs === 0) return -1;
  return (isTerminal(attempt.state) ? stateTimestamp(attempt, attempt.state) : nowMs) - scheduledMs;
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid',
    handle(request, context) {
      const { graph, vertex, notFound } = lookUp(request, context);
      if (!vertex) throw notFound;
      const nowMs = wholeNow(context.state);
      const tasks = currentAttempts(vertex);
      const counters = countersOf(context, graph, vertex);
      const subtasks = rowList(tasks.length, (index) => {
        const details = attemptDetails(counters(), tasks[index].subtask, tasks[index].attempt, nowMs);
        return context.features.vertexDetailsHostHasPort ? { ...details, host: details.endpoint } : details;
      });
      return {
        id: vertex.id,
        name: vertex.model.name,
        parallelism: vertex.parallelism,
        maxParallelism: vertex.maxParallelism,
        now: nowMs,
        subtasks,
        aggregated: withList(subtasks, () => aggregatedOver(counters(), tasks, nowMs)),
      };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/taskmanagers',
    handle(request, context) {
      const { graph, vertex, notFound } = lookUp(request, context);
      if (!vertex) throw context.features.unknownVertexOfTaskManagersIsNotFound ? notFound : new InternalServerException('java.lang.NullPointerException', '');
      const nowMs = wholeNow(context.state);
      const groups = byTaskManager(vertex);
      const counters = countersOf(context, graph, vertex);
      const taskManagers = rowList(groups.length, (index) => taskManagerDetails(context, counters(), ...groups[index], nowMs), vertex.subtasks.length);
      return { id: vertex.id, name: vertex.model.name, now: nowMs, taskmanagers: taskManagers };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasktimes',
    handle(request, context) {
      const { vertex } = getJobVertex(request, context);
      const nowMs = wholeNow(context.state);
      return {
        id: vertex.id,
        name: vertex.model.name,
        now: nowMs,
        subtasks: rowList(vertex.subtasks.length, (subtask) => {
          const { current } = vertex.subtasks[subtask];
          return {
            subtask,
            host: current.host ?? UNASSIGNED,
            endpoint: endpointOf(current),
            duration: timeSinceScheduled(current, nowMs),
            timestamps: byState(context.features, (state) => stateTimestamp(current, state)),
          };
        }),
      };
    },
  }),
];
