import { rowsIn, type MetricRow } from '../../versions/metrics/metric-row.js';
import { SPLIT_METRICS } from '../../versions/metrics/operator-metrics.js';
import type { MetricValue } from './java-text.js';
import { sanitize } from './metric-names.js';
import { createMetric, metricGroup, type Metric } from './metric.js';
import type { SplitReading } from './split-readings.js';
import type { OperatorView } from './vertex-view.js';

type Gauge = Extract<(typeof SPLIT_METRICS)[number], MetricRow>['quantity'];

const runningMs = ({ vertex, subtask }: OperatorView): number => {
  const { idleMs, busyMs, softBackPressuredMs, hardBackPressuredMs } = vertex.columns;
  return Math.floor(idleMs[subtask] + busyMs[subtask] + softBackPressuredMs[subtask] + hardBackPressuredMs[subtask]);
};

/** A split of a source without watermarks is always active. */
const GAUGES: Readonly<Record<Gauge, (view: OperatorView, split: SplitReading | undefined) => MetricValue>> = {
  currentWatermark: ({ vertex, subtask }, split) => split?.watermark ?? vertex.columns.currentOutputWatermark[subtask],
  activeTimeMsPerSecond: (view, split) => (runningMs(view) > 0 ? 1000 - (split?.idleMsPerSecond ?? 0) - (split?.pausedMsPerSecond ?? 0) : 0),
  idleTimeMsPerSecond: (_view, split) => split?.idleMsPerSecond ?? 0,
  pausedTimeMsPerSecond: (_view, split) => split?.pausedMsPerSecond ?? 0,
  accumulatedActiveTimeMs: (view, split) => Math.max(0, runningMs(view) - Math.floor((split?.idleMs ?? 0) + (split?.pausedMs ?? 0))),
  accumulatedIdleTimeMs: (_view, split) => Math.floor(split?.idleMs ?? 0),
  accumulatedPausedTimeMs: (_view, split) => Math.floor(split?.pausedMs ?? 0),
};

/** Watermark metrics of the splits that a FLIP-27 source's subtask has. */
export function splitMetrics(view: OperatorView): Metric<OperatorView>[] {
  const { vertex } = view;
  const rows = rowsIn(SPLIT_METRICS, vertex.version);
  if (rows.length === 0 || vertex.model.operators[view.operator].source?.legacy !== false) return [];
  const readings = vertex.splits?.(view.subtask) ?? [];
  return splitIds(view).flatMap(({ id, split }) => {
    const group = metricGroup(['split', id], 'watermark');
    const reading = readings.find((one) => one.split === split);
    return rows.map((row) => createMetric<OperatorView>(row, (of) => GAUGES[row.quantity](of, reading), group));
  });
}

/** Kafka's splits are its partitions; the generator cuts its numbers into one split a subtask, numbered from 1. */
function splitIds({ vertex, subtask }: OperatorView): { readonly id: string; readonly split: number }[] {
  const { kafka } = vertex;
  if (kafka === null) return [{ id: String(subtask + 1), split: subtask }];
  return kafka.reading(subtask).partitions.map(({ topic, partition }) => ({ id: sanitize(`${topic}-${partition}`), split: partition }));
}
