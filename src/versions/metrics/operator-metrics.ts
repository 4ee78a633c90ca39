import { counted, counter, gauge } from './metric-row.js';

/** Of every operator. */
export const OPERATOR_METRICS = [
  ...counted('numRecordsIn'),
  ...counted('numRecordsOut'),
  // FLINK-24904
  ...counted('numBytesIn', { since: '1.15' }),
  ...counted('numBytesOut', { since: '1.15' }),
  gauge('currentOutputWatermark', 'long'),
];

/** Of operators that have an input. */
export const OPERATOR_INPUT_METRICS = [gauge('currentInputWatermark', 'long')];

export const WINDOW_METRICS = [counter('numLateRecordsDropped')];

/** Of FLIP-27 sources (FLIP-33). */
export const SOURCE_READER_METRICS = [
  counter('numRecordsInErrors', { since: '1.14' }),
  gauge('currentEmitEventTimeLag', 'long', { since: '1.14' }),
  gauge('sourceIdleTime', 'long', { since: '1.14' }),
  gauge('watermarkLag', 'long', { since: '1.14', optional: true }),
  // FLIP-182: from the coordinator's first announcement on
  gauge('watermarkAlignmentDrift', 'long', { since: '1.15', optional: true }),
];

/** Of those among them that know how much is left. */
export const PENDING_RECORDS_METRICS = [gauge('pendingRecords', 'long', { since: '1.14', optional: true })];

/** Of each split of a FLIP-27 source, below `split.<split>.watermark.` (FLINK-37410). */
export const SPLIT_METRICS = [
  gauge('currentWatermark', 'long', { since: '2.1' }),
  gauge('activeTimeMsPerSecond', 'double', { since: '2.1' }),
  gauge('idleTimeMsPerSecond', 'long', { since: '2.1' }),
  gauge('pausedTimeMsPerSecond', 'long', { since: '2.1' }),
  gauge('accumulatedActiveTimeMs', 'double', { since: '2.1' }),
  gauge('accumulatedIdleTimeMs', 'long', { since: '2.1' }),
  gauge('accumulatedPausedTimeMs', 'long', { since: '2.1' }),
];

/** Of operators with state where the state backend keeps a changelog. */
export const CHANGELOG_METRICS = [
  counter('ChangelogMaterialization.startedMaterialization', { since: '1.16' }),
  counter('ChangelogMaterialization.completedMaterialization', { since: '1.16' }),
  counter('ChangelogMaterialization.failedMaterialization', { since: '1.16' }),
  gauge('ChangelogMaterialization.lastDurationOfMaterialization', 'long', { since: '1.16' }),
  gauge('ChangelogStateBackend.lastFullSizeOfMaterialization', 'long', { since: '1.16' }),
  gauge('ChangelogStateBackend.lastIncSizeOfMaterialization', 'long', { since: '1.16' }),
  gauge('ChangelogStateBackend.lastFullSizeOfNonMaterialization', 'long', { since: '1.16' }),
  gauge('ChangelogStateBackend.lastIncSizeOfNonMaterialization', 'long', { since: '1.16' }),
];

/** Of a sink's writer (`<sink>: Writer`). */
export const SINK_WRITER_METRICS = [
  counter('numRecordsOutErrors', { since: '1.14' }),
  counter('numRecordsSend', { since: '1.15' }),
  counter('numBytesSend', { since: '1.15' }),
  counter('numRecordsSendErrors', { since: '1.15' }),
];

/**
 * Counters of a writer that are also registered under their newer names, and since when: reporters show both, the REST API knows a
 * metric by its last name only.
 */
export const SINK_WRITER_RENAMED = { since: '1.15', names: ['numRecordsOut', 'numBytesOut', 'numRecordsOutErrors'] } as const;

/** Of a sink's committer (`<sink>: Committer`, FLINK-25857). */
export const SINK_COMMITTER_METRICS = [
  counter('totalCommittables', { since: '1.19' }),
  counter('successfulCommittables', { since: '1.19' }),
  counter('failedCommittables', { since: '1.19' }),
  counter('retriedCommittables', { since: '1.19' }),
  counter('alreadyCommittedCommittables', { since: '1.19' }),
  gauge('pendingCommittables', 'long', { since: '1.19' }),
];
