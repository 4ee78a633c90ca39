import type { FailureModel, JobModel, SkewModel } from './job-model.js';

/** Names a job by id or name, a vertex or operator by id or name, within it. */
export interface OperatorSelector {
  readonly job: string;
  readonly operator: string;
}

/** What the cluster's failure enrichers make of a failure. */
export type FailureLabels = Readonly<Record<string, string>>;

/** What a scenario changes at an instant, and what the control API can do live. `atMs` counts from the simulation's start. */
export type TimelineEvent = { readonly atMs: number } & TimelineAction;

export type TimelineAction =
  | { readonly kind: 'set-topic-rate'; readonly topic: string; readonly recordsPerSecond: number; readonly rampMs: number }
  | { readonly kind: 'set-source-rate'; readonly target: OperatorSelector; readonly recordsPerSecond: number; readonly rampMs: number }
  | { readonly kind: 'set-service-time'; readonly target: OperatorSelector; readonly serviceTimeUs: number }
  | { readonly kind: 'set-selectivity'; readonly target: OperatorSelector; readonly selectivity: number }
  | { readonly kind: 'set-record-bytes'; readonly target: OperatorSelector; readonly outputRecordBytes: number }
  | { readonly kind: 'set-sink-capacity'; readonly target: OperatorSelector; readonly recordsPerSecond: number | null }
  /** Skew of the edge into the vertex that holds `target`. */
  | { readonly kind: 'set-skew'; readonly target: OperatorSelector; readonly skew: SkewModel | null }
  /** Fetches of Kafka consumers fail now and then: mean time between failures of one consumer; 0 = healthy again. */
  | { readonly kind: 'set-kafka-flakiness'; readonly meanTimeBetweenDisconnectsMs: number }
  | { readonly kind: 'set-kafka-broker'; readonly state: 'up' | 'stalled' | 'down' }
  | { readonly kind: 'set-checkpoint-storage'; readonly bytesPerSecond: number | null; readonly latencyMs: number; readonly failing: boolean }
  | { readonly kind: 'fail-subtask'; readonly target: OperatorSelector; readonly subtask: number; readonly exceptionClass: string; readonly message: string; readonly labels?: FailureLabels }
  /** Something fails that belongs to no task. */
  | { readonly kind: 'fail-job'; readonly job: string; readonly exceptionClass: string; readonly message: string; readonly labels?: FailureLabels }
  | { readonly kind: 'kill-task-manager'; readonly taskManager: string }
  | { readonly kind: 'add-task-managers'; readonly count: number }
  /** Its tasks stand still and it answers nobody: stopped, collecting garbage, or cut off. */
  | { readonly kind: 'silence-task-manager'; readonly taskManager: string; readonly forMs: number; readonly cause: 'stopped' | 'garbage-collection' | 'partitioned' }
  /** The network between two task managers is gone. */
  | { readonly kind: 'disconnect-task-managers'; readonly first: string; readonly second: string; readonly forMs: number }
  | { readonly kind: 'out-of-memory'; readonly taskManager: string; readonly memory: 'heap' | 'metaspace' }
  /** An operator throws when a subtask has taken so many records since its attempt began; null = it no longer does. */
  | { readonly kind: 'set-failure'; readonly target: OperatorSelector; readonly failure: FailureModel | null }
  /** A topic gets so many records a second for a while. */
  | { readonly kind: 'burst'; readonly topic: string; readonly recordsPerSecond: number; readonly forMs: number }
  /** `checkpoint` null = the next one. */
  | { readonly kind: 'fault-checkpoint'; readonly job: string; readonly checkpoint: number | null; readonly fault: 'decline' | 'fail' | 'delay'; readonly delayMs: number }
  | { readonly kind: 'expire-checkpoints'; readonly job: string }
  /** The machines' wall clock jumps ahead. */
  | { readonly kind: 'jump-clock'; readonly byMs: number }
  /** The job manager's process dies and is started again; without high availability its jobs are gone. */
  | { readonly kind: 'crash-job-manager'; readonly restartAfterMs: number }
  /** The leading job manager dies, one that stands by takes over (and is who answers from the start). */
  | { readonly kind: 'fail-over-job-manager' }
  /** The job manager's process stays, but does not lead for a while: its jobs are suspended, and recovered when it leads again. */
  | { readonly kind: 'revoke-leadership'; readonly forMs: number }
  | { readonly kind: 'submit-job'; readonly job: JobModel }
  | { readonly kind: 'cancel-job'; readonly job: string }
  | { readonly kind: 'trigger-savepoint'; readonly job: string; readonly cancelJob: boolean }
  | { readonly kind: 'rescale-job'; readonly job: string; readonly parallelism: number };
