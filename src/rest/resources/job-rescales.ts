import { durationOption, findOption, numberOption } from '../../simulation/options.js';
import type { RescaleState } from '../../simulation/state/rescale-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import { rescaleDetails, rescaleDuration, terminalState, type TerminalState } from '../views/rescale-details.js';
import { statsSummary } from '../views/statistics.js';

const HISTORY_SIZE = 'web.adaptive-scheduler.rescale-history.size';

/** Rescales of a job, oldest first; null where no history is kept: for another scheduler or unless asked for. */
function keptRescales(request: EndpointRequest, context: EndpointContext): { jobId: string; rescales: readonly RescaleState[] | null } {
  const { jobId, model, rescales } = getExecutionGraph(context, request.params['jobid']!);
  const size = numberOption({ ...context.state.options, ...model.options }, HISTORY_SIZE, 0);
  return { jobId, rescales: rescales && size > 0 ? rescales.slice(-size) : null };
}

function requireRescales(request: EndpointRequest, context: EndpointContext): readonly RescaleState[] {
  const { jobId, rescales } = keptRescales(request, context);
  if (rescales) return rescales;
  throw new RestHandlerException(
    404,
    `The job \`${jobId}\` has not enabled the \`Adaptive\` scheduler, or it has been enabled but the value of configuration option \`${HISTORY_SIZE}\` has not been set to greater than \`0\`.`,
    'org.apache.flink.runtime.rest.handler.job.rescales.RescalesUnavailableException',
  );
}

function inState(rescales: readonly RescaleState[], state: TerminalState | null): RescaleState[] {
  return rescales.filter(({ terminatedReason }) => terminalState(terminatedReason) === state);
}

function rescaleCounts(rescales: readonly RescaleState[]) {
  const count = (state: TerminalState | null) => inState(rescales, state).length;
  return { ignored: count('IGNORED'), inProgress: count(null), completed: count('COMPLETED'), failed: count('FAILED') };
}

function durations(rescales: readonly RescaleState[]) {
  return statsSummary(rescales.filter(({ endMs }) => endMs >= 0).map(rescaleDuration), true);
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/rescales/history',
    handle: (request, context) => [...requireRescales(request, context)].reverse().map((rescale) => rescaleDetails(rescale, context.state, false)),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/rescales/overview',
    handle(request, context) {
      const rescales = requireRescales(request, context);
      const latest = (state: TerminalState) => {
        const found = inState(rescales, state).at(-1);
        return found ? rescaleDetails(found, context.state, false) : null;
      };
      return { rescalesCounts: rescaleCounts(rescales), latest: { completed: latest('COMPLETED'), failed: latest('FAILED'), ignored: latest('IGNORED') } };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/rescales/summary',
    handle(request, context) {
      const rescales = requireRescales(request, context);
      return {
        rescalesCounts: rescaleCounts(rescales),
        rescalesDurationStatsInMillis: durations(rescales),
        completedRescalesDurationStatsInMillis: durations(inState(rescales, 'COMPLETED')),
        ignoredRescalesDurationStatsInMillis: durations(inState(rescales, 'IGNORED')),
        failedRescalesDurationStatsInMillis: durations(inState(rescales, 'FAILED')),
      };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/rescales/details/:rescaleuuid',
    handle(request, context) {
      const { jobId, rescales } = keptRescales(request, context);
      if (!rescales) throw new RestHandlerException(404, `AdaptiveScheduler rescales was not enabled for job ${jobId}.`);
      const uuid = request.params['rescaleuuid']!;
      const rescale = rescales.find(({ rescaleUuid }) => rescaleUuid === uuid);
      if (!rescale) throw new RestHandlerException(404, `Could not find rescale details of specified rescaleUuid ${uuid}.`);
      return rescaleDetails(rescale, context.state, true);
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
