import { completeOperation, startOperation } from '../../simulation/lifecycle/operations.js';
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
      const { operation, key } = startOperation(state, KIND, null, null);
      // The resource manager takes the deletion of a data set that it does not know as done.
      completeOperation(state, key, { kind: 'done' });
      return { 'request-id': operation.triggerId };
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
