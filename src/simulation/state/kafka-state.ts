import type { RateStep } from '../model/job-model.js';

/** The brokers, as a client could see them. Records are counted as real numbers inside; offsets shown are their floor. */
export interface KafkaState {
  /** Epoch ms up to which the offsets below are. */
  atMs: number;
  brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
  brokerState: 'up' | 'stalled' | 'down';
  /** Epoch ms at which brokerState was entered. */
  brokerStateSinceMs: number;
  /** Mean time between fetch failures of one consumer, ms; 0 = none. */
  meanTimeBetweenDisconnectsMs: number;
  topics: Map<string, KafkaTopicState>;
  /** Committed offsets (next to read) by group id, then topic, then partition; -1 = none. */
  groups: Map<string, Map<string, Float64Array>>;
  /** What the Kafka sources of jobs read, by `<job id>/<vertex index>`. */
  sources: Map<string, KafkaSourceState>;
  /** Consumers created so far in each task manager's process, by resource id: client ids count them. */
  clientSequences: Map<string, number>;
}

export interface KafkaTopicState {
  name: string;
  /** Offset behind the last record, by partition. */
  endOffsets: Float64Array;
  startOffsets: Float64Array;
  recordBytes: number;
  /** Normalised. */
  partitionShares: Float64Array;
  /** Offered now, all partitions, records/s. */
  recordsPerSecond: number;
  /** Records already in each partition at the start, and over how long before it they were produced. */
  backlogPerPartition: number;
  backlogDurationMs: number;
  schedule: RateScheduleState;
  history: OfferHistoryState;
}

/** The offered rate over time: what holds now and how far the model's steps have been followed. */
export interface RateScheduleState {
  /** The rate moves from `fromRate` at `startMs` to `toRate` at `startMs + rampMs` (epoch ms, records/s). */
  startMs: number;
  fromRate: number;
  toRate: number;
  rampMs: number;
  /** What the model has in store, and the index of the next of it. */
  readonly steps: readonly RateStep[];
  nextStep: number;
}

/** Records offered since the start over time (all partitions), linear between the points: gives a record its time. */
export interface OfferHistoryState {
  timesMs: number[];
  offered: number[];
}

/** Where a Kafka source of a job is; columns by partition of the topic. */
export interface KafkaSourceState {
  readonly jobId: string;
  readonly vertexIndex: number;
  readonly topic: string;
  /** The topic's entry in KafkaState.topics. */
  readonly topicState: KafkaTopicState;
  readonly groupId: string;
  readonly legacy: boolean;
  /** Subtask that reads the partition. */
  owners: Int32Array;
  /** 1 = watermark alignment has paused the partition; absent = none was ever. */
  paused?: Uint8Array;
  /** Next offset that the source emits; the ones before are in the job. */
  emitted: Float64Array;
  /** Reading began at what a checkpoint or savepoint holds. */
  restored: boolean;
  /** Offsets at which reading began (the attempt's restored or initial positions). */
  initial: Float64Array;
  /** The client's position: records before it were handed out by a poll. */
  polled: Float64Array;
  /** End of what the client holds. */
  fetched: Float64Array;
  /** High watermark that came with the data that the client holds. */
  fetchedHighWatermark: Float64Array;
  /** What the response of the fetch in flight brings; meaningful between the broker's answer and its reading. */
  responseEnd: Float64Array;
  responseHighWatermark: Float64Array;
  /** Records behind the high watermark, as the last poll of the partition saw it; NaN = not polled yet. */
  recordsLag: Float64Array;
  /** Offset last committed to Kafka by this source's consumers (next to read); -1 = none. */
  committed: Float64Array;
  consumers: KafkaConsumerState[];
  /** Positions that checkpoints hold, by checkpoint id, oldest first; NaN where the subtask has not answered. */
  snapshots: Map<number, Float64Array>;
  /** Ids of completed checkpoints among them. */
  completedSnapshots: number[];
}

/** The consumer of a source subtask's current attempt. */
export interface KafkaConsumerState {
  readonly subtask: number;
  /** Attempt that it belongs to; another one means a new consumer. */
  readonly attemptId: string;
  readonly clientId: string;
  readonly startedMs: number;
  /** Owned partitions, in the order in which they were assigned. */
  readonly partitions: readonly number[];
  /** Partition whose fetched records are being handed out, -1 = none; then those that wait for it. */
  inLine: number;
  ready: number[];
  /** Records polled and not emitted yet, oldest first. */
  batches: KafkaBatchState[];
  /** Complete polls among the batches. */
  polls: number;
  /** Epoch ms since which the poll loop has been stuck handing over its records; -1 = it is not. */
  blockedSinceMs: number;
  connections: KafkaConnectionState[];
  coordinator: KafkaCoordinatorState;
  /** Time with a fetch in flight, in units of the mean time between disconnects, and the amount at which the next happens. */
  exposure: number;
  exposureLimit: number;
  disconnects: number;
  correlationId: number;
  // totals
  fetchTotal: number;
  recordsConsumedTotal: number;
  bytesConsumedTotal: number;
  commitsSucceeded: number;
  commitsFailed: number;
  /** Epoch ms of the last poll. */
  lastPollMs: number;
  lastAutoCommitMs: number;
  /** Largest lags of the client's current and previous window of 30 s; NaN = none recorded. */
  lagWindowStartMs: number;
  lagWindowMax: number;
  previousLagWindowMax: number;
}

export interface KafkaBatchState {
  readonly partition: number;
  /** Offset behind the last record. */
  readonly end: number;
  /** The last one of a poll. */
  readonly closesPoll: boolean;
}

/** The connection of a consumer to a broker that leads some of its partitions, and its fetch session there. */
export interface KafkaConnectionState {
  readonly broker: number;
  phase: 'connected' | 'waiting' | 'connecting';
  /** Epoch ms of the next attempt while waiting, or of the attempt under way. */
  phaseMs: number;
  /** Attempts that failed in a row. */
  failures: number;
  sessionId: number;
  sessions: number;
  /** Epoch of the next fetch in the session, 0 = INITIAL. */
  epoch: number;
  /** Epoch ms at which the fetch in flight was sent, -1 = none. */
  sentMs: number;
  inFlight: number[];
  /** Epoch ms at which the broker answered it, -1 = not yet. */
  answeredMs: number;
  responseBytes: number;
  /** The connection broke; the client has not looked yet. */
  broken: boolean;
}

export interface KafkaCoordinatorState {
  /** false: lost, to be found again. */
  known: boolean;
  /** Commits asked for and not answered, oldest first. */
  pending: { checkpointId: number; sentMs: number }[];
}
