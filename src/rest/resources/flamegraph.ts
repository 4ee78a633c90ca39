import { booleanOption } from '../../simulation/options.js';
import { requestFlameGraph, type FlameGraphType } from '../../simulation/threads/index.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { getJobVertex } from '../views/vertex-lookup.js';

const DISABLED = { endTimestamp: -2 };
const TERMINATED = { endTimestamp: -1 };

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/flamegraph',
    handle(request, context) {
      const { state } = context;
      // switched off, the handler does not even look for the job
      if (!booleanOption(state.options, 'rest.flamegraph.enabled', false)) return DISABLED;
      const { graph, vertex } = getJobVertex(request, context);
      const subtaskText = request.query['subtaskindex']?.[0];
      const subtask = subtaskText === undefined ? null : Number(subtaskText);
      if (subtask !== null && vertex.subtasks[subtask] === undefined) throw new RestHandlerException(404, `Invalid subtask index for vertex ${vertex.id}`);
      const type = (request.query['type']?.[0]?.toUpperCase() ?? 'FULL') as FlameGraphType;
      return requestFlameGraph(state, graph.jobId, vertex.id, subtask, type) ?? TERMINATED;
    },
  }),
];
