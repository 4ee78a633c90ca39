import { OPERATOR_INPUT_METRICS, OPERATOR_METRICS, PENDING_RECORDS_METRICS, SINK_COMMITTER_METRICS, SINK_WRITER_RENAMED, SINK_WRITER_METRICS, SOURCE_READER_METRICS, WINDOW_METRICS } from '../../versions/metrics/operator-metrics.js';
import { FLINK_MINORS, type FlinkVersion } from '../../versions/flink-versions.js';
import { rowsIn, type MetricRow } from '../../versions/metrics/metric-row.js';
import type { OperatorModel } from '../model/job-model.js';
import { NO_WATERMARK } from '../state/subtask-columns.js';
import { countOf, rateOf } from './counters.js';
import type { MetricValue } from './java-text.js';
import { bytesIn, bytesOut, recordsIn, recordsOut } from './chain-counters.js';
import { kafkaMetrics, kafkaReaderMetrics, pendingRecords } from './kafka-values.js';
import { changelogMetrics } from './changelog-values.js';
import { createMetric, metricSet, type Metric, type MetricSet } from './metric.js';
import { splitMetrics } from './split-values.js';
import type { OperatorView, VertexView } from './vertex-view.js';

type Row =
  | (typeof OPERATOR_METRICS)[number]
  | (typeof OPERATOR_INPUT_METRICS)[number]
  | (typeof WINDOW_METRICS)[number]
  | (typeof SOURCE_READER_METRICS)[number]
  | (typeof PENDING_RECORDS_METRICS)[number]
  | (typeof SINK_WRITER_METRICS)[number]
  | (typeof SINK_COMMITTER_METRICS)[number];
type Counter = Extract<Row, MetricRow<string, 'count'> | MetricRow<string, 'rate'>>['quantity'];
type Gauge = Extract<Row, MetricRow<string, 'value'>>['quantity'];

const COUNTERS = { numRecordsIn: recordsIn, numRecordsOut: recordsOut, numBytesIn: bytesIn, numBytesOut: bytesOut } as const satisfies Record<Counter, unknown>;

const nothing = (): number => 0;
const sent = (view: OperatorView): number => countOf(recordsIn(view), view);

const GAUGES: Readonly<Record<Gauge, (view: OperatorView) => MetricValue | null>> = {
  currentInputWatermark: (view) => view.vertex.columns[view.operator === 0 ? 'currentInputWatermark' : 'currentOutputWatermark'][view.subtask],
  currentOutputWatermark: ({ vertex, subtask }) => vertex.columns.currentOutputWatermark[subtask],
  numLateRecordsDropped: ({ vertex, subtask }) => vertex.columns.numLateRecordsDropped[subtask],
  numRecordsInErrors: nothing,
  currentEmitEventTimeLag: ({ vertex, subtask }) => {
    const { lastRecordMs, lastEventTimeMs } = vertex.columns;
    return lastRecordMs[subtask] > 0 ? lastRecordMs[subtask] - lastEventTimeMs[subtask] : -1;
  },
  sourceIdleTime: ({ vertex, subtask }) => (vertex.columns.lastRecordMs[subtask] > 0 ? vertex.atMs - vertex.columns.lastRecordMs[subtask] : 0),
  // Computed when a watermark goes out, that is with the records: both stand still in a stall.
  watermarkLag: ({ vertex, subtask }) => (vertex.columns.currentOutputWatermark[subtask] === NO_WATERMARK ? null : vertex.columns.lastRecordMs[subtask] - vertex.columns.currentOutputWatermark[subtask]),
  watermarkAlignmentDrift: ({ vertex, subtask }) => (Number.isNaN(vertex.columns.watermarkAlignmentDriftMs[subtask]) ? null : vertex.columns.watermarkAlignmentDriftMs[subtask]),
  pendingRecords,
  numRecordsOutErrors: nothing,
  numRecordsSend: sent,
  numBytesSend: (view) => sent(view) * view.vertex.model.operators[view.operator].outputRecordBytes,
  numRecordsSendErrors: nothing,
  // A committer of a sink that is at least once has nothing to commit.
  totalCommittables: nothing,
  successfulCommittables: nothing,
  failedCommittables: nothing,
  retriedCommittables: nothing,
  alreadyCommittedCommittables: nothing,
  pendingCommittables: nothing,
};

function operatorMetric(row: Row): Metric<OperatorView> {
  const { read, quantity } = row;
  if (read === 'value') return createMetric<OperatorView>(row, GAUGES[quantity as Gauge]);
  const counter = COUNTERS[quantity as Counter];
  return createMetric<OperatorView>(row, read === 'count' ? (view) => countOf(counter(view), view) : (view) => rateOf(counter(view), view));
}

/** What an operator is, as far as its metrics tell. Sinks are told by the names that Flink gives their operators. */
type OperatorClass = 'plain' | 'source-function' | 'source-reader' | 'kafka-reader' | 'window' | 'sink-writer' | 'sink-committer';

function operatorClass({ source, kind, name }: OperatorModel): OperatorClass {
  if (source !== null) return source.legacy ? 'source-function' : source.kind === 'kafka' ? 'kafka-reader' : 'source-reader';
  if (kind === 'window') return 'window';
  if (name.endsWith(': Writer')) return 'sink-writer';
  if (name.endsWith(': Committer')) return 'sink-committer';
  return 'plain';
}

const ROWS: Readonly<Record<OperatorClass, readonly Row[]>> = {
  plain: OPERATOR_INPUT_METRICS,
  'source-function': [],
  'source-reader': SOURCE_READER_METRICS,
  'kafka-reader': [...SOURCE_READER_METRICS, ...PENDING_RECORDS_METRICS],
  window: [...OPERATOR_INPUT_METRICS, ...WINDOW_METRICS],
  'sink-writer': [...OPERATOR_INPUT_METRICS, ...SINK_WRITER_METRICS],
  'sink-committer': [...OPERATOR_INPUT_METRICS, ...SINK_COMMITTER_METRICS],
};

const SETS = new Map<string, MetricSet<OperatorView>>();

/** Metrics that an operator has by what it is. */
export function operatorMetrics(vertex: VertexView, operator: number): MetricSet<OperatorView> {
  const kind = operatorClass(vertex.model.operators[operator]);
  const shape = `${vertex.version.index}/${kind}`;
  let set = SETS.get(shape);
  if (!set) SETS.set(shape, (set = metricSet(createOperatorMetrics(vertex.version, kind))));
  return set;
}

function createOperatorMetrics(version: FlinkVersion, kind: OperatorClass): Metric<OperatorView>[] {
  const renamed: readonly string[] = kind === 'sink-writer' && FLINK_MINORS.indexOf(SINK_WRITER_RENAMED.since) <= version.index ? SINK_WRITER_RENAMED.names : [];
  const metrics = rowsIn<Row>([...OPERATOR_METRICS, ...ROWS[kind]], version).map(operatorMetric);
  return [...metrics.map((metric) => (renamed.includes(metric.name) ? { ...metric, inRest: false } : metric)), ...(kind === 'kafka-reader' ? kafkaReaderMetrics(version) : [])];
}

/** Metrics that a subtask's operator has by what it reads, partitions, splits, the consumer, and by how its state is kept; none for most. */
export function dynamicOperatorMetrics(view: OperatorView): Metric<OperatorView>[] {
  const { source } = view.vertex.model.operators[view.operator];
  const ofState = changelogMetrics(view);
  return source === null ? ofState : [...kafkaMetrics(view), ...splitMetrics(view), ...ofState];
}
