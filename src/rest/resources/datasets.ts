import { hex } from '../../simulation/random.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { unknownOperation } from '../operations/operation-keys.js';
import { findOperation, operationStatus } from '../operations/operation-status.js';

const KIND = 'dataset-deletion';

export const endpoints: Endpoint[] = [
  // Cluster data sets are what a job caches for a later one (Table API); no simulated job does.
  defineEndpoint({ method: 'GET', url: '/datasets', handle: () => ({ dataSets: [] }) }),
  defineEndpoint({
    method: 'DELETE',
    url: '/datasets/:datasetid',
    handle: (_request, { state }) => {
      const triggerId = hex(32, state.model.seed, KIND, state.idSequence++);
      // The resource manager takes the deletion of a data set that it does not know as done.
      state.operations.set(`${KIND}/${triggerId}`, { kind: KIND, triggerId, jobId: null, startedMs: state.nowMs, status: 'COMPLETED', completedMs: state.nowMs, result: { kind: 'done' } });
      return { 'request-id': triggerId };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/datasets/delete/:triggerid',
    handle: (request, { state, version }) => {
      const triggerId = request.params['triggerid']!;
      const operation = findOperation(state, [KIND], triggerId, null);
      if (!operation) throw unknownOperation(triggerId);
      return operationStatus(operation, version);
    },
  }),
];
