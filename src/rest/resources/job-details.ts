import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import type { TaskMetricStore } from '../metrics/task-metric-store.js';
import { inOneGo } from '../../simulation/parts.js';
import { inParts } from '../turns.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import { statusTimestamp, type ExecutionGraph, type ExecutionJobVertex } from '../views/execution-graph.js';
import { fetchedTask, ioMetrics, ioMetricsInfo, readCounters } from '../views/io-metrics.js';
import { jobSpan, wholeNow } from '../views/job-times.js';
import { streamGraphOf } from '../views/stream-graph.js';
import { planOf } from '../views/plan.js';
import { aggregateState, byJobStatus, byState, countStates, spanOf } from '../views/task-states.js';

function* vertexDetails(context: EndpointContext, vertex: ExecutionJobVertex, task: TaskMetricStore | undefined, nowMs: number) {
  const attempts = vertex.subtasks.map((subtask) => ({ subtask: subtask.index, attempt: subtask.current }));
  const current = attempts.map(({ attempt }) => attempt);
  const counts = countStates(current);
  const { startMs, endMs, durationMs } = spanOf(current, nowMs);
  yield;
  const fetched = yield* readCounters(context, task);
  const metrics = ioMetricsInfo(ioMetrics(fetched, attempts));
  yield;
  return {
    id: vertex.id,
    slotSharingGroupId: vertex.slotSharingGroupId,
    name: vertex.model.name,
    maxParallelism: vertex.maxParallelism,
    parallelism: vertex.parallelism,
    status: aggregateState(counts, vertex.parallelism),
    'start-time': startMs,
    'end-time': endMs,
    duration: durationMs,
    tasks: byState(context.features, (state) => counts[state]),
    metrics,
  };
}

type VertexDetails = ReturnType<typeof vertexDetails> extends Generator<unknown, infer Details> ? Details : never;

/** Subtasks of a job up to which its details are gathered in one go. */
const FEW_SUBTASKS = 1_000;

function* jobDetails(graph: ExecutionGraph, context: EndpointContext) {
  const { features } = context;
  const nowMs = wholeNow(context.state);
  const { startMs, endMs, durationMs } = jobSpan(graph, nowMs, features);
  const tasks = graph.vertices.map((vertex) => fetchedTask(context, graph.jobId, vertex.id, vertex.subtasks.map(({ current }) => current)));
  const vertices: VertexDetails[] = [];
  for (let v = 0; v < graph.vertices.length; v++) vertices.push(yield* vertexDetails(context, graph.vertices[v], tasks[v], nowMs));
  return {
    jid: graph.jobId,
    'application-id': graph.applicationId,
    name: graph.name,
    isStoppable: false,
    state: graph.status,
    'job-type': graph.model.jobType,
    schedulerType: graph.isSparse ? null : graph.schedulerType,
    'start-time': startMs,
    'end-time': endMs,
    duration: durationMs,
    maxParallelism: graph.isSparse ? -1 : graph.model.maxParallelism,
    now: nowMs,
    timestamps: byJobStatus(features, (status) => statusTimestamp(graph, status)),
    vertices,
    'status-counts': byState(features, (state) => vertices.reduce((count, vertex) => (vertex.status === state ? count + 1 : count), 0)),
    plan: planOf(graph, features),
    'stream-graph': features.batchVerticesAppear ? streamGraphOf(graph) : null,
    'pending-operators': graph.pendingOperators,
  };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid',
    handle(request, context) {
      const graph = getExecutionGraph(context, request.params['jobid']!);
      const subtasks = graph.vertices.reduce((sum, vertex) => sum + vertex.subtasks.length, 0);
      const work = jobDetails(graph, context);
      return subtasks > FEW_SUBTASKS ? inParts(work) : inOneGo(work);
    },
  }),
];
