import type { CheckpointingModel } from '../model/job-model.js';

export interface CheckpointCoordinatorState {
  config: CheckpointingModel;
  nextCheckpointId: number;
  /** Epoch ms of the next periodic trigger; Infinity while stopped. */
  nextTriggerMs: number;
  /** Checkpoints under way, oldest first. */
  pending: CheckpointState[];
  /** Checkpoints and savepoints in every state, newest first, at most web.checkpoints.history of them (pending ones included). */
  history: CheckpointState[];
  counts: { restored: number; total: number; inProgress: number; completed: number; failed: number };
  latestCompleted: CheckpointState | null;
  /** Completed checkpoints that are kept, oldest first (state.checkpoints.num-retained); absent = none but the latest. */
  kept?: CheckpointState[];
  latestSavepoint: CheckpointState | null;
  latestFailed: CheckpointState | null;
  latestRestored: { id: number; restoreTimestampMs: number; isSavepoint: boolean; externalPath: string } | null;
  /** Samples of completed checkpoints, for min, max, avg and percentiles. */
  summary: CheckpointSummaryState;
  consecutiveFailures: number;
  /** Ids that expired, for the late messages' WARN line: last 16. */
  recentExpired: number[];
  /** Triggers that wait for a running checkpoint to end, first to go first. */
  queue: QueuedCheckpointState[];
  /** The periodic timer runs. */
  schedulerRunning: boolean;
  /** 2.3: a timer that was started by a restart outlives later restarts. */
  timerSurvives: boolean;
  /** Counts starts of the timer: ticks of an earlier one are dropped. */
  timerGeneration: number;
  /** Epoch ms of the last completion or failure that min pause counts from; -Infinity before. */
  lastCompletionMs: number;
  /** What a restart goes back to: the latest completed checkpoint, or the one that the job was submitted with. */
  restorePoint: RestorePointState | null;
  /** Logs of state changes (changelog state backend); absent or null = there are none. */
  changelog?: ChangelogState | null;
  /** What has been planned to go wrong; absent = nothing. */
  faults?: readonly CheckpointFaultState[];
}

export interface ChangelogState {
  /** -1 = never materialized. */
  readonly materializationIntervalMs: number;
  /** By id, of the vertices that have state. */
  vertices: Map<string, ChangelogVertexState>;
}

/** Columns by subtask. Positions are those of SubtaskColumns.stateChangeBytes. */
export interface ChangelogVertexState {
  /** State as the last materialization wrote it, and the position in the log up to which it holds. */
  materializedBytes: Float64Array;
  materializedAtBytes: Float64Array;
  // materializations of the current attempt
  started: Float64Array;
  completed: Float64Array;
  failed: Float64Array;
  lastDurationMs: Float64Array;
  // of the last snapshot: its materialized part, the log behind that, and what of the log was new
  lastMaterializedBytes: Float64Array;
  lastLogBytes: Float64Array;
  lastLogIncrementBytes: Float64Array;
}

export interface CheckpointFaultState {
  readonly checkpointId: number;
  /** A task declines it, the coordinator cannot finish it, or a task's snapshot takes longer. */
  readonly fault: 'decline' | 'fail' | 'delay';
  readonly delayMs: number;
}

/** Interval of a job that takes no periodic checkpoints: Java's Long.MAX_VALUE as the nearest double. */
export const NO_CHECKPOINT_INTERVAL = 9223372036854775807;

export interface QueuedCheckpointState {
  readonly kind: CheckpointState['checkpointType'];
  readonly periodic: boolean;
  /** Epoch ms. */
  readonly requestedMs: number;
  readonly operationKey: string | null;
}

/** A completed checkpoint or savepoint as a restore needs it. */
export interface RestorePointState {
  readonly id: number;
  /** Job that wrote it. */
  readonly jobId: string;
  readonly isSavepoint: boolean;
  readonly triggerMs: number;
  readonly externalPath: string;
  /** State bytes by subtask, by vertex id. */
  readonly stateBytes: Map<string, Float64Array>;
  /** Bytes of state changes up to it, and the materializations that it refers to, by vertex id; absent in what was written without. */
  readonly changeBytes?: Map<string, Float64Array>;
  readonly materialized?: Map<string, { readonly bytes: Float64Array; readonly atBytes: Float64Array }> | undefined;
}

export interface CheckpointSummaryState {
  count: number;
  checkpointedSize: number[];
  stateSize: number[];
  endToEndDuration: number[];
  alignmentBuffered: number[];
  processedData: number[];
  persistedData: number[];
}

export type CheckpointStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** A checkpoint or savepoint of a job, from trigger on. */
export interface CheckpointState {
  readonly id: number;
  status: CheckpointStatus;
  readonly isSavepoint: boolean;
  readonly savepointFormat: 'CANONICAL' | 'NATIVE' | null;
  readonly checkpointType: 'CHECKPOINT' | 'SAVEPOINT' | 'SYNC_SAVEPOINT' | 'FULL_CHECKPOINT';
  readonly unaligned: boolean;
  readonly triggerMs: number;
  /** Epoch ms of the latest acknowledgement, -1 = none. */
  latestAckMs: number;
  /** By vertex, in the order of the job's vertices. */
  vertices: VertexCheckpointState[];
  numSubtasks: number;
  numAcknowledged: number;
  /** null until completed. */
  externalPath: string | null;
  discarded: boolean;
  /** Epoch ms; -1 unless FAILED. */
  failureMs: number;
  failureMessage: string | null;
  completedMs: number;
  /** Directory asked for (savepoints). */
  targetDirectory: string | null;
  /** Key of the asynchronous operation that waits for it; null = periodic. */
  operationKey: string | null;
  /** What happens to the job when it is complete. */
  readonly afterwards: 'nothing' | 'cancel' | 'suspend' | 'terminate';
}

/** Columns by subtask; a subtask that has not acknowledged has ackMs -1. */
export interface VertexCheckpointState {
  readonly vertexId: string;
  numAcknowledged: number;
  latestAckMs: number;
  ackMs: Float64Array;
  checkpointedSizeBytes: Float64Array;
  stateSizeBytes: Float64Array;
  /** State that the task held then, and bytes of state changes up to then. */
  heldBytes: Float64Array;
  stateChangeBytes: Float64Array;
  syncDurationMs: Float64Array;
  asyncDurationMs: Float64Array;
  alignmentBufferedBytes: Float64Array;
  processedBytes: Float64Array;
  persistedBytes: Float64Array;
  alignmentDurationMs: Float64Array;
  startDelayMs: Float64Array;
}

export interface CheckpointStorageState {
  /** null = not limiting. */
  bytesPerSecond: number | null;
  latencyMs: number;
  failing: boolean;
  /** Paths of the savepoints and retained checkpoints there are. */
  existingPaths: string[];
  /** What they hold, by path. */
  snapshots: Map<string, RestorePointState>;
}
