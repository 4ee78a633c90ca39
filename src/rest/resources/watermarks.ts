import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { metricStoreOf } from '../metrics/metric-store.js';
import { getJobVertex } from '../views/vertex-lookup.js';

const WATERMARK = 'currentInputWatermark';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/watermarks',
    handle(request, context) {
      const { graph, vertex } = getJobVertex(request, context);
      const store = metricStoreOf(context);
      return vertex.subtasks.flatMap(({ index }) => {
        const value = store.subtask(graph.jobId, vertex.id, index)?.get(WATERMARK);
        return value === undefined ? [] : [{ id: `${index}.${WATERMARK}`, value }];
      });
    },
  }),
];
