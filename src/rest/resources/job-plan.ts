import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import { planOf } from '../views/plan.js';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/plan',
    handle: (request, context) => ({ plan: planOf(getExecutionGraph(context, request.params['jobid']!), context.features) }),
  }),
];
