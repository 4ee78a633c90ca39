import { defineEndpoint, type Endpoint, type EndpointHandler } from '../endpoint.js';
import { InternalServerException } from '../errors.js';
import { getJobWithMaster } from '../views/dispatcher.js';

const DELIVER_FRAME = 'org.apache.flink.runtime.dispatcher.Dispatcher.deliverCoordinationRequestToCoordinator(Dispatcher.java:1140)';
const SCHEDULER_FRAME = 'org.apache.flink.runtime.scheduler.DefaultOperatorCoordinatorHandler.deliverCoordinationRequestToCoordinator(DefaultOperatorCoordinatorHandler.java:141)';

/** No simulated operator has a coordinator that answers clients (collect sinks and the like have). */
const deliverCoordinationRequest: EndpointHandler = (request, context) => {
  const job = getJobWithMaster(context, request.params['jobid']!, DELIVER_FRAME);
  const operatorId = request.params['operatorid'] ?? request.params['operatorUid']!;
  const isSource = job.model.vertices.some((vertex) => vertex.operators.some((operator) => operator.id === operatorId && operator.kind === 'source' && operator.source?.legacy === false));
  const message = isSource
    ? `Coordinator of operator ${operatorId} cannot handle client event`
    : `Coordinator of operator ${operatorId} does not exist or the job vertex this operator belongs to is not initialized.`;
  throw new InternalServerException('org.apache.flink.util.FlinkException', message, [SCHEDULER_FRAME]);
};

export const endpoints: Endpoint[] = [
  // accepted for any id: clients that are late must not fail
  defineEndpoint({ method: 'PATCH', url: '/jobs/:jobid/clientHeartbeat', handle: () => ({}) }),
  defineEndpoint({ method: 'POST', url: '/jobs/:jobid/coordinators/:operatorid', handle: deliverCoordinationRequest }),
  defineEndpoint({ method: 'POST', url: '/jobs/:jobid/coordinators/:operatorUid', handle: deliverCoordinationRequest }),
];
