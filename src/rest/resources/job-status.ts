import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { jobNotFoundHead, RestHandlerException } from '../errors.js';
import { serializeThrowable } from '../operations/serialized-throwable.js';
import { findKnownJob, jobNotFound } from '../views/dispatcher.js';
import { isGloballyTerminal } from '../views/execution-graph.js';
import { jobSpan, wholeNow } from '../views/job-times.js';
import type { JobState } from '../../simulation/state/job-state.js';

const APPLICATION_STATUS: Readonly<Record<string, string>> = { FINISHED: 'SUCCEEDED', FAILED: 'FAILED', CANCELED: 'CANCELED' };

/** Flink's JobResult of a job that has ended. */
function jobResult(job: JobState, context: EndpointContext) {
  const { startMs, endMs, durationMs } = jobSpan(job, wholeNow(context.state), context.features);
  return {
    id: job.id,
    name: job.name,
    'application-status': APPLICATION_STATUS[job.status],
    'accumulator-results': {},
    'net-runtime': durationMs,
    'failure-cause': job.status === 'FAILED' && job.failureCause !== null ? serializeThrowable(job.failureCause, context.version) : null,
    'application-id': job.applicationId,
    'start-time': startMs,
    'end-time': endMs,
  };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/status',
    handle(request, context) {
      const jobId = request.params['jobid']!;
      const job = findKnownJob(context, jobId);
      if (!job) throw jobNotFound(jobId, 'org.apache.flink.runtime.dispatcher.Dispatcher.requestJobStatus(Dispatcher.java:897)');
      return { status: job.status };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/execution-result',
    handle(request, context) {
      const jobId = request.params['jobid']!;
      const job = findKnownJob(context, jobId);
      if (!job) throw new RestHandlerException(404, jobNotFoundHead(jobId), undefined, [`java.util.concurrent.CompletionException: ${jobNotFoundHead(jobId)}`, jobNotFoundHead(jobId)]);
      if (!isGloballyTerminal(job.status)) return { status: { id: 'IN_PROGRESS' } };
      return { status: { id: 'COMPLETED' }, 'job-execution-result': jobResult(job, context) };
    },
  }),
];
