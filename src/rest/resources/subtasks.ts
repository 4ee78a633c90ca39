import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { attemptDetails } from '../views/attempt-details.js';
import { getAttempt, getSubtask } from '../views/vertex-lookup.js';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex',
    handle(request, context) {
      const { graph, vertex, subtask } = getSubtask(request, context);
      return attemptDetails(context, graph, vertex, subtask, subtask.current);
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/attempts/:attempt',
    handle(request, context) {
      const { graph, vertex, subtask, attempt } = getAttempt(request, context);
      return attemptDetails(context, graph, vertex, subtask, attempt);
    },
  }),
];
