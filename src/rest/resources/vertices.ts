import type { ExecutionAttemptState } from '../../simulation/state/job-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { InternalServerException, NotFoundException } from '../errors.js';
import { hashMapOrder, stringHash } from '../java/hash-order.js';
import { aggregatedDetails, attemptDetails, endpointOf, UNASSIGNED } from '../views/attempt-details.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import type { ExecutionGraph, ExecutionJobVertex } from '../views/execution-graph.js';
import { ioMetrics, ioMetricsInfo } from '../views/io-metrics.js';
import { wholeNow } from '../views/job-times.js';
import { aggregateState, byState, countStates, isTerminal, spanOf, stateTimestamp, statusDurations } from '../views/task-states.js';
import { findVertex, getJobVertex } from '../views/vertex-lookup.js';

/** The vertex of handlers that say it in their own words when there is none. */
function lookUp(request: EndpointRequest, context: EndpointContext): { readonly graph: ExecutionGraph; readonly vertex: ExecutionJobVertex | undefined; readonly notFound: NotFoundException } {
  const graph = getExecutionGraph(context, request.params['jobid']!);
  const vertexId = request.params['vertexid']!;
  return { graph, vertex: findVertex(graph, vertexId), notFound: new NotFoundException(`JobVertex ${vertexId} not found`) };
}

interface TaskOnTaskManager {
  readonly subtask: number;
  readonly attempt: ExecutionAttemptState;
}

/** Tasks of a vertex by where they run, in the order of Flink's map. */
function byTaskManager(vertex: ExecutionJobVertex): (readonly [taskManagerId: string, tasks: readonly TaskOnTaskManager[]])[] {
  const groups = new Map<string, TaskOnTaskManager[]>();
  for (const { index, current } of vertex.subtasks) {
    const id = current.taskManagerId ?? UNASSIGNED;
    const group = groups.get(id);
    if (group) group.push({ subtask: index, attempt: current });
    else groups.set(id, [{ subtask: index, attempt: current }]);
  }
  return hashMapOrder([...groups], ([id]) => stringHash(id));
}

function taskManagerDetails(context: EndpointContext, graph: ExecutionGraph, vertex: ExecutionJobVertex, taskManagerId: string, tasks: readonly TaskOnTaskManager[], nowMs: number) {
  const attempts = tasks.map(({ attempt }) => attempt);
  const counts = countStates(attempts);
  const { startMs, endMs, durationMs } = spanOf(attempts, nowMs);
  const infos = tasks.map((task) => ioMetricsInfo(ioMetrics(context, graph.jobId, vertex.id, [task])));
  const endpoint = endpointOf(attempts[0]!);
  return {
    host: endpoint,
    endpoint,
    status: aggregateState(counts, attempts.length),
    'start-time': startMs,
    'end-time': endMs,
    duration: durationMs,
    metrics: ioMetricsInfo(ioMetrics(context, graph.jobId, vertex.id, tasks)),
    'status-counts': byState(context.features, (state) => counts[state]),
    'taskmanager-id': taskManagerId,
    aggregated: aggregatedDetails(infos, attempts.map((attempt) => statusDurations(attempt, nowMs))),
  };
}

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
      const subtasks = vertex.subtasks.map((subtask) => {
        const details = attemptDetails(context, graph, vertex, subtask, subtask.current);
        return context.features.vertexDetailsHostHasPort ? { ...details, host: details.endpoint } : details;
      });
      return {
        id: vertex.id,
        name: vertex.model.name,
        parallelism: vertex.parallelism,
        maxParallelism: vertex.maxParallelism,
        now: wholeNow(context.state),
        subtasks,
        aggregated: aggregatedDetails(subtasks.map((subtask) => subtask.metrics), subtasks.map((subtask) => subtask['status-duration'])),
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
      return { id: vertex.id, name: vertex.model.name, now: nowMs, taskmanagers: byTaskManager(vertex).map(([id, tasks]) => taskManagerDetails(context, graph, vertex, id, tasks, nowMs)) };
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
        subtasks: vertex.subtasks.map(({ index, current }) => ({
          subtask: index,
          host: current.host ?? UNASSIGNED,
          endpoint: endpointOf(current),
          duration: timeSinceScheduled(current, nowMs),
          timestamps: byState(context.features, (state) => stateTimestamp(current, state)),
        })),
      };
    },
  }),
];
