import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import { statusTimestamp, type ExecutionGraph, type ExecutionJobVertex } from '../views/execution-graph.js';
import { ioMetrics, ioMetricsInfo } from '../views/io-metrics.js';
import { jobSpan, wholeNow } from '../views/job-times.js';
import { streamGraphOf } from '../views/stream-graph.js';
import { planOf } from '../views/plan.js';
import { aggregateState, byJobStatus, byState, countStates, spanOf } from '../views/task-states.js';

function vertexDetails(context: EndpointContext, graph: ExecutionGraph, vertex: ExecutionJobVertex, nowMs: number) {
  const attempts = vertex.subtasks.map((subtask) => ({ subtask: subtask.index, attempt: subtask.current }));
  const current = attempts.map(({ attempt }) => attempt);
  const counts = countStates(current);
  const { startMs, endMs, durationMs } = spanOf(current, nowMs);
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
    metrics: ioMetricsInfo(ioMetrics(context, graph.jobId, vertex.id, attempts)),
  };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid',
    handle(request, context) {
      const { features } = context;
      const graph = getExecutionGraph(context, request.params['jobid']!);
      const nowMs = wholeNow(context.state);
      const { startMs, endMs, durationMs } = jobSpan(graph, nowMs, features);
      const vertices = graph.vertices.map((vertex) => vertexDetails(context, graph, vertex, nowMs));
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
    },
  }),
];
