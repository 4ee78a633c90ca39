import { durationOption, findOption, numberOption } from '../../simulation/options.js';
import { defineEndpoint, type Endpoint, type EndpointHandler } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';

const HISTORY_SIZE = 'web.adaptive-scheduler.rescale-history.size';

/** The history of rescales is kept for the adaptive scheduler only, and only when asked for: no simulated job has one. */
const unavailable: EndpointHandler = (request, context) => {
  const { jobId } = getExecutionGraph(context, request.params['jobid']!);
  throw new RestHandlerException(
    404,
    `The job \`${jobId}\` has not enabled the \`Adaptive\` scheduler, or it has been enabled but the value of configuration option \`${HISTORY_SIZE}\` has not been set to greater than \`0\`.`,
    'org.apache.flink.runtime.rest.handler.job.rescales.RescalesUnavailableException',
  );
};

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/rescales/history', handle: unavailable }),
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/rescales/overview', handle: unavailable }),
  defineEndpoint({ method: 'GET', url: '/jobs/:jobid/rescales/summary', handle: unavailable }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/rescales/details/:rescaleuuid',
    handle(request, context) {
      const { jobId } = getExecutionGraph(context, request.params['jobid']!);
      throw new RestHandlerException(404, `AdaptiveScheduler rescales was not enabled for job ${jobId}.`);
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/rescales/config',
    handle(request, context) {
      const graph = getExecutionGraph(context, request.params['jobid']!);
      if (graph.schedulerType !== 'Adaptive') throw new RestHandlerException(404, `AdaptiveScheduler is not enabled for this job (${graph.jobId}).`);
      const options = { ...context.state.options, ...graph.model.options };
      const adaptive = (key: string) => `jobmanager.adaptive-scheduler.${key}`;
      const failedCheckpoints = numberOption(options, adaptive('rescale-trigger.max-checkpoint-failures'), 2);
      const checkpointIntervalMs = graph.model.checkpointing?.intervalMs ?? 0;
      return {
        rescaleHistoryMax: numberOption(options, HISTORY_SIZE, 0),
        schedulerExecutionMode: findOption(options, 'scheduler-mode') ?? null,
        submissionResourceWaitTimeoutInMillis: durationOption(options, [adaptive('submission.resource-wait-timeout'), adaptive('resource-wait-timeout')], 300_000),
        submissionResourceStabilizationTimeoutInMillis: durationOption(options, [adaptive('submission.resource-stabilization-timeout'), adaptive('resource-stabilization-timeout')], 10_000),
        slotIdleTimeoutInMillis: durationOption(options, 'slot.idle.timeout', 50_000),
        executingCooldownTimeoutInMillis: durationOption(options, [adaptive('executing.cooldown-after-rescaling'), adaptive('scaling-interval.min')], 30_000),
        executingResourceStabilizationTimeoutInMillis: durationOption(options, adaptive('executing.resource-stabilization-timeout'), 60_000),
        maximumDelayForTriggeringRescaleInMillis: durationOption(options, adaptive('rescale-trigger.max-delay'), failedCheckpoints * checkpointIntervalMs),
        rescaleOnFailedCheckpointCount: failedCheckpoints,
      };
    },
  }),
];
