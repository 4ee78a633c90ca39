import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { rowList } from '../serializer/long-list.js';
import { endpointOf, UNASSIGNED } from '../views/attempt-details.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import { getAttempt, getJobVertex } from '../views/vertex-lookup.js';

/** User accumulators. Simulated operators register none, so that every list is empty, as it is for most jobs. */
export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/accumulators',
    handle(request, context) {
      getExecutionGraph(context, request.params['jobid']!);
      return { 'job-accumulators': [], 'user-task-accumulators': [], 'serialized-user-task-accumulators': {} };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/accumulators',
    handle: (request, context) => ({ id: getJobVertex(request, context).vertex.id, 'user-accumulators': [] }),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasks/accumulators',
    handle(request, context) {
      const { vertex } = getJobVertex(request, context);
      return {
        id: vertex.id,
        parallelism: vertex.parallelism,
        subtasks: rowList(vertex.subtasks.length, (subtask) => {
          const { current } = vertex.subtasks[subtask];
          return { subtask, attempt: current.attemptNumber, host: current.host ?? UNASSIGNED, endpoint: endpointOf(current), 'user-accumulators': [] };
        }),
      };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/attempts/:attempt/accumulators',
    handle(request, context) {
      const { subtask, attempt } = getAttempt(request, context);
      return { subtask: subtask.index, attempt: attempt.attemptNumber, id: attempt.attemptId, 'user-accumulators': [] };
    },
  }),
];
