import { since, valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** How jobs, tasks, slots and checkpoints live, release by release. Each line says why. */
const TABLE = {
  // --- jobs and tasks
  /** A job is INITIALIZING before CREATED (FLINK-16866). */
  jobHasInitializing: since('1.12'),
  /** A task is INITIALIZING between DEPLOYING and RUNNING (FLINK-17012). */
  taskHasInitializing: since('1.13'),
  /** RUNNING → FAILING → RESTARTING → CREATED → RUNNING; DefaultScheduler goes RUNNING → RESTARTING → RUNNING. */
  failsBeforeRestarting: since('1.9', '1.10'),
  /** jobmanager.execution.failover-strategy when it is not set. */
  defaultFailoverStrategy: [
    ['1.9', 'full'],
    ['1.10', 'region'],
  ] as ByVersion<'full' | 'region'>,
  /** ExecutionAttemptID is `<graph>_<vertex>_<subtask>_<attempt>` (FLINK-17295). */
  attemptIdIsPath: since('1.16'),
  /** ResourceID of a standalone task manager is `host:port-6hex` (FLINK-17579). */
  resourceIdIsAddress: since('1.12'),
  /** Task names in the task manager's log end in `#<attempt>`. */
  taskNameHasAttempt: since('1.12'),
  /** Restart strategy when checkpointing is on and nothing is configured (FLIP-364). */
  defaultRestartStrategy: [
    ['1.9', 'fixed-delay'],
    ['2.0', 'exponential-delay'],
  ] as ByVersion<'fixed-delay' | 'exponential-delay'>,
  /** Delay of that default fixed-delay strategy, ms (FLINK-13884). */
  defaultRestartDelayMs: [
    ['1.9', 0],
    ['1.10', 1000],
  ] as ByVersion<number>,
  /** Maximum and multiplier of exponential-delay when not set (FLIP-364). */
  exponentialMaxBackoffMs: [
    ['1.9', 300_000],
    ['1.19', 60_000],
  ] as ByVersion<number>,
  exponentialMultiplier: [
    ['1.9', 2],
    ['1.19', 1.5],
  ] as ByVersion<number>,
  /** Restart strategy's class, as `Recovery is suppressed by …` and the JobMaster name it. */
  restartStrategySuffix: [
    ['1.9', 'RestartStrategy'],
    ['1.10', 'RestartBackoffTimeStrategy'],
  ] as ByVersion<string>,
  /** A job that can no longer restart fails with a JobException around the last failure. */
  wrapsSuppressedFailure: since('1.10'),
  /** What cannot be restored at submission: the submission fails, or a FAILED job without vertices appears. */
  failedInitializationLeavesJob: since('1.12'),
  /** The exception history is written with the restart, not with the failure. */
  recordsExceptionsAtRestart: since('1.13', '1.14'),
  // --- slots and task managers
  /** Requirements are declared; what can never be fulfilled fails at once after the start-up period (FLIP-138). */
  declaresRequirements: since('1.13'),
  /** Pending requests fail with a CompletionException around NoResourceAvailableException. */
  wrapsNoResource: since('1.10', '1.15'),
  /** RPCs to a dead task manager fail at once, and two missed heartbeat RPCs declare it lost (FLINK-23209). */
  detectsUnreachable: since('1.14'),
  /** From the start of a job manager's process: REST answers, then a leader is known, then the resource manager leads too, ms (recorded). */
  jobManagerStartUpMs: [
    ['1.9', { rest: 1_900, leader: 300, resourceManager: 0 }],
    ['1.12', { rest: 3_600, leader: 0, resourceManager: 500 }],
    ['1.14', { rest: 3_700, leader: 0, resourceManager: 0 }],
  ] as ByVersion<{ readonly rest: number; readonly leader: number; readonly resourceManager: number }>,
  // --- adaptive scheduler
  /** scaling-interval.min, later executing.cooldown-after-rescaling, when not set (FLIP-322). */
  rescaleCooldownMs: [
    ['1.9', 0],
    ['1.19', 30_000],
  ] as ByVersion<number>,
  /** executing.resource-stabilization-timeout when not set (FLIP-472). */
  rescaleStabilizationMs: [
    ['1.9', 0],
    ['2.0', 60_000],
  ] as ByVersion<number>,
  /** A rescale waits for the next completed checkpoint (FLIP-461). */
  rescalesWithCheckpoint: since('2.0'),
  /** A smaller upper bound rescales a running job; recorded on 1.20.5: it does not, until something else restarts the job. */
  adaptiveScalesDown: [
    ['1.9', true],
    ['1.20', false],
    ['2.0', true],
  ] as ByVersion<boolean>,
  // --- application mode
  /** Process of a cluster that is there for one program (FLIP-85). */
  applicationEntrypoint: [
    ['1.9', 'StandaloneJobClusterEntryPoint'],
    ['1.11', 'StandaloneApplicationClusterEntryPoint'],
  ] as ByVersion<string>,
  /** The main method runs in the job manager, which asks for the job's result every client.retry-period; before, the dispatcher itself ends with the job. */
  applicationPollsResult: since('1.11'),
  /** execution.shutdown-on-application-finish (FLINK-25715). */
  applicationCanStay: since('1.15'),
  // --- batch
  /** AdaptiveBatchScheduler (FLIP-187): not there, where jobmanager.scheduler asks for it, for every batch job unless that asks for another (FLIP-283). */
  adaptiveBatchScheduler: [
    ['1.9', 'absent'],
    ['1.15', 'on request'],
    ['1.17', 'default'],
  ] as ByVersion<'absent' | 'on request' | 'default'>,
  /** Vertices come into being one after the other, as their inputs are finished (FLIP-469); before, all are there, without subtasks. */
  batchVerticesAppear: since('2.0'),
  /** Decided parallelism is a power of two (until FLINK-29663). */
  batchParallelismIsPowerOfTwo: since('1.15', '1.17'),
  /** avg-data-volume-per-task when not set. */
  batchBytesPerTask: [
    ['1.9', 1_073_741_824],
    ['1.17', 16_777_216],
  ] as ByVersion<number>,
  /** max-parallelism when not set is parallelism.default, if that is set. */
  batchLimitIsDefaultParallelism: since('1.17'),
  /** default-source-parallelism when not set is max-parallelism (FLIP-379); before, 1. */
  batchSourcesFollowLimit: since('1.19'),
  // --- checkpoints
  /** CheckpointRequestDecider keeps requests in a queue (FLINK-17342); before, one flag and a restarted timer. */
  queuesCheckpointRequests: since('1.11'),
  /** Failures of the trigger phase count as failed checkpoints (FLINK-24384). */
  countsFailedTriggers: since('1.15'),
  /** Expired checkpoints count against the tolerable failures (FLINK-17351). */
  countsExpiredFailures: since('1.10'),
  /** The scheduler stands still until every task runs (ExecutionTrackingCheckpointCoordinatorDeActivator). */
  schedulesWhenAllTasksRun: since('2.3'),
  /** Tasks are told of aborted checkpoints and do not take part any more (FLINK-8871); before, late messages come. */
  notifiesAborted: since('1.11'),
  /** A failed disposal comes wrapped in a CompletionException. */
  wrapsDisposalFailure: since('1.9', '1.15'),
  /** What a failing asynchronous part of a snapshot is called. */
  asyncFailureReason: [
    ['1.9', 'Checkpoint was declined.'],
    ['1.13', 'Asynchronous task checkpoint failed.'],
  ] as ByVersion<string>,
  /** Late acknowledgements still enter the subtask's statistics (FLINK-19462). */
  recordsLateStatistics: since('1.12'),
  /** Late messages are told for expired checkpoints only, not for every one of the last 16 ids. */
  lateMessagesOnlyForExpired: since('1.18'),
  /** A savepoint that ends the job is kept with the completed checkpoints (until FLIP-203). */
  storesSavepoints: since('1.9', '1.14'),
  /** A checkpoint waits for running tasks only, finished ones take no part (FLIP-147). */
  checkpointsAfterTasksFinish: since('1.14'),
  /** …without execution.checkpointing.checkpoints-after-tasks-finish.enabled being set (FLINK-25105). */
  checkpointsAfterTasksFinishByDefault: since('1.15'),
  // --- logs
  /** log4j.properties let files roll by size (FLINK-8357). */
  logFilesRoll: since('1.13'),
  // --- texts
  /** What `%x` prints in the log: nothing with log4j 1, `[]` with log4j 2 (FLINK-15672). */
  logContext: [
    ['1.9', ''],
    ['1.11', '[]'],
  ] as ByVersion<string>,
  rpcSystem: [
    ['1.9', 'akka'],
    ['1.18', 'pekko'],
  ] as ByVersion<string>,
  /** Path of endpoints in the RPC system. */
  rpcUserPath: [
    ['1.9', '/user/'],
    ['1.11', '/user/rpc/'],
  ] as ByVersion<string>,
  /** Names of the endpoints that start with the JobManager: they count together from 1.11 on. */
  startEndpoints: [
    ['1.9', { resourceManager: 'resourcemanager', dispatcher: 'dispatcher', next: 0 }],
    ['1.11', { resourceManager: 'resourcemanager_0', dispatcher: 'dispatcher_1', next: 2 }],
    ['1.14', { resourceManager: 'resourcemanager_1', dispatcher: 'dispatcher_0', next: 2 }],
  ] as ByVersion<{ readonly resourceManager: string; readonly dispatcher: string; readonly next: number }>,
  /** Name of the resource manager's endpoint, as others address it (the star resolves the current one). */
  resourceManagerEndpoint: [
    ['1.9', 'resourcemanager'],
    ['1.11', 'resourcemanager_*'],
  ] as ByVersion<string>,
};

export type LifecycleFeatures = { readonly [K in keyof typeof TABLE]: (typeof TABLE)[K] extends ByVersion<infer T> ? T : never };

/** What holds in a version. */
export function lifecycleFeatures(version: FlinkVersion): LifecycleFeatures {
  return Object.freeze(Object.fromEntries(Object.entries(TABLE).map(([name, table]) => [name, valueIn(table as ByVersion<unknown>, version)]))) as LifecycleFeatures;
}
