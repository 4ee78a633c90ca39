import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { metricStoreOf } from '../metrics/metric-store.js';
import { rowGroups } from '../serializer/long-list.js';
import { getJobVertex } from '../views/vertex-lookup.js';

const WATERMARK = 'currentInputWatermark';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/watermarks',
    handle(request, context) {
      const { graph, vertex } = getJobVertex(request, context);
      const task = metricStoreOf(context).task(graph.jobId, vertex.id);
      return rowGroups(vertex.subtasks.length, (index) => {
        const value = task?.subtask(index)?.get(WATERMARK);
        return value === undefined ? [] : [{ id: `${index}.${WATERMARK}`, value }];
      });
    },
  }),
];
