import { rowsIn, type MetricRow } from '../../versions/metrics/metric-row.js';
import { SPLIT_METRICS } from '../../versions/metrics/operator-metrics.js';
import type { MetricValue } from './java-text.js';
import { sanitize } from './metric-names.js';
import { createMetric, metricGroup, type Metric } from './metric.js';
import type { OperatorView } from './vertex-view.js';

type Gauge = Extract<(typeof SPLIT_METRICS)[number], MetricRow>['quantity'];

const runningMs = ({ vertex, subtask }: OperatorView): number => {
  const { idleMs, busyMs, softBackPressuredMs, hardBackPressuredMs } = vertex.columns;
  return Math.floor(idleMs[subtask] + busyMs[subtask] + softBackPressuredMs[subtask] + hardBackPressuredMs[subtask]);
};

/** Splits are never idle or paused here: a source has no idleness time-out and no watermark alignment. */
const GAUGES: Readonly<Record<Gauge, (view: OperatorView) => MetricValue>> = {
  currentWatermark: ({ vertex, subtask }) => vertex.columns.currentOutputWatermark[subtask],
  activeTimeMsPerSecond: (view) => (runningMs(view) > 0 ? 1000 : 0),
  idleTimeMsPerSecond: () => 0,
  pausedTimeMsPerSecond: () => 0,
  accumulatedActiveTimeMs: runningMs,
  accumulatedIdleTimeMs: () => 0,
  accumulatedPausedTimeMs: () => 0,
};

/** Watermark metrics of the splits that a FLIP-27 source's subtask has. */
export function splitMetrics(view: OperatorView): Metric<OperatorView>[] {
  const { vertex } = view;
  const rows = rowsIn(SPLIT_METRICS, vertex.version);
  if (rows.length === 0 || vertex.model.operators[view.operator].source?.legacy !== false) return [];
  return splitIds(view).flatMap((split) => {
    const group = metricGroup(['split', split], 'watermark');
    return rows.map((row) => createMetric<OperatorView>(row, GAUGES[row.quantity], group));
  });
}

/** Kafka's splits are its partitions; the generator cuts its numbers into one split a subtask, numbered from 1. */
function splitIds({ vertex, subtask }: OperatorView): string[] {
  const { kafka } = vertex;
  if (kafka === null) return [String(subtask + 1)];
  return kafka.reading(subtask).partitions.map(({ topic, partition }) => sanitize(`${topic}-${partition}`));
}
