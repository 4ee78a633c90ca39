import { stopWithSavepoint, triggerSavepoint } from '../../simulation/commands.js';
import { SAVEPOINT_DIRECTORY_KEY, setOption } from '../../versions/flink-options.js';
import { valueIn } from '../../versions/flink-versions.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { unknownDispatcherOperation, unknownJobOperation } from '../operations/operation-keys.js';
import { findOperation, operationStatus } from '../operations/operation-status.js';

/** Savepoints and stops are kept in one cache: their status is asked for at the same place. */
const KINDS = ['savepoint', 'stop-with-savepoint'] as const;

/** The directory asked for, else the cluster's default one. */
function targetDirectory(request: EndpointRequest, { state, version }: EndpointContext, field: string): string {
  const directory = request.body[field] ?? setOption(state.options, 'execution.checkpointing.savepoint-dir');
  if (typeof directory === 'string') return directory;
  throw new RestHandlerException(400, `Config key [${valueIn(SAVEPOINT_DIRECTORY_KEY, version)}] is not set. Property [${field}] must be provided.`);
}

function savepointFormat(request: EndpointRequest): 'CANONICAL' | 'NATIVE' {
  return request.body['formatType'] === 'NATIVE' ? 'NATIVE' : 'CANONICAL';
}

/** Starts an operation, unless the client's trigger id is already known for the job. */
function trigger(request: EndpointRequest, context: EndpointContext, start: (jobId: string, triggerId: string | null) => string) {
  const jobId = request.params['jobid']!;
  const triggerId = typeof request.body['triggerId'] === 'string' ? request.body['triggerId'].toLowerCase() : null;
  if (triggerId !== null && findOperation(context.state, KINDS, triggerId, jobId)) return { 'request-id': triggerId };
  return { 'request-id': start(jobId, triggerId) };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    url: '/jobs/:jobid/savepoints',
    handle: (request, context) => {
      const directory = targetDirectory(request, context, 'target-directory');
      const cancelJob = request.body['cancel-job'] === true;
      return trigger(request, context, (jobId, triggerId) =>
        triggerSavepoint(context.state, { jobId, triggerId, targetDirectory: directory, cancelJob, format: savepointFormat(request) }),
      );
    },
  }),
  defineEndpoint({
    method: 'POST',
    url: '/jobs/:jobid/stop',
    handle: (request, context) => {
      const directory = targetDirectory(request, context, 'targetDirectory');
      const drain = request.body['drain'] === true;
      return trigger(request, context, (jobId, triggerId) =>
        stopWithSavepoint(context.state, { jobId, triggerId, targetDirectory: directory, drain, format: savepointFormat(request) }),
      );
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/savepoints/:triggerid',
    handle: (request, { state, version, features }) => {
      const { jobid: jobId, triggerid: triggerId } = request.params as { jobid: string; triggerid: string };
      const operation = findOperation(state, KINDS, triggerId, jobId);
      if (operation) return operationStatus(operation, version);
      throw features.savepointsInDispatcher ? unknownDispatcherOperation('savepoint', triggerId, jobId) : unknownJobOperation(triggerId, jobId);
    },
  }),
];
