import { since, valueIn, type FlinkVersion } from '../../versions/flink-versions.js';
import { COORDINATOR_METRICS, JOB_METRICS } from '../../versions/metrics/job-metrics.js';
import { rowsIn } from '../../versions/metrics/metric-row.js';
import type { CheckpointState } from '../state/checkpoint-state.js';
import { EXECUTION_STATE_INDEX, JOB_STATUSES, type ExecutionStateName, type JobState, type JobStatus, type JobVertexState } from '../state/job-state.js';
import type { MetricValue } from './java-text.js';
import { createMetric, metricGroup, type Metric } from './metric.js';
import { sanitize } from './metric-names.js';

export interface JobView {
  readonly job: JobState;
  readonly atMs: number;
  readonly version: FlinkVersion;
}

type Quantity = (typeof JOB_METRICS)[number]['quantity'];

/** Sizes and times of the last completed checkpoint; -1 before there is one. */
const ofLast =
  (value: (checkpoint: CheckpointState) => number) =>
  ({ job }: JobView): number =>
    job.checkpoints?.latestCompleted ? value(job.checkpoints.latestCompleted) : -1;

type CheckpointColumn = 'checkpointedSizeBytes' | 'stateSizeBytes' | 'alignmentBufferedBytes' | 'processedBytes' | 'persistedBytes';

const sum =
  (column: CheckpointColumn) =>
  ({ vertices }: CheckpointState): number =>
    vertices.reduce((total, vertex) => vertex[column].reduce((inner, value) => inner + Math.max(0, value), total), 0);

/** A metadata file and what it says of a task's operators, in the recorded files. */
const METADATA_BYTES = { file: 190, task: 160 } as const;
const metadataSize = ({ vertices }: CheckpointState): number => METADATA_BYTES.file + METADATA_BYTES.task * vertices.length;

const enteredMs = (job: JobState, status: JobStatus): number => job.statusTimestamps[JOB_STATUSES.indexOf(status)];

/** How long the job has been in a status, 0 when it is in another (StateTimeMetric). */
const timeIn =
  (status: JobStatus) =>
  ({ job, atMs }: JobView): number =>
    job.status === status ? Math.max(0, atMs - enteredMs(job, status)) : 0;

/** Earliest instant since which some task has been in a state; null when none is. */
function earliestIn(job: JobState, state: ExecutionStateName): number | null {
  let earliest: number | null = null;
  for (const { subtasks } of job.vertices) {
    for (const { current } of subtasks) {
      if (current.state !== state) continue;
      const entered = current.timestamps[EXECUTION_STATE_INDEX[state]];
      if (earliest === null || entered < earliest) earliest = entered;
    }
  }
  return earliest;
}

/** A streaming job is deploying (initializing) while one of its tasks is. */
function timeWithTaskIn(state: 'DEPLOYING' | 'INITIALIZING'): (view: JobView) => number {
  return ({ job, atMs }) => {
    const earliest = earliestIn(job, state);
    return earliest === null ? 0 : Math.max(0, atMs - earliest);
  };
}

/** Since the last task began to run; 0 while one does not (or has not ended well). */
function allRunningTime({ job, atMs }: JobView): number {
  let latest = 0;
  for (const { subtasks } of job.vertices) {
    for (const { current } of subtasks) {
      if (current.state !== 'RUNNING' && current.state !== 'FINISHED') return 0;
      latest = Math.max(latest, current.timestamps[EXECUTION_STATE_INDEX.RUNNING]);
    }
  }
  return Math.max(0, atMs - latest);
}

/** A job's start without a checkpoint counts as a restore too (FLINK-33697). */
const STARTS_COUNT_AS_RESTORES = since('1.19');
/** Time in RESTARTING has been a status time since FLINK-23976; before, it stayed at what the last restart took. */
const RESTARTING_TIME_STAYS = since('1.9', '1.15');

function restoreTimestamp({ job, version }: JobView): number {
  const restored = job.checkpoints?.latestRestored;
  if (restored) return restored.restoreTimestampMs;
  return valueIn(STARTS_COUNT_AS_RESTORES, version) ? Math.max(enteredMs(job, 'CREATED'), job.startMs) : -1;
}

function restartingTime(view: JobView): number {
  const { job, version } = view;
  if (job.status === 'RESTARTING' || !valueIn(RESTARTING_TIME_STAYS, version)) return timeIn('RESTARTING')(view);
  const restarting = enteredMs(job, 'RESTARTING');
  return restarting > 0 ? Math.max(0, enteredMs(job, 'RUNNING') - restarting) : 0;
}

function downtime({ job, atMs }: JobView): number {
  if (job.endMs >= 0) return -1;
  if (job.status === 'RUNNING') return 0;
  const since = Math.max(enteredMs(job, 'FAILING'), enteredMs(job, 'RESTARTING'));
  return since > 0 ? Math.max(0, atMs - since) : 0;
}

const VALUES: Readonly<Record<Quantity, (view: JobView) => MetricValue>> = {
  uptime: (view) => (view.job.endMs >= 0 ? -1 : timeIn('RUNNING')(view)),
  downtime,
  restartingTime,
  fullRestarts: ({ job }) => job.numRestarts,
  numRestarts: ({ job }) => job.numRestarts,
  // A rescaled job restarts, and is counted there.
  numRescales: () => 0,
  totalNumberOfCheckpoints: ({ job }) => job.checkpoints?.counts.total ?? 0,
  numberOfInProgressCheckpoints: ({ job }) => job.checkpoints?.counts.inProgress ?? 0,
  numberOfCompletedCheckpoints: ({ job }) => job.checkpoints?.counts.completed ?? 0,
  numberOfFailedCheckpoints: ({ job }) => job.checkpoints?.counts.failed ?? 0,
  lastCheckpointRestoreTimestamp: restoreTimestamp,
  lastCheckpointSize: ofLast(sum('checkpointedSizeBytes')),
  lastCheckpointDuration: ofLast((checkpoint) => Math.max(0, checkpoint.latestAckMs - checkpoint.triggerMs)),
  lastCheckpointExternalPath: ({ job }) => job.checkpoints?.latestCompleted?.externalPath ?? 'n/a',
  lastCheckpointAlignmentBuffered: ofLast(sum('alignmentBufferedBytes')),
  lastCheckpointProcessedData: ofLast(sum('processedBytes')),
  lastCheckpointPersistedData: ofLast(sum('persistedBytes')),
  lastCheckpointFullSize: ofLast(sum('stateSizeBytes')),
  lastCompletedCheckpointId: ofLast((checkpoint) => checkpoint.id),
  lastCheckpointCompletedTimestamp: ofLast((checkpoint) => checkpoint.completedMs),
  lastCheckpointMetadataSize: ofLast(metadataSize),
  initializingTime: (view) => timeIn('INITIALIZING')(view) || timeWithTaskIn('INITIALIZING')(view),
  createdTime: timeIn('CREATED'),
  deployingTime: timeWithTaskIn('DEPLOYING'),
  runningTime: timeIn('RUNNING'),
  failingTime: timeIn('FAILING'),
  cancellingTime: timeIn('CANCELLING'),
  allSubTasksRunningOrFinishedTime: allRunningTime,
};

/** Of a job, at the job manager. */
export function jobMetrics(version: FlinkVersion): Metric<JobView>[] {
  return rowsIn(JOB_METRICS, version).map((row) => createMetric<JobView>(row, VALUES[row.quantity]));
}

/** Of the coordinators of a vertex's operators: the data generator's enumerator hands out its splits; Kafka's has no metrics. */
export function coordinatorMetrics(version: FlinkVersion, vertex: JobVertexState): Metric<JobVertexState>[] {
  const { source } = vertex.model.operators[0];
  if (source === null || source.legacy || source.kind !== 'generator') return [];
  const group = metricGroup(sanitize(vertex.model.name), 'coordinator');
  return rowsIn(COORDINATOR_METRICS, version).map((row) => createMetric<JobVertexState>(row, () => 0, group));
}
