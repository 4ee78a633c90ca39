/**
 * What a job is, before it runs: the input of the simulation. Everything here is given (by a scenario, a job template or a
 * submitted graph); nothing here is computed by the simulation. All objects are plain, frozen and structured-cloneable.
 */

/** How records of a producer are distributed over the consumer's subtasks; the words of Flink's plan. */
export type ShipStrategy = 'FORWARD' | 'REBALANCE' | 'RESCALE' | 'HASH' | 'BROADCAST' | 'GLOBAL' | 'SHUFFLE' | 'CUSTOM';

export interface JobModel {
  /** 32 hex digits, or null to derive one from the seed. */
  readonly jobId: string | null;
  readonly name: string;
  readonly jobType: 'STREAMING' | 'BATCH';
  /** Default parallelism of the job (execution-config), not of a vertex. */
  readonly parallelism: number;
  /** -1 = not set, as Flink reports it. */
  readonly maxParallelism: number;
  /** In the order Flink's JSON lists them: sources first, topologically sorted. */
  readonly vertices: readonly JobVertexModel[];
  readonly edges: readonly JobEdgeModel[];
  /** null = checkpointing off. */
  readonly checkpointing: CheckpointingModel | null;
  /** null = what the cluster's options say. */
  readonly restartStrategy: RestartStrategyModel | null;
  readonly userConfig: Readonly<Record<string, string>>;
  readonly objectReuse: boolean;
  readonly bufferTimeoutMs: number;
  /** Flink options set in the job itself (flinkConfiguration of a jar run). */
  readonly options: Readonly<Record<string, string>>;
  /** Task manager that each slot is taken on where it has one free, by slot sharing group; null or absent = in the order of the cluster. */
  readonly placement?: Readonly<Record<string, readonly (string | null)[]>>;
}

/** A vertex of the job graph: a chain of operators that run in one task thread. */
export interface JobVertexModel {
  /** 32 hex digits. */
  readonly id: string;
  readonly name: string;
  readonly parallelism: number;
  /** No parallelism was set: where the adaptive batch scheduler runs the job, it decides, from the size of the inputs; else `parallelism` holds. */
  readonly decidedAtRunTime?: true;
  readonly maxParallelism: number;
  readonly slotSharingGroup: string;
  /** Head first; at least one. */
  readonly operators: readonly OperatorModel[];
  /** Text of the plan's description, unescaped; null = made from the operators' names. */
  readonly description: string | null;
}

export interface OperatorModel {
  /** 32 hex digits. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'source' | 'map' | 'window' | 'async' | 'sink';
  /** Mean time the task's thread spends on a record that reaches this operator, microseconds. */
  readonly serviceTimeUs: number;
  /** Part of the service time in which the thread computes; the rest it waits (for an answer, a lock). Default: 1. */
  readonly cpuShare?: number;
  /** Records out for a record in (filter < 1, flatMap > 1). A sink's is 0. */
  readonly selectivity: number;
  /** Serialized size of a record that it emits, bytes, payload only (the wire adds its own few). */
  readonly outputRecordBytes: number;
  readonly state: StateModel | null;
  readonly source: SourceModel | null;
  readonly sink: SinkModel | null;
  readonly window: WindowModel | null;
  readonly async: AsyncModel | null;
  readonly failure: FailureModel | null;
}

export interface StateModel {
  /** Bytes that a record adds to the operator's state. */
  readonly bytesPerRecord: number;
  /** State stops growing there (all keys seen), bytes over all subtasks. */
  readonly maxBytes: number;
  /** State there is from the start, bytes over all subtasks (operator state such as offsets). */
  readonly initialBytes: number;
}

export type SourceModel = KafkaSourceModel | GeneratorSourceModel;

/** A watermark strategy's additions to bounded out-of-orderness; they do nothing where there are no watermarks, or in versions without them. */
export interface WatermarkStrategyModel {
  /** A split that gives no record for so long stops holding the watermark back (withIdleness); absent = never. */
  readonly idleAfterMs?: number;
  /** Sources of a group that are further ahead than the drift allows wait (withWatermarkAlignment); absent = none does. */
  readonly alignment?: { readonly group: string; readonly maxDriftMs: number; readonly updateIntervalMs: number };
}

export interface KafkaSourceModel extends WatermarkStrategyModel {
  readonly kind: 'kafka';
  readonly topic: string;
  readonly groupId: string;
  readonly startFrom: 'earliest' | 'latest' | 'group-offsets';
  /** true: FlinkKafkaConsumer on a SourceFunction (busy time not measurable), false: FLIP-27 KafkaSource. */
  readonly legacy: boolean;
  readonly maxOutOfOrdernessMs: number | null;
}

export interface GeneratorSourceModel extends WatermarkStrategyModel {
  readonly kind: 'generator';
  /** Offered load over all subtasks. Steps count from the moment the subtask runs; what could not be emitted is owed (open loop). */
  readonly rateSteps: readonly RateStep[];
  /** Records over all subtasks after which the source ends; null = unbounded. */
  readonly recordLimit: number | null;
  readonly legacy: boolean;
  readonly maxOutOfOrdernessMs: number | null;
}

/** From `afterMs` on the rate is `recordsPerSecond`; with `rampMs` it moves there linearly. */
export interface RateStep {
  readonly afterMs: number;
  readonly recordsPerSecond: number;
  readonly rampMs: number;
}

export interface SinkModel {
  /** Records a second that the outside system takes from all subtasks together; null = no limit. */
  readonly capacityRecordsPerSecond: number | null;
  /** What a commit on checkpoint costs in the synchronous part, ms. */
  readonly commitMs: number;
}

export interface WindowModel {
  readonly sizeMs: number;
  readonly slideMs: number;
}

export interface AsyncModel {
  /** Requests in flight a subtask. */
  readonly capacity: number;
  readonly latencyMs: number;
}

export interface FailureModel {
  /** A subtask throws when it has taken so many records since its attempt started. */
  readonly afterRecords: number;
  readonly exceptionClass: string;
  readonly message: string;
}

export interface JobEdgeModel {
  readonly sourceVertexId: string;
  readonly targetVertexId: string;
  readonly shipStrategy: ShipStrategy;
  readonly exchange: 'pipelined_bounded' | 'blocking';
  /** Part of the producer's output that goes this way (side outputs); each edge normally gets all. */
  readonly fraction: number;
  /** Only for HASH and CUSTOM. */
  readonly skew: SkewModel | null;
}

export type SkewModel =
  /** Records that carry one of the named keys, as shares of all; the rest is uniform over the key groups. */
  | { readonly kind: 'hot-keys'; readonly hotKeys: readonly { readonly key: string; readonly share: number }[] }
  /** Key k has weight 1/k^exponent over `keys` keys. */
  | { readonly kind: 'zipf'; readonly exponent: number; readonly keys: number }
  /** Shares by consumer subtask, normalised. */
  | { readonly kind: 'shares'; readonly shares: readonly number[] };

export interface CheckpointingModel {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly minPauseMs: number;
  readonly maxConcurrent: number;
  readonly mode: 'EXACTLY_ONCE' | 'AT_LEAST_ONCE';
  readonly unaligned: boolean;
  readonly alignedTimeoutMs: number;
  readonly retention: 'RETAIN_ON_CANCELLATION' | 'DELETE_ON_CANCELLATION' | 'NO_EXTERNALIZED_CHECKPOINTS';
  readonly tolerableFailures: number;
  readonly afterTasksFinish: boolean;
  readonly stateBackend: 'hashmap' | 'rocksdb' | 'forst';
  readonly incremental: boolean;
}

export type RestartStrategyModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'fixed-delay'; readonly attempts: number; readonly delayMs: number }
  | { readonly kind: 'failure-rate'; readonly maxFailuresPerInterval: number; readonly intervalMs: number; readonly delayMs: number }
  | {
      readonly kind: 'exponential-delay';
      readonly initialBackoffMs: number;
      readonly maxBackoffMs: number;
      readonly backoffMultiplier: number;
      readonly resetThresholdMs: number;
      readonly jitterFactor: number;
    };
