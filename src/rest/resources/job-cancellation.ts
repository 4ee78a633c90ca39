import { cancelJob } from '../../simulation/commands.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { jobNotFoundHead, RestHandlerException } from '../errors.js';

type TerminationMode = 'cancel' | 'stop';

/** Ends a job as the mode says, which an absent query parameter leaves to the route. */
function terminate(request: EndpointRequest, context: EndpointContext, defaultMode: TerminationMode): Record<string, never> {
  const mode = (request.query['mode']?.[0]?.toLowerCase() ?? defaultMode) as TerminationMode;
  if (mode === 'stop') {
    throw new RestHandlerException(
      308,
      'The termination mode "stop" has been removed. For an ungraceful shutdown, please use "cancel" instead. For a graceful shutdown, please use "jobs/:jobId/stop" instead.',
    );
  }
  const { state, features } = context;
  const jobId = request.params['jobid']!;
  const outcome = cancelJob(state, jobId);
  if (outcome === 'not-found' || (outcome === 'already-terminal' && !features.cancelKnowsEndedJobs)) {
    throw new RestHandlerException(404, 'Job could not be found.', undefined, [jobNotFoundHead(jobId)]);
  }
  const status = state.jobs.get(jobId)!.status;
  if (outcome === 'already-terminal' && status !== 'CANCELED') {
    throw new RestHandlerException(409, `Job cancellation failed because the job has already reached another terminal state (${status}).`);
  }
  return {};
}

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'PATCH', url: '/jobs/:jobid', handle: (request, context) => terminate(request, context, 'cancel') }),
  // proxies of YARN let only GET pass; the dashboard's buttons use these
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/yarn-cancel', handle: (request, context) => terminate(request, context, 'cancel') }),
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/yarn-stop', handle: (request, context) => terminate(request, context, 'stop') }),
];
