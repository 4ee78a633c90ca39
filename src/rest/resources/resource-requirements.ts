import { updateResourceRequirements } from '../../simulation/commands.js';
import type { JobState } from '../../simulation/state/job-state.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { InternalServerException, RestHandlerException } from '../errors.js';
import { abstractIdHash, hashMapOrder } from '../java/hash-order.js';
import { getJobWithMaster } from '../views/dispatcher.js';
import { parseRequirements, validateRequirements } from '../views/resource-requirements.js';

const SCHEDULER_NAMES: Readonly<Record<JobState['schedulerType'], string>> = { Default: 'DefaultScheduler', Adaptive: 'AdaptiveScheduler', AdaptiveBatch: 'AdaptiveBatchScheduler' };

function requireAdaptiveScheduler(job: JobState, frame: string): void {
  if (job.schedulerType === 'Adaptive') return;
  throw new InternalServerException(
    'java.lang.UnsupportedOperationException',
    `The ${SCHEDULER_NAMES[job.schedulerType]} does not support changing the parallelism without a job restart. This feature is currently only expected to work with the AdaptiveScheduler.`,
    [frame],
  );
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/resource-requirements',
    handle(request, context) {
      const job = getJobWithMaster(context, request.params['jobid']!, 'org.apache.flink.runtime.dispatcher.Dispatcher.requestJobResourceRequirements(Dispatcher.java:1153)');
      requireAdaptiveScheduler(job, 'org.apache.flink.runtime.scheduler.SchedulerNG.requestJobResourceRequirements(SchedulerNG.java:216)');
      const vertices = hashMapOrder(job.vertices, (vertex) => abstractIdHash(vertex.id));
      return Object.fromEntries(vertices.map((vertex) => [vertex.id, { parallelism: job.requirements?.[vertex.id] ?? { lowerBound: 1, upperBound: vertex.model.parallelism } }]));
    },
  }),
  defineEndpoint({
    method: 'PUT',
    url: '/jobs/:jobid/resource-requirements',
    handle(request, context) {
      const job = getJobWithMaster(context, request.params['jobid']!, 'org.apache.flink.runtime.dispatcher.Dispatcher.updateJobResourceRequirements(Dispatcher.java:1170)');
      const requirements = parseRequirements(request.body);
      if (requirements.size === 0) throw new RestHandlerException(400, 'Request body does not specify resource requirements.');
      const errors = validateRequirements(requirements, job.vertices);
      if (errors.length > 0) throw new RestHandlerException(400, errors.join('\n'));
      requireAdaptiveScheduler(job, 'org.apache.flink.runtime.scheduler.SchedulerNG.updateJobResourceRequirements(SchedulerNG.java:228)');
      updateResourceRequirements(context.state, job.id, Object.fromEntries(requirements));
      return {};
    },
  }),
];
