/**
 * State of the subtasks of a vertex as columns (one Float64Array a quantity, indexed by subtask), so that a tick runs through memory
 * in order and a vertex of thousands of subtasks costs little. Written by src/simulation/network each tick; read by metrics and REST.
 * Counters restart at 0 with a new attempt.
 */
export interface SubtaskColumns {
  // counters of the current attempt
  numRecordsIn: Float64Array;
  numRecordsOut: Float64Array;
  numBytesInLocal: Float64Array;
  numBytesInRemote: Float64Array;
  numBuffersInLocal: Float64Array;
  numBuffersInRemote: Float64Array;
  numBytesOut: Float64Array;
  numBuffersOut: Float64Array;
  /** Records that the source operator read (numRecordsIn of the operator). */
  sourceRecordsIn: Float64Array;
  numLateRecordsDropped: Float64Array;
  numFiredTimers: Float64Array;
  // accumulated time of the current attempt, ms: idle + busy + soft + hard = time since RUNNING
  idleMs: Float64Array;
  busyMs: Float64Array;
  softBackPressuredMs: Float64Array;
  hardBackPressuredMs: Float64Array;
  // what the thread did in the last tick, shares of 1: what a look at the thread would find
  idleShare: Float64Array;
  busyShare: Float64Array;
  softBackPressuredShare: Float64Array;
  hardBackPressuredShare: Float64Array;
  /** Longest single stretch in the current window, ms (maxSoftBackPressureTimeMs, maxHardBackPressureTimeMs). */
  maxSoftBackPressureMs: Float64Array;
  maxHardBackPressureMs: Float64Array;
  // buffers now
  inputQueueLength: Float64Array;
  inputQueueSizeBytes: Float64Array;
  inPoolUsage: Float64Array;
  inputExclusiveBuffersUsage: Float64Array;
  inputFloatingBuffersUsage: Float64Array;
  /** Buffers that the gates may have, of each kind. */
  exclusiveBuffers: Float64Array;
  floatingBuffers: Float64Array;
  outPoolUsage: Float64Array;
  outputQueueLength: Float64Array;
  outputQueueSizeBytes: Float64Array;
  /** Segments of the task manager's pool held by the subtask (its gate's and its partition's buffers). */
  usedSegments: Float64Array;
  estimatedTimeToConsumeBuffersMs: Float64Array;
  debloatedBufferSizeBytes: Float64Array;
  // event time, epoch ms; -9223372036854775808 (as a double) = no watermark yet
  currentInputWatermark: Float64Array;
  currentOutputWatermark: Float64Array;
  /** Of an aligned source: how far its watermark is beyond what the group allows (negative = behind), ms; NaN = nothing announced yet. */
  watermarkAlignmentDriftMs: Float64Array;
  // checkpoints
  checkpointAlignmentTimeNs: Float64Array;
  checkpointStartDelayNs: Float64Array;
  /** Size of keyed and operator state, bytes. */
  stateBytes: Float64Array;
  /** Bytes that records have written into the state, over those that a restored checkpoint had counted. */
  stateChangeBytes: Float64Array;
  /** Epoch ms of the last record that a source emitted. */
  lastRecordMs: Float64Array;
  /** Event time of the last record that a source emitted (or a sink took). */
  lastEventTimeMs: Float64Array;
  history: MeterHistory;
}

/** Names of the columns whose changes are kept for rates (MeterView) and time gauges (TimerGauge). */
export const METERED_COLUMNS = [
  'numRecordsIn',
  'numRecordsOut',
  'numBytesInLocal',
  'numBytesInRemote',
  'numBuffersInLocal',
  'numBuffersInRemote',
  'numBytesOut',
  'numBuffersOut',
  'sourceRecordsIn',
  'numFiredTimers',
  'idleMs',
  'busyMs',
  'softBackPressuredMs',
  'hardBackPressuredMs',
] as const;
export type MeteredColumn = (typeof METERED_COLUMNS)[number];

/**
 * Readings every 5 s (Flink's View interval) of the metered columns, for windows of 60 s: 13 slots a subtask and column, at
 * `(column * SLOTS + slot) * parallelism + subtask`; the newest is `newestSlot`, readings taken so far in `readings`.
 */
export interface MeterHistory {
  values: Float64Array;
  newestSlot: number;
  readings: number;
}
export const METER_SLOTS = 13;
export const METER_INTERVAL_MS = 5_000;

type NumericColumn = Exclude<keyof SubtaskColumns, 'history'>;

const COLUMN_NAMES: readonly NumericColumn[] = [
  ...METERED_COLUMNS,
  'numLateRecordsDropped',
  'idleShare',
  'busyShare',
  'softBackPressuredShare',
  'hardBackPressuredShare',
  'maxSoftBackPressureMs',
  'maxHardBackPressureMs',
  'inputQueueLength',
  'inputQueueSizeBytes',
  'inPoolUsage',
  'inputExclusiveBuffersUsage',
  'inputFloatingBuffersUsage',
  'exclusiveBuffers',
  'floatingBuffers',
  'outPoolUsage',
  'outputQueueLength',
  'outputQueueSizeBytes',
  'usedSegments',
  'estimatedTimeToConsumeBuffersMs',
  'debloatedBufferSizeBytes',
  'currentInputWatermark',
  'currentOutputWatermark',
  'watermarkAlignmentDriftMs',
  'checkpointAlignmentTimeNs',
  'checkpointStartDelayNs',
  'stateBytes',
  'stateChangeBytes',
  'lastRecordMs',
  'lastEventTimeMs',
];

/** Java's Long.MIN_VALUE as the nearest double: no watermark yet. */
export const NO_WATERMARK = -9223372036854775808;

/** Columns of a vertex whose subtasks have done nothing yet. */
export function createSubtaskColumns(parallelism: number): SubtaskColumns {
  const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, new Float64Array(parallelism)])) as unknown as SubtaskColumns;
  columns.currentInputWatermark.fill(NO_WATERMARK);
  columns.currentOutputWatermark.fill(NO_WATERMARK);
  columns.watermarkAlignmentDriftMs.fill(NaN);
  columns.history = { values: new Float64Array(METERED_COLUMNS.length * METER_SLOTS * parallelism), newestSlot: 0, readings: 0 };
  return columns;
}

/** Back to a fresh attempt's values, for one subtask. */
export function resetSubtask(columns: SubtaskColumns, subtask: number): void {
  for (const name of COLUMN_NAMES) columns[name][subtask] = 0;
  columns.currentInputWatermark[subtask] = NO_WATERMARK;
  columns.currentOutputWatermark[subtask] = NO_WATERMARK;
  columns.watermarkAlignmentDriftMs[subtask] = NaN;
  const parallelism = columns.idleMs.length;
  for (let i = subtask; i < columns.history.values.length; i += parallelism) columns.history.values[i] = 0;
}
