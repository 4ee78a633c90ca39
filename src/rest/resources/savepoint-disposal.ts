import { disposeSavepoint } from '../../simulation/commands.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { unknownOperation } from '../operations/operation-keys.js';
import { findOperation, operationStatus } from '../operations/operation-status.js';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    url: '/savepoint-disposal',
    handle: (request, { state }) => {
      const path = request.body['savepoint-path'];
      if (typeof path !== 'string') throw new RestHandlerException(400, 'Field savepoint-path must not be omitted or be null.');
      return { 'request-id': disposeSavepoint(state, { path, triggerId: null }) };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/savepoint-disposal/:triggerid',
    handle: (request, { state, version }) => {
      const triggerId = request.params['triggerid']!;
      const operation = findOperation(state, ['savepoint-disposal'], triggerId, null);
      if (!operation) throw unknownOperation(triggerId);
      return operationStatus(operation, version);
    },
  }),
];
