import { counted, gauge, histogram, meter, rate, under } from './metric-row.js';

const NETWORK_INPUT = [...counted('numBytesInLocal'), ...counted('numBytesInRemote'), ...counted('numBuffersInLocal'), ...counted('numBuffersInRemote')];

const INPUT_BUFFERS = [
  gauge('inPoolUsage', 'float'),
  gauge('inputExclusiveBuffersUsage', 'float'),
  gauge('inputFloatingBuffersUsage', 'float'),
  gauge('inputQueueLength', 'long'),
  // FLINK-24657
  gauge('inputQueueSize', 'long', { since: '1.15' }),
];

const OUTPUT_BUFFERS = [gauge('outPoolUsage', 'float'), gauge('outputQueueLength', 'long'), gauge('outputQueueSize', 'long', { since: '1.15' })];

/** Of every task. */
export const TASK_METRICS = [
  ...counted('numRecordsIn'),
  ...counted('numRecordsOut'),
  ...counted('numBytesIn'),
  ...counted('numBytesOut'),
  ...counted('numBuffersOut'),
  ...NETWORK_INPUT,
  ...under('Shuffle.Netty.Input.', NETWORK_INPUT),
  ...under('Shuffle.Netty.Input.Buffers.', INPUT_BUFFERS),
  ...under('Shuffle.Netty.Output.Buffers.', OUTPUT_BUFFERS),
  ...under('buffers.', INPUT_BUFFERS, { until: '2.0' }),
  ...under('buffers.', OUTPUT_BUFFERS, { until: '2.0' }),
  // FLINK-14813
  gauge('isBackPressured', 'boolean', { since: '1.10' }),
  // FLINK-15603
  gauge('checkpointStartDelayNanos', 'long', { since: '1.11' }),
  // FLINK-16864; a meter until there were time gauges (FLINK-20717)
  rate('idleTimeMsPerSecond', 'idleTime', { since: '1.11', until: '1.13' }),
  gauge('idleTimeMsPerSecond', 'long', { since: '1.13' }),
  gauge('busyTimeMsPerSecond', 'double', { since: '1.13' }),
  gauge('backPressuredTimeMsPerSecond', 'long', { since: '1.13' }),
  // FLINK-25414
  gauge('softBackPressuredTimeMsPerSecond', 'long', { since: '1.15' }),
  gauge('hardBackPressuredTimeMsPerSecond', 'long', { since: '1.15' }),
  gauge('maxSoftBackPressureTimeMs', 'long', { since: '1.15' }),
  gauge('maxHardBackPressureTimeMs', 'long', { since: '1.15' }),
  // FLINK-28308
  gauge('accumulateIdleTimeMs', 'long', { since: '1.16' }),
  gauge('accumulateBusyTimeMs', 'double', { since: '1.16' }),
  gauge('accumulateBackPressuredTimeMs', 'long', { since: '1.16' }),
  // FLINK-26279
  histogram('mailboxLatencyMs', { since: '1.16' }),
  meter('mailboxMailsPerSecond', { since: '1.16' }),
  gauge('mailboxQueueSize', 'long', { since: '1.16' }),
  // FLINK-24402
  gauge('changelogBusyTimeMsPerSecond', 'long', { since: '1.18' }),
  // FLINK-19010
  gauge('initializationTime', 'long', { since: '1.18' }),
  // FLINK-35065
  ...counted('numFiredTimers', { since: '1.20' }),
];

/** Of tasks that have an input. */
export const TASK_INPUT_METRICS = [gauge('currentInputWatermark', 'long'), gauge('checkpointAlignmentTime', 'long')];

/** Where buffers are debloated (FLINK-23973): of the task, and of each of its gates below `Shuffle.Netty.Input.<gate>.`. */
export const DEBLOATING_TASK_METRICS = [gauge('estimatedTimeToConsumeBuffersMs', 'long', { since: '1.14' })];
export const DEBLOATING_GATE_METRICS = [gauge('estimatedTimeToConsumeBuffersMs', 'long', { since: '1.14' }), gauge('debloatedBufferSize', 'long', { since: '1.14' })];

/** Latency markers' histogram of an operator, by source (metrics.latency.interval). */
export const LATENCY_METRICS = [histogram('latency')];

/** What a terminal subtask's metrics lose at the next fetch, so that no old value misleads (FLINK-31650), and since when. */
export const TRANSIENT_TASK_METRICS = { since: '1.18', names: ['idleTimeMsPerSecond', 'busyTimeMsPerSecond', 'backPressuredTimeMsPerSecond'] } as const;
