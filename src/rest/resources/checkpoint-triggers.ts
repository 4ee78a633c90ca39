import { triggerCheckpoint } from '../../simulation/commands.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { InternalServerException } from '../errors.js';
import { unknownDispatcherOperation } from '../operations/operation-keys.js';
import { findOperation, operationStatus } from '../operations/operation-status.js';

type CheckpointType = 'CONFIGURED' | 'FULL' | 'INCREMENTAL';

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    url: '/jobs/:jobid/checkpoints',
    handle: (request, { state, features }) => {
      const jobId = request.params['jobid']!;
      const type = (request.body['checkpointType'] ?? 'CONFIGURED') as CheckpointType;
      if (type === 'INCREMENTAL' && features.refusesIncrementalCheckpoint) {
        throw new InternalServerException('java.lang.IllegalStateException', 'Flink does not support triggering incremental checkpoint explicitly. See FLINK-33723.');
      }
      const triggerId = typeof request.body['triggerId'] === 'string' ? request.body['triggerId'].toLowerCase() : null;
      if (triggerId !== null && findOperation(state, ['checkpoint'], triggerId, jobId)) return { 'request-id': triggerId };
      return { 'request-id': triggerCheckpoint(state, { jobId, triggerId, type }) };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/checkpoints/:triggerid',
    handle: (request, { state, version }) => {
      const { jobid: jobId, triggerid: triggerId } = request.params as { jobid: string; triggerid: string };
      const operation = findOperation(state, ['checkpoint'], triggerId, jobId);
      if (!operation) throw unknownDispatcherOperation('checkpoint', triggerId, jobId);
      return operationStatus(operation, version, 'failureCause');
    },
  }),
];
