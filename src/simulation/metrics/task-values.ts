import { since, valueIn, type FlinkVersion } from '../../versions/flink-versions.js';
import { rowsIn, type MetricRow } from '../../versions/metrics/metric-row.js';
import { DEBLOATING_GATE_METRICS, DEBLOATING_TASK_METRICS, TASK_INPUT_METRICS, TASK_METRICS } from '../../versions/metrics/task-metrics.js';
import { countOf, rateOf, type CounterSource } from './counters.js';
import type { Histogram } from './histogram.js';
import type { MetricValue } from './java-text.js';
import { mailboxLatency, mailboxMailsPerSecond } from './mailbox.js';
import { createMetric, metricGroup, metricSet, type Metric, type MetricSet } from './metric.js';
import { timerGauge } from './meter-view.js';
import { uniform } from '../random.js';
import { sourceOf, type TaskView, type VertexView } from './vertex-view.js';

type Row = (typeof TASK_METRICS)[number] | (typeof TASK_INPUT_METRICS)[number] | (typeof DEBLOATING_TASK_METRICS)[number] | (typeof DEBLOATING_GATE_METRICS)[number];
type Counter = Extract<Row, MetricRow<string, 'count'> | MetricRow<string, 'rate'> | MetricRow<string, 'count' | 'rate'>>['quantity'];
type Gauge = Extract<Row, MetricRow<string, 'value'>>['quantity'];

const COUNTERS: Readonly<Record<Counter, CounterSource>> = {
  numRecordsIn: { columns: ['numRecordsIn'], scale: 1 },
  numRecordsOut: { columns: ['numRecordsOut'], scale: 1 },
  numBytesIn: { columns: ['numBytesInLocal', 'numBytesInRemote'], scale: 1 },
  numBytesInLocal: { columns: ['numBytesInLocal'], scale: 1 },
  numBytesInRemote: { columns: ['numBytesInRemote'], scale: 1 },
  numBytesOut: { columns: ['numBytesOut'], scale: 1 },
  numBuffersInLocal: { columns: ['numBuffersInLocal'], scale: 1 },
  numBuffersInRemote: { columns: ['numBuffersInRemote'], scale: 1 },
  numBuffersOut: { columns: ['numBuffersOut'], scale: 1 },
  numFiredTimers: { columns: ['numFiredTimers'], scale: 1 },
  idleTime: { columns: ['idleMs'], scale: 1 },
};

/** A FLIP-27 source's task counts what its reader reads (before, 0). */
const SOURCE_TASK_COUNTS_INPUT = since('2.0');

function counterOf(quantity: Counter, { vertex }: TaskView): CounterSource {
  const source = sourceOf(vertex.model);
  if (quantity === 'numRecordsIn' && source?.kind === 'kafka' && !source.legacy && valueIn(SOURCE_TASK_COUNTS_INPUT, vertex.version)) return { columns: ['sourceRecordsIn'], scale: 1 };
  return COUNTERS[quantity];
}

const ofColumn =
  (column: 'inputQueueLength' | 'outPoolUsage' | 'outputQueueLength' | 'maxSoftBackPressureMs' | 'maxHardBackPressureMs' | 'checkpointAlignmentTimeNs' | 'currentInputWatermark' | 'estimatedTimeToConsumeBuffersMs' | 'debloatedBufferSizeBytes' | 'inputQueueSizeBytes' | 'outputQueueSizeBytes' | 'idleMs') =>
  ({ vertex, subtask }: TaskView): number =>
    vertex.columns[column][subtask];

const softBackPressured = ({ vertex, subtask }: TaskView): number => timerGauge(vertex.windows, 'softBackPressuredMs', subtask);
const hardBackPressured = ({ vertex, subtask }: TaskView): number => timerGauge(vertex.windows, 'hardBackPressuredMs', subtask);
const backPressured = (task: TaskView): number => softBackPressured(task) + hardBackPressured(task);
const idle = ({ vertex, subtask }: TaskView): number => timerGauge(vertex.windows, 'idleMs', subtask);

/** Legacy sources run in a thread of their own, whose work nobody measures. */
export function measuresBusyTime(vertex: VertexView): boolean {
  return sourceOf(vertex.model)?.legacy !== true;
}

const gateCapacity = ({ vertex, subtask }: TaskView, kind: 'exclusive' | 'floating'): number => vertex.columns[kind === 'exclusive' ? 'exclusiveBuffers' : 'floatingBuffers'][subtask];

/** Buffers in use: the state holds what they are on average over a tick, a look finds whole ones. */
function gateBuffers(task: TaskView, kind: 'exclusive' | 'floating'): number {
  const { vertex, subtask } = task;
  const capacity = gateCapacity(task, kind);
  const mean = vertex.columns[kind === 'exclusive' ? 'inputExclusiveBuffersUsage' : 'inputFloatingBuffersUsage'][subtask] * capacity;
  const luck = uniform(vertex.seed, vertex.jobId, vertex.vertexId, subtask, vertex.atMs, 'gate buffers', kind);
  return Math.min(capacity, Math.floor(mean + luck));
}

const usage = (used: number, capacity: number): number => (capacity > 0 ? used / capacity : 0);

const GAUGES: Readonly<Record<Gauge, (task: TaskView) => MetricValue>> = {
  inPoolUsage: (task) => usage(gateBuffers(task, 'exclusive') + gateBuffers(task, 'floating'), gateCapacity(task, 'exclusive') + gateCapacity(task, 'floating')),
  inputExclusiveBuffersUsage: (task) => usage(gateBuffers(task, 'exclusive'), gateCapacity(task, 'exclusive')),
  inputFloatingBuffersUsage: (task) => usage(gateBuffers(task, 'floating'), gateCapacity(task, 'floating')),
  inputQueueLength: ofColumn('inputQueueLength'),
  inputQueueSize: ofColumn('inputQueueSizeBytes'),
  outPoolUsage: ofColumn('outPoolUsage'),
  outputQueueLength: ofColumn('outputQueueLength'),
  outputQueueSize: ofColumn('outputQueueSizeBytes'),
  isBackPressured: ({ vertex, subtask }) => vertex.columns.softBackPressuredShare[subtask] + vertex.columns.hardBackPressuredShare[subtask] >= 0.5,
  // Measured in milliseconds, whatever the name says.
  checkpointStartDelayNanos: ({ vertex, subtask }) => Math.floor(vertex.columns.checkpointStartDelayNs[subtask] / 1e6) * 1e6,
  checkpointAlignmentTime: ofColumn('checkpointAlignmentTimeNs'),
  currentInputWatermark: ofColumn('currentInputWatermark'),
  idleTimeMsPerSecond: idle,
  busyTimeMsPerSecond: (task) => (measuresBusyTime(task.vertex) ? 1000 - Math.min(idle(task) + backPressured(task), 1000) : NaN),
  backPressuredTimeMsPerSecond: backPressured,
  softBackPressuredTimeMsPerSecond: softBackPressured,
  hardBackPressuredTimeMsPerSecond: hardBackPressured,
  maxSoftBackPressureTimeMs: ofColumn('maxSoftBackPressureMs'),
  maxHardBackPressureTimeMs: ofColumn('maxHardBackPressureMs'),
  accumulateIdleTimeMs: ofColumn('idleMs'),
  accumulateBusyTimeMs: ({ vertex, subtask }) => (measuresBusyTime(vertex) ? Math.floor(vertex.columns.busyMs[subtask]) : NaN),
  accumulateBackPressuredTimeMs: ({ vertex, subtask }) => vertex.columns.softBackPressuredMs[subtask] + vertex.columns.hardBackPressuredMs[subtask],
  mailboxMailsPerSecond,
  // Mails are taken out faster than anybody could look.
  mailboxQueueSize: () => 0,
  // Only the changelog state backend's uploads make a task wait here.
  changelogBusyTimeMsPerSecond: () => 0,
  initializationTime: ({ vertex, subtask }) => vertex.initializationMs[subtask],
  estimatedTimeToConsumeBuffersMs: ofColumn('estimatedTimeToConsumeBuffersMs'),
  debloatedBufferSize: ofColumn('debloatedBufferSizeBytes'),
};

function taskMetric(row: Row, group?: ReturnType<typeof metricGroup>): Metric<TaskView> {
  return createMetric<TaskView>(row, reader(row), group);
}

function reader(row: Row): (task: TaskView) => MetricValue | Histogram {
  switch (row.read) {
    case 'count':
      return (task) => countOf(counterOf(row.quantity as Counter, task), task);
    case 'rate':
      return (task) => rateOf(counterOf(row.quantity as Counter, task), task);
    case 'samples':
      return mailboxLatency;
    case 'value':
      return GAUGES[row.quantity as Gauge];
  }
}

const SETS = new Map<string, MetricSet<TaskView>>();

/** Metrics of a vertex's tasks themselves (not of their operators). */
export function taskMetrics(vertex: VertexView): MetricSet<TaskView> {
  const gates = vertex.debloating ? vertex.gates : 0;
  const hasInput = sourceOf(vertex.model) === null;
  const shape = `${vertex.version.index}/${hasInput}/${gates}`;
  let set = SETS.get(shape);
  if (!set) SETS.set(shape, (set = metricSet(createTaskMetrics(vertex.version, hasInput, gates))));
  return set;
}

function createTaskMetrics(version: FlinkVersion, hasInput: boolean, debloatedGates: number): Metric<TaskView>[] {
  const metrics = rowsIn<Row>(TASK_METRICS, version).map((row) => taskMetric(row));
  if (hasInput) metrics.push(...rowsIn<Row>(TASK_INPUT_METRICS, version).map((row) => taskMetric(row)));
  if (debloatedGates > 0) metrics.push(...rowsIn<Row>(DEBLOATING_TASK_METRICS, version).map((row) => taskMetric(row)));
  for (let gate = 0; gate < debloatedGates; gate++) {
    const group = metricGroup('Shuffle', 'Netty', 'Input', String(gate));
    metrics.push(...rowsIn<Row>(DEBLOATING_GATE_METRICS, version).map((row) => taskMetric(row, group)));
  }
  return metrics;
}
