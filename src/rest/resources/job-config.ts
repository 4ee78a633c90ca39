import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import { restartStrategyText } from '../views/restart-strategy.js';

/** ExecutionConfig.PARALLELISM_DEFAULT */
const PARALLELISM_NOT_SET = -1;

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/config',
    handle(request, context) {
      const graph = getExecutionGraph(context, request.params['jobid']!);
      const { model } = graph;
      return {
        jid: graph.jobId,
        name: graph.name,
        'execution-config': {
          'execution-mode': 'PIPELINED',
          'restart-strategy': restartStrategyText(graph, context.state.options, context.features),
          'job-parallelism': graph.isSparse ? PARALLELISM_NOT_SET : model.parallelism,
          'object-reuse-mode': graph.isSparse ? false : model.objectReuse,
          'user-config': graph.isSparse ? {} : model.userConfig,
        },
      };
    },
  }),
];
