import type { JobModel, JobVertexModel, RestartStrategyModel } from '../model/job-model.js';
import type { CheckpointCoordinatorState } from './checkpoint-state.js';
import type { JobNetworkState } from './network-state.js';
import type { KafkaSourceState } from './kafka-state.js';
import type { BackPressureTrackerState, FlameGraphTrackerState } from './sample-state.js';
import type { RescaleTimelineState } from './rescale-state.js';
import type { SubtaskColumns } from './subtask-columns.js';

export const JOB_STATUSES = ['INITIALIZING', 'CREATED', 'RUNNING', 'FAILING', 'FAILED', 'CANCELLING', 'CANCELED', 'FINISHED', 'RESTARTING', 'SUSPENDED', 'RECONCILING'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const EXECUTION_STATES = ['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING', 'FINISHED', 'CANCELING', 'CANCELED', 'FAILED', 'RECONCILING'] as const;
export type ExecutionStateName = (typeof EXECUTION_STATES)[number];
export const EXECUTION_STATE_INDEX: Readonly<Record<ExecutionStateName, number>> = Object.fromEntries(EXECUTION_STATES.map((name, index) => [name, index])) as Record<ExecutionStateName, number>;

export interface JobState {
  readonly id: string;
  readonly name: string;
  readonly model: JobModel;
  /** 2.x: the application that it belongs to. */
  applicationId: string;
  /** 2.3: name of the application where it is not the job's own (`SingleJobApplication(<job>)`). */
  applicationName?: string;
  status: JobStatus;
  /** Epoch ms at which each status was last entered, 0 = never; in the order of JOB_STATUSES. */
  statusTimestamps: Float64Array;
  startMs: number;
  /** -1 while not in a globally terminal state. */
  endMs: number;
  lastModificationMs: number;
  /** In the order of model.vertices. */
  vertices: JobVertexState[];
  restartStrategy: RestartStrategyModel;
  /** Restarts so far (numRestarts, fullRestarts). */
  numRestarts: number;
  /** Epoch ms of each failure that was answered by a restart, for failure-rate and exponential-delay. */
  restartTimesMs: number[];
  /** null while checkpointing is off. */
  checkpoints: CheckpointCoordinatorState | null;
  exceptions: ExceptionHistoryState;
  network: JobNetworkState;
  /** Savepoint or checkpoint path given at submission; null = none. */
  restoredFrom: string | null;
  /** Root cause once FAILED (or FAILING): Java-like stack trace, first line `class: message`. */
  failureCause: string | null;
  schedulerType: 'Default' | 'Adaptive' | 'AdaptiveBatch';
  /** 32 hex digits: first part of attempt ids from 1.16 on. */
  readonly executionGraphId: string;
  /** Number of the JobMaster's RPC endpoint, `jobmanager_<n>`. */
  readonly jobMasterNumber: number;
  /** Slots that the job holds, in the order in which they were allocated. */
  slots: AllocatedSlotState[];
  /** Epoch ms since which the job waits for slots, -1 = it does not. */
  waitingForSlotsSinceMs: number;
  /** The restart under way; null = none. */
  failover: FailoverState | null;
  /** Counts status changes and restarts: scheduled events of an earlier life are dropped. */
  generation: number;
  /** A stop with savepoint under way: key of the operation that waits for the end; null = none. */
  stopOperationKey: string | null;
  /** Bounds that a client set for the adaptive scheduler, by vertex; -1 = not given. Absent = the model's parallelism. */
  requirements?: Record<string, { lowerBound: number; upperBound: number }>;
  /** Adaptive scheduler: epoch ms at which the present execution graph began. */
  lastRescaleMs?: number;
  /** Adaptive scheduler: a rescale comes with the next completed checkpoint. */
  rescaleWaitsForCheckpoint?: boolean;
  /** Of jobs of the adaptive scheduler. */
  rescaleTimeline?: RescaleTimelineState;
}

/** A slot of a task manager in the hands of a job. */
export interface AllocatedSlotState {
  readonly taskManagerId: string;
  readonly slotIndex: number;
  readonly slotSharingGroup: string;
  /** Position within the slot sharing group: the subtasks of this index run in it. */
  readonly groupIndex: number;
  readonly allocationId: string;
}

/** What is restarted once its delay is over and all of it has ended. */
export interface FailoverState {
  /** Epoch ms. */
  readonly resumeAtMs: number;
  /** Pairs of vertex index and subtask; null = all. */
  tasks: [vertexIndex: number, subtask: number][] | null;
  readonly global: boolean;
  /** Root cause, stack trace. */
  readonly cause: string;
  /** Parallelism by vertex to go on with; null = as it was. */
  readonly parallelism: readonly number[] | null;
  /** Entries of the exception history that are written with the restart (1.13). */
  readonly unrecorded?: ExceptionHistoryEntryState[];
}

export interface JobVertexState {
  readonly id: string;
  /** Input, with the values that events changed since. */
  model: JobVertexModel;
  /** 0 while the adaptive batch scheduler has made no subtasks of it yet (lifecycle/batch.ts). */
  parallelism: number;
  maxParallelism: number;
  /** 32 hex digits. */
  slotSharingGroupId: string;
  subtasks: ExecutionVertexState[];
  columns: SubtaskColumns;
  /** Where a Kafka source is: the entry of KafkaState.sources. Absent until it reads. */
  kafkaSource?: KafkaSourceState;
  /** Back pressure by looks at the threads (until 1.12); absent until asked for. */
  backPressure?: BackPressureTrackerState;
  /** Flame graphs (from 1.13 on), by subtask, -1 = all; absent until asked for. */
  flameGraphs?: Map<number, FlameGraphTrackerState>;
}

export interface ExecutionVertexState {
  readonly index: number;
  current: ExecutionAttemptState;
  /** Oldest first. */
  priorAttempts: ExecutionAttemptState[];
}

export interface ExecutionAttemptState {
  readonly attemptNumber: number;
  /** ExecutionAttemptID as the version prints it. */
  readonly attemptId: string;
  state: ExecutionStateName;
  /** Epoch ms at which each state was entered, 0 = never; in the order of EXECUTION_STATES. */
  timestamps: Float64Array;
  /** null until a slot is assigned. */
  taskManagerId: string | null;
  /** Location as it was, kept when the task manager is gone: host, data port. */
  host: string | null;
  dataPort: number;
  slotIndex: number;
  /** Counters at the end of the attempt; null while it runs (then they are in the vertex's columns). */
  finalMetrics: AttemptMetrics | null;
  failureCause: string | null;
}

/** What the REST API calls an attempt's metrics; times in ms, busy NaN where it cannot be measured. */
export interface AttemptMetrics {
  readBytes: number;
  writeBytes: number;
  readRecords: number;
  writeRecords: number;
  accumulatedBackPressuredMs: number;
  accumulatedIdleMs: number;
  accumulatedBusyMs: number;
}

export interface ExceptionHistoryState {
  /** The failure that took the job down last (root-exception); null = none. */
  rootException: { stackTrace: string; timestampMs: number } | null;
  /** Every failed attempt's exception, oldest first (all-exceptions). */
  executions: ExecutionExceptionState[];
  /** One a restart or end, oldest first (exceptionHistory.entries come newest first). */
  history: ExceptionHistoryEntryState[];
}

export interface ExecutionExceptionState {
  stackTrace: string;
  exceptionName: string;
  timestampMs: number;
  /** `Enrich (1/2)`; null = global failure. The exception history adds ` - execution #<attemptNumber>`. */
  taskName: string | null;
  /** -1 = global failure. */
  attemptNumber: number;
  /** `host:dataPort`, null = global or unassigned. */
  location: string | null;
  taskManagerId: string | null;
  /** What failure enrichers said of it; absent = nothing. */
  labels?: Readonly<Record<string, string>>;
}

export interface ExceptionHistoryEntryState extends ExecutionExceptionState {
  failureLabels: Record<string, string>;
  concurrent: ExecutionExceptionState[];
}
