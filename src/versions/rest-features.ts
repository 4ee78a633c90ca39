import { since, valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** What REST answers differ in beyond their shape (which is in rest-spec). Each line says why. */
const TABLE = {
  /** errors[0] carries the exception's class and stack trace (FLINK-12781). */
  errorsHaveStackTrace: since('1.10'),
  // --- protocol
  /** Netty's HttpHeaders.Names write `Content-Type`, its successor lower case (FLINK-29812). */
  headerNamesAreCapitalized: since('1.9', '1.17'),
  /** `Not found: /path` instead of `Not found.` (FLINK-21108). */
  notFoundTellsTarget: since('1.14'),
  /** Unknown fields of a request's body are passed over (FLINK-35302). */
  unknownBodyFieldsAreIgnored: since('1.20'),
  /** Multipart requests and uploads are refused before routing where the route takes none (FLINK-26808). */
  multipartIsCheckedBeforeRouting: since('1.20'),
  /** An uploaded file whose name has folders is not found again (CVE-2020-17518). */
  escapingUploadNamesAreLost: since('1.9', '1.10'),
  /** rest.url-prefix is an option. */
  hasUrlPrefix: since('1.18'),
  /** The router answers 304 with `connection: close`. */
  notModifiedClosesLoudly: since('1.17'),
  // --- jobs
  /** A job starts with INITIALIZING, not with CREATED (FLINK-16866). */
  jobStartsInitializing: since('1.12'),
  /** Task states count INITIALIZING (FLINK-17012). */
  countsInitializingTasks: since('1.13'),
  /** `tasks` of /jobs/overview comes out of a hash map, not in the order of the states (FLINK-29234). */
  overviewTasksAreHashed: since('1.17'),
  /** A plan's description is the tree of the chain (FLINK-25072), before that the vertex's name. */
  planDescriptionIsTree: since('1.15'),
  /** Batch jobs show vertices from the moment that their inputs are there (FLIP-469), and the stream graph beside them. */
  batchVerticesAppear: since('2.0'),
  /** Batch plans list vertices as they were created (FLINK-36063), not sinks first. */
  batchPlanInCreationOrder: since('2.0'),
  /** The cluster's restart strategy is shown as the job's own (`ExecutionConfig#configure` copies it). */
  clusterRestartStrategyIsShown: [
    ['1.9', false],
    ['1.10', true],
    ['1.19', false],
    ['2.0', true],
  ] as ByVersion<boolean>,
  /** Durations in the restart strategy's text: `2000 ms`, from FLIP-381 on `PT2S`. */
  restartStrategyDurations: [
    ['1.9', 'milliseconds'],
    ['2.0', 'iso-8601'],
  ] as ByVersion<'milliseconds' | 'iso-8601'>,
  /** Cancelling a canceled job succeeds, cancelling one that ended otherwise is 409 (FLINK-24275); before, both are 404. */
  cancelKnowsEndedJobs: since('1.15'),
  /** maxExceptions limits the history as Stream#limit does, which takes no negative number. */
  negativeExceptionLimitFails: since('1.14'),
  /** Exceptions of single tasks are told only once the job as a whole has failed. */
  taskExceptionsNeedRootException: since('1.13'),
  /** Plan of a job without an execution graph: an empty object, an empty plan since the plan is a class of its own. */
  sparsePlanIsEmptyObject: since('1.9', '2.1'),
  // --- vertices and subtasks
  /** `host` of a subtask in a vertex's details has the data port (until FLINK-13871). */
  vertexDetailsHostHasPort: since('1.9', '1.10'),
  /** An unknown vertex on /taskmanagers is 404; before, a NullPointerException. */
  unknownVertexOfTaskManagersIsNotFound: since('1.10'),
  /** Counters of a running attempt are those of that attempt, missing until they were fetched (FLINK-28588); before, its subtask's, whichever attempt they came from. */
  countersAreOfTheAttempt: since('1.16'),
  /** Back pressure is sampled on request (until FLINK-20852), not read from the time gauges. */
  backPressureIsSampled: since('1.9', '1.13'),
  // --- checkpoints
  /** A job that initializes has checkpoint statistics (FLINK-21659). */
  sparseJobHasCheckpointStats: since('1.13'),
  /** Bytes buffered while aligning are told; later always 0 (FLINK-16404). */
  reportsAlignmentBuffered: since('1.9', '1.11'),
  /** Checkpoint statistics have a cache of their own beside the execution graph's (FLINK-32469). */
  checkpointStatsHaveOwnCache: since('1.18'),
  /** checkpoint_type tells unaligned checkpoints apart (FLINK-26783). */
  tellsUnalignedCheckpoints: since('1.16'),
  /** Names of state backend classes: one class for state and storage until FLIP-142. */
  stateBackendIncludesStorage: since('1.9', '1.13'),
  /** Mode of a job without checkpointing. */
  disabledCheckpointingMode: [
    ['1.9', 'exactly_once'],
    ['1.10', 'at_least_once'],
  ] as ByVersion<'exactly_once' | 'at_least_once'>,
  // --- cluster, jars, operations
  /** Job manager files are served as static files, with headers for caches (until FLINK-13987). */
  logsAreStaticFiles: since('1.9', '1.11'),
  /** Files of an unknown task manager are 404; before, the handler's own 404 got lost (FLINK-32309). */
  unknownTaskManagerFileIsNotFound: since('1.18'),
  /** Address of a task manager's RPC endpoint, before and after host and port (`/user/rpc` since FLINK-14311, Pekko since FLINK-32468). */
  taskManagerRpcPath: [
    ['1.9', ['akka.tcp://flink@', '/user/taskmanager_0']],
    ['1.11', ['akka.tcp://flink@', '/user/rpc/taskmanager_0']],
    ['1.18', ['pekko.tcp://flink@', '/user/rpc/taskmanager_0']],
  ] as ByVersion<readonly [string, string]>,
  /** The default slot manager tells which slots are taken (fine-grained by default: FLINK-31439). */
  tellsAllocatedSlots: since('1.18'),
  /** A jar run executes the program in the web server (FLINK-16655): what fails then is 400, what fails before is wrapped. */
  jarRunExecutesProgram: since('1.11'),
  /** The plan handler loads the program before it goes asynchronous (FLINK-29801): failures are wrapped in a CompletionException. */
  jarPlanLoadsFirst: since('1.17'),
  /** Savepoint operations live in the dispatcher (FLINK-24848): an unknown one has a text of its own. */
  savepointsInDispatcher: since('1.15'),
  /** Asking for an incremental checkpoint is refused (FLINK-33723). */
  refusesIncrementalCheckpoint: since('1.19'),
};

export type RestFeatures = { readonly [K in keyof typeof TABLE]: (typeof TABLE)[K] extends ByVersion<infer T> ? T : never };

/** What holds in a version. */
export function restFeatures(version: FlinkVersion): RestFeatures {
  return Object.freeze(Object.fromEntries(Object.entries(TABLE).map(([name, table]) => [name, valueIn(table as ByVersion<unknown>, version)]))) as RestFeatures;
}
