import { backPressureLevel, requestBackPressure } from '../../simulation/backpressure/index.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { InternalServerException } from '../errors.js';
import { metricStoreOf } from '../metrics/metric-store.js';
import type { TaskMetricStore } from '../metrics/task-metric-store.js';
import { rowList } from '../serializer/long-list.js';
import { getJobWithMaster } from '../views/dispatcher.js';

const REQUEST_FRAME = 'org.apache.flink.runtime.dispatcher.Dispatcher.requestOperatorBackPressureStats(Dispatcher.java:523)';
const SCHEDULER_FRAME = 'org.apache.flink.runtime.jobmaster.JobMaster.requestOperatorBackPressureStats(JobMaster.java:656)';

/** Nothing is known (yet). Flink has no better word for it. */
const DEPRECATED = { status: 'deprecated' };

interface SubtaskRatios {
  readonly ratio: number;
  readonly idleRatio: number;
  readonly busyRatio: number;
}

function backPressureInfo(endTimestampMs: number, ratios: readonly SubtaskRatios[]) {
  const level = backPressureLevel(ratios.reduce((most, { ratio }) => Math.max(most, ratio), -Infinity));
  return {
    status: 'ok',
    backpressureLevel: level,
    'backpressure-level': level,
    'end-timestamp': Math.floor(endTimestampMs),
    subtasks: rowList(ratios.length, (subtask) => {
      const subtaskRatios = ratios[subtask];
      const subtaskLevel = backPressureLevel(subtaskRatios.ratio);
      return { subtask, backpressureLevel: subtaskLevel, 'backpressure-level': subtaskLevel, ...subtaskRatios };
    }),
  };
}

/** Until 1.12: what the last sample found; asking may start the next. */
function sampledBackPressure(jobId: string, vertexId: string, context: EndpointContext) {
  const job = getJobWithMaster(context, jobId, REQUEST_FRAME);
  if (!job.vertices.some((vertex) => vertex.id === vertexId)) throw new InternalServerException('org.apache.flink.util.FlinkException', `JobVertexID not found ${vertexId}`, [SCHEDULER_FRAME]);
  const stats = requestBackPressure(context.state, jobId, vertexId);
  return stats ? backPressureInfo(stats.endTimestampMs, stats.ratios.map((ratio) => ({ ratio, idleRatio: 0, busyRatio: 0 }))) : DEPRECATED;
}

/** A time gauge as a share of a second, by subtask; what was not reported counts 0, what cannot be measured is NaN. */
function timeRatios(task: TaskMetricStore, name: string): Float64Array {
  return task.column(name).values.map((timeMs) => timeMs / 1000);
}

/** From 1.13 on: the time gauges as the metric fetcher last saw them. */
function measuredBackPressure(jobId: string, vertexId: string, context: EndpointContext) {
  const store = metricStoreOf(context);
  const task = store.task(jobId, vertexId);
  const subtasks = task?.known() ?? [];
  if (!task || subtasks.length === 0) return DEPRECATED;
  const [ratio, idleRatio, busyRatio] = ['backPressuredTimeMsPerSecond', 'idleTimeMsPerSecond', 'busyTimeMsPerSecond'].map((name) => timeRatios(task, name));
  return backPressureInfo(
    store.lastUpdateMs,
    subtasks.map((subtask) => ({ ratio: ratio[subtask], idleRatio: idleRatio[subtask], busyRatio: busyRatio[subtask] })),
  );
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/vertices/:vertexid/backpressure',
    handle(request, context) {
      const { jobid, vertexid } = request.params;
      return context.features.backPressureIsSampled ? sampledBackPressure(jobid!, vertexid!, context) : measuredBackPressure(jobid!, vertexid!, context);
    },
  }),
];
