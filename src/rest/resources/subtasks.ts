import type { ExecutionAttemptState } from '../../simulation/state/job-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { attemptDetails } from '../views/attempt-details.js';
import type { ExecutionGraph, ExecutionJobVertex, ExecutionVertex } from '../views/execution-graph.js';
import { fetchedCounters } from '../views/io-metrics.js';
import { wholeNow } from '../views/job-times.js';
import { getAttempt, getSubtask } from '../views/vertex-lookup.js';

function details(context: EndpointContext, graph: ExecutionGraph, vertex: ExecutionJobVertex, subtask: ExecutionVertex, attempt: ExecutionAttemptState) {
  return attemptDetails(fetchedCounters(context, graph.jobId, vertex.id, [attempt]), subtask.index, attempt, wholeNow(context.state));
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex',
    handle(request, context) {
      const { graph, vertex, subtask } = getSubtask(request, context);
      return details(context, graph, vertex, subtask, subtask.current);
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/attempts/:attempt',
    handle(request, context) {
      const { graph, vertex, subtask, attempt } = getAttempt(request, context);
      return details(context, graph, vertex, subtask, attempt);
    },
  }),
];
