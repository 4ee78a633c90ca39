import type { JobState } from '../../simulation/state/job-state.js';
import type { EndpointContext } from '../endpoint.js';
import { InternalServerException } from '../errors.js';
import { isGloballyTerminal } from './execution-graph.js';

/** What handlers that do not look for it get to see of an unknown job: 500. */
export function jobNotFound(jobId: string, frame: string): InternalServerException {
  return new InternalServerException('org.apache.flink.runtime.messages.FlinkJobNotFoundException', `Could not find Flink job (${jobId})`, [frame]);
}

/** A job that the dispatcher knows, ended ones included. */
export function findKnownJob(context: EndpointContext, jobId: string): JobState | undefined {
  return context.state.jobs.get(jobId);
}

/** A job that has a JobMaster to ask, which is none that has ended; else 500. */
export function getJobWithMaster(context: EndpointContext, jobId: string, frame: string): JobState {
  const job = context.state.jobs.get(jobId);
  if (!job || isGloballyTerminal(job.status)) throw jobNotFound(jobId, frame);
  return job;
}
