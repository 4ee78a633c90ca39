import { gauge } from './metric-row.js';

/** Of a job at a task manager that merges its checkpoint files (FLINK-32091). */
export const FILE_MERGING_METRICS = [
  gauge('fileMerging.logicalFileCount', 'long', { since: '1.20' }),
  gauge('fileMerging.logicalFileSize', 'long', { since: '1.20' }),
  gauge('fileMerging.physicalFileCount', 'long', { since: '1.20' }),
  gauge('fileMerging.physicalFileSize', 'long', { since: '1.20' }),
];

/** Of a job, at the job manager. */
export const JOB_METRICS = [
  gauge('uptime', 'long'),
  gauge('downtime', 'long'),
  gauge('restartingTime', 'long'),
  gauge('fullRestarts', 'long', { until: '2.0' }),
  gauge('numRestarts', 'long', { since: '1.10' }),
  gauge('numRescales', 'long', { since: '2.0' }),
  gauge('totalNumberOfCheckpoints', 'long'),
  gauge('numberOfInProgressCheckpoints', 'long'),
  gauge('numberOfCompletedCheckpoints', 'long'),
  gauge('numberOfFailedCheckpoints', 'long'),
  gauge('lastCheckpointRestoreTimestamp', 'long'),
  gauge('lastCheckpointSize', 'long'),
  gauge('lastCheckpointDuration', 'long'),
  gauge('lastCheckpointExternalPath', 'text'),
  gauge('lastCheckpointAlignmentBuffered', 'long', { until: '1.11' }),
  gauge('lastCheckpointProcessedData', 'long', { since: '1.12' }),
  gauge('lastCheckpointPersistedData', 'long', { since: '1.12' }),
  // FLINK-25557, FLINK-26464
  gauge('lastCheckpointFullSize', 'long', { since: '1.15' }),
  // FLINK-29195
  gauge('lastCompletedCheckpointId', 'long', { since: '1.17' }),
  // FLINK-36344
  gauge('lastCheckpointCompletedTimestamp', 'long', { since: '2.0' }),
  // FLINK-36679
  gauge('lastCheckpointMetadataSize', 'long', { since: '2.2' }),
  // FLINK-23976, FLINK-25888
  gauge('initializingTime', 'long', { since: '1.15' }),
  gauge('createdTime', 'long', { since: '1.15' }),
  gauge('deployingTime', 'long', { since: '1.15' }),
  gauge('runningTime', 'long', { since: '1.15' }),
  gauge('failingTime', 'long', { since: '1.15' }),
  gauge('cancellingTime', 'long', { since: '1.15' }),
  gauge('allSubTasksRunningOrFinishedTime', 'long', { since: '2.2' }),
];

/** Of a source's coordinator, below `<name of the chain>.coordinator.` (FLINK-21000 gave coordinators metrics at the job manager). */
export const COORDINATOR_METRICS = [gauge('enumerator.unassignedSplits', 'long', { since: '1.18' })];
