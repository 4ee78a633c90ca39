import type { LogLineSpec } from './log-lines.js';

const R = 'org.apache.flink.runtime.';
const DISPATCHER = `${R}dispatcher.StandaloneDispatcher`;
const JOB_MASTER = `${R}jobmaster.JobMaster`;
const GRAPH = `${R}executiongraph.ExecutionGraph`;
const RESOURCE_MANAGER = `${R}resourcemanager.StandaloneResourceManager`;
const APPLICATION = `${R}application.AbstractApplication`;
const EMBEDDED = 'org.apache.flink.client.deployment.application.executors.EmbeddedExecutor';
const BOOTSTRAP = [
  ['1.9', 'org.apache.flink.client.deployment.application.ApplicationDispatcherBootstrap'],
  ['2.3', 'org.apache.flink.client.deployment.application.PackagedProgramApplication'],
] as const;
const SLOT_MANAGER = [
  ['1.9', `${R}resourcemanager.slotmanager.SlotManagerImpl`],
  ['1.13', `${R}resourcemanager.slotmanager.DeclarativeSlotManager`],
  ['1.16', `${R}resourcemanager.slotmanager.FineGrainedSlotManager`],
] as const;
const SLOT_POOL = [
  ['1.9', `${R}jobmaster.slotpool.SlotPoolImpl`],
  ['1.13', `${R}jobmaster.slotpool.DeclarativeSlotPoolBridge`],
] as const;

/** Job, task and slot lines of the JobManager; wording and loggers from recorded logs of 1.9.3, 1.13.6, 1.20.5 and 2.3.0. */
export const JOB_MANAGER_LOG_LINES = {
  // submission
  receivedApplication: { level: 'INFO', logger: DISPATCHER, text: [['1.9', null], ['2.3', "Received application submission 'SingleJobApplication({job})' ({id})."]] },
  submittingApplication: { level: 'INFO', logger: DISPATCHER, text: [['1.9', null], ['2.3', "Submitting application 'SingleJobApplication({job})' ({id})."]] },
  applicationSwitched: { level: 'INFO', logger: APPLICATION, text: [['1.9', null], ['2.3', 'Application SingleJobApplication({job}) ({id}) switched from state {from} to {to}.']] },
  namedApplicationSwitched: { level: 'INFO', logger: APPLICATION, text: [['1.9', null], ['2.3', 'Application {name} ({id}) switched from state {from} to {to}.']] },
  applicationCompleted: { level: 'INFO', logger: `${R}application.SingleJobApplication`, text: [['1.9', null], ['2.3', 'Application completed with job status {status}']] },
  receivedSubmission: {
    level: 'INFO',
    logger: DISPATCHER,
    text: [['1.9', 'Received JobGraph submission {id} ({job}).'], ['1.14', "Received JobGraph submission '{job}' ({id})."], ['2.0', "Received job submission '{job}' ({id})."]],
  },
  submittingJob: {
    level: 'INFO',
    logger: DISPATCHER,
    text: [['1.9', 'Submitting job {id} ({job}).'], ['1.14', "Submitting job '{job}' ({id})."], ['2.3', "Submitting job '{job}' ({id}) with associated application ({application})."]],
  },
  grantedLeadership: {
    level: 'INFO',
    logger: [['1.9', `${R}jobmaster.JobManagerRunner`], ['1.10', `${R}jobmaster.JobManagerRunnerImpl`], ['1.14', `${R}jobmaster.JobMasterServiceLeadershipRunner`]],
    text: [
      ['1.9', null],
      ['1.14', 'JobMasterServiceLeadershipRunner for job {id} was granted leadership with leader id 00000000-0000-0000-0000-000000000000. Creating new JobMasterServiceProcess.'],
    ],
  },
  startingJobMasterEndpoint: {
    level: 'INFO',
    logger: [['1.9', `${R}rpc.akka.AkkaRpcService`], ['1.18', `${R}rpc.pekko.PekkoRpcService`]],
    text: 'Starting RPC endpoint for org.apache.flink.runtime.jobmaster.JobMaster at {rpcSystem}://flink{rpcPath}jobmanager_{number} .',
  },
  initializingJob: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', 'Initializing job {job} ({id}).'], ['1.14', "Initializing job '{job}' ({id})."]] },
  usingRestartStrategy: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [['1.9', 'Using restart strategy {strategy} for {job} ({id}).'], ['1.10', 'Using restart back off time strategy {strategy} for {job} ({id}).']],
  },
  failoverStrategy: { level: 'INFO', logger: GRAPH, text: [['1.9', 'Job recovers via failover strategy: {failover}'], ['1.10', null]] },
  // leadership lost
  restLostLeadership: { level: 'INFO', logger: `${R}dispatcher.DispatcherRestEndpoint`, text: 'http://{host}:{restPort} lost leadership' },
  dispatcherRevoked: {
    level: 'INFO',
    logger: `${R}dispatcher.runner.DefaultDispatcherRunner`,
    text: [['1.9', null], ['1.14', 'DefaultDispatcherRunner was revoked the leadership with leader id {session}. Stopping the DispatcherLeaderProcess.']],
  },
  stoppingDispatcherProcess: { level: 'INFO', logger: `${R}dispatcher.runner.SessionDispatcherLeaderProcess`, text: [['1.9', null], ['1.10', 'Stopping SessionDispatcherLeaderProcess.']] },
  resourceManagerRevoked: { level: 'INFO', logger: `${R}resourcemanager.ResourceManagerServiceImpl`, text: [['1.9', null], ['1.14', 'Resource manager service is revoked leadership with session id {session}.']] },
  jobSuspended: { level: 'INFO', logger: GRAPH, text: 'Job {id} has been suspended.' },
  // the end of an application
  applicationSucceeded: { level: 'INFO', logger: BOOTSTRAP, text: [['1.9', null], ['1.11', 'Application completed SUCCESSFULLY']] },
  applicationEnded: { level: 'INFO', logger: BOOTSTRAP, text: [['1.9', null], ['1.11', 'Application {status}: ']] },
  embeddedSubmitted: { level: 'INFO', logger: EMBEDDED, text: [['1.9', null], ['1.11', 'Job {id} is submitted.']] },
  embeddedSubmitting: { level: 'INFO', logger: EMBEDDED, text: [['1.9', null], ['1.11', 'Submitting Job with JobId={id}.']] },
  shuttingEntrypoint: { level: 'INFO', logger: `${R}entrypoint.ClusterEntrypoint`, text: [['1.9', 'Shutting {entrypoint} down with application status {status}. Diagnostics null.']] },
  shuttingRest: { level: 'INFO', logger: `${R}jobmaster.MiniDispatcherRestEndpoint`, text: 'Shutting down rest endpoint.' },
  restShutDown: { level: 'INFO', logger: `${R}jobmaster.MiniDispatcherRestEndpoint`, text: 'Shut down complete.' },
  shutDownCluster: { level: 'INFO', logger: RESOURCE_MANAGER, text: 'Shut down cluster because application is in {status}, diagnostics null.' },
  terminatingEntrypoint: { level: 'INFO', logger: `${R}entrypoint.ClusterEntrypoint`, text: 'Terminating cluster entrypoint process {entrypoint} with exit code {code}.' },
  parallelismDecided: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', null], ['1.15', 'Parallelism of JobVertex: {vertexName} ({vertex}) is decided to be {parallelism}.']] },
  createdExecutionGraph: { level: 'INFO', logger: GRAPH, text: [['1.9', null], ['1.16', 'Created execution graph {graph} for job {id}.']] },
  runningInitialization: { level: 'INFO', logger: JOB_MASTER, text: 'Running initialization on master for job {job} ({id}).' },
  ranInitialization: { level: 'INFO', logger: JOB_MASTER, text: 'Successfully ran initialization on master in 0 ms.' },
  builtRegions: {
    level: 'INFO',
    logger: `${R}scheduler.adapter.DefaultExecutionTopology`,
    text: [['1.9', null], ['1.11', 'Built {regions} pipelined regions in {ms} ms'], ['1.16', 'Built {regions} new pipelined regions in {ms} ms, total {regions} pipelined regions currently.']],
  },
  usingFailoverStrategy: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [
      ['1.9', null],
      ['1.10', 'Using failover strategy org.apache.flink.runtime.executiongraph.failover.flip1.{failover}@{hash} for {job} ({id}).'],
      ['1.20', 'Using failover strategy org.apache.flink.runtime.executiongraph.failover.{failover}@{hash} for {job} ({id}).'],
    ],
  },
  runnerGrantedLeadership: {
    level: 'INFO',
    logger: [['1.9', `${R}jobmaster.JobManagerRunner`], ['1.10', `${R}jobmaster.JobManagerRunnerImpl`]],
    text: [
      ['1.9', 'JobManager runner for job {job} ({id}) was granted leadership with session id 00000000-0000-0000-0000-000000000000 at {rpcSystem}.tcp://flink@{host}:{port}{rpcPath}jobmanager_{number}.'],
      ['1.13', null],
    ],
  },
  startingExecution: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [
      ['1.9', 'Starting execution of job {job} ({id}) under job master id 00000000000000000000000000000000.'],
      ['1.14', "Starting execution of job '{job}' ({id}) under job master id 00000000000000000000000000000000."],
    ],
  },
  startingScheduling: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [['1.9', null], ['1.11', 'Starting scheduling with scheduling strategy [org.apache.flink.runtime.scheduler.strategy.PipelinedRegionSchedulingStrategy]']],
  },
  jobSwitched: { level: 'INFO', logger: GRAPH, text: 'Job {job} ({id}) switched from state {from} to {to}.' },
  // resource manager connection
  connectingResourceManager: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: 'Connecting to ResourceManager {rpcSystem}.tcp://flink@{host}:{port}{rpcPath}{resourceManager}(00000000000000000000000000000000)',
  },
  resolvedResourceManager: { level: 'INFO', logger: JOB_MASTER, text: 'Resolved ResourceManager address, beginning registration' },
  registeringJobManager: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: 'Registering job manager 00000000000000000000000000000000@{rpcSystem}.tcp://flink@{host}:{port}{rpcPath}jobmanager_{number} for job {id}.',
  },
  registeredJobManager: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: 'Registered job manager 00000000000000000000000000000000@{rpcSystem}.tcp://flink@{host}:{port}{rpcPath}jobmanager_{number} for job {id}.',
  },
  jobManagerRegistered: { level: 'INFO', logger: JOB_MASTER, text: 'JobManager successfully registered at ResourceManager, leader id: 00000000000000000000000000000000.' },
  // slots
  requestingSlot: {
    level: 'INFO',
    logger: SLOT_POOL,
    text: [['1.9', 'Requesting new slot [SlotRequestId{{request}}] and profile {unknownProfile} from resource manager.'], ['1.13', null]],
  },
  requestSlot: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: [['1.9', 'Request slot with profile {unknownProfile} for job {id} with allocation id {allocation}.'], ['1.13', null]],
  },
  receivedRequirements: {
    level: 'INFO',
    logger: SLOT_MANAGER,
    text: [['1.9', null], ['1.13', 'Received resource requirements from job {id}: [ResourceRequirement{resourceProfile=ResourceProfile{UNKNOWN}, numberOfRequiredSlots={slots}}]']],
  },
  matchingRequirements: { level: 'INFO', logger: SLOT_MANAGER, text: [['1.9', null], ['1.18', 'Matching resource requirements against available resources.']] },
  startingAllocation: {
    level: 'INFO',
    logger: `${R}resourcemanager.slotmanager.DefaultSlotStatusSyncer`,
    text: [['1.9', null], ['1.16', 'Starting allocation of slot {allocation} from {taskManager} for job {id} with resource profile {profile}.']],
  },
  clearingRequirements: { level: 'INFO', logger: SLOT_MANAGER, text: [['1.9', null], ['1.13', 'Clearing resource requirements of job {id}']] },
  releasingSlot: { level: 'INFO', logger: `${R}jobmaster.slotpool.DefaultDeclarativeSlotPool`, text: [['1.9', null], ['1.13', 'Releasing slot [{allocation}].']] },
  freeingSlot: { level: 'INFO', logger: `${R}resourcemanager.slotmanager.DefaultSlotStatusSyncer`, text: [['1.9', null], ['1.16', 'Freeing slot {allocation}.']] },
  notEnoughResources: {
    level: 'WARN',
    logger: SLOT_POOL,
    text: [['1.9', null], ['1.13', 'Could not acquire the minimum required resources, failing slot requests. Acquired: {acquired}. Current slot pool status: Registered TMs: {registered}, registered slots: {slots} free slots: 0']],
  },
  failingSlotRequest: {
    level: 'INFO',
    logger: SLOT_POOL,
    text: [['1.9', 'Failing pending slot request [SlotRequestId{{request}}]: Pending slot request with SlotRequestId{{request}} has been released.'], ['1.13', null]],
  },
  // tasks
  taskSwitched: { level: 'INFO', logger: GRAPH, text: '{task} ({attempt}) switched from {from} to {to}.' },
  taskFailed: {
    level: 'INFO',
    logger: GRAPH,
    text: [['1.9', '{task} ({attempt}) switched from {from} to FAILED.'], ['1.11', '{task} ({attempt}) switched from {from} to FAILED on {location}.']],
  },
  deploying: {
    level: 'INFO',
    logger: GRAPH,
    text: [
      ['1.9', 'Deploying {task} (attempt #{number}) to {taskManager} @ {host} (dataPort={dataPort})'],
      ['1.12', 'Deploying {task} (attempt #{number}) with attempt id {attempt} to {taskManager} @ {host} (dataPort={dataPort}) with allocation id {allocation}'],
      ['1.16', 'Deploying {task} (attempt #{number}) with attempt id {attempt} and vertex id {vertex}_{subtask} to {taskManager} @ {host} (dataPort={dataPort}) with allocation id {allocation}'],
    ],
  },
  discardingResults: { level: 'INFO', logger: GRAPH, text: 'Discarding the results produced by task execution {attempt}.' },
  // failures and restarts
  tryToRestart: { level: 'INFO', logger: GRAPH, text: [['1.9', 'Try to restart or fail the job {job} ({id}) if no longer possible.'], ['1.10', null]] },
  restartingJob: { level: 'INFO', logger: GRAPH, text: [['1.9', 'Restarting the job {job} ({id}).'], ['1.10', null]] },
  couldNotRestart: { level: 'INFO', logger: GRAPH, text: [['1.9', 'Could not restart the job {job} ({id}) because the restart strategy prevented it.'], ['1.10', null]] },
  calculatingRegion: {
    level: 'INFO',
    logger: `${R}executiongraph.failover.flip1.RestartPipelinedRegionFailoverStrategy`,
    text: [['1.9', null], ['1.10', 'Calculating tasks to restart to recover the failed task {vertex}_{subtask}.'], ['1.16', null]],
  },
  tasksToRestart: {
    level: 'INFO',
    logger: [['1.9', `${R}executiongraph.failover.flip1.RestartPipelinedRegionFailoverStrategy`], ['1.16', JOB_MASTER]],
    text: [
      ['1.9', null],
      ['1.10', '{count} tasks should be restarted to recover the failed task {vertex}_{subtask}. '],
      ['1.16', '{count} tasks will be restarted to recover the failed task {attempt}.'],
    ],
  },
  globalFailure: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', null], ['1.10', 'Trying to recover from a global failure.']] },
  globalRestart: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', null], ['1.16', '{count} tasks will be restarted to recover from a global failure.']] },
  // task managers
  remoteConnectionRefused: {
    level: 'WARN',
    logger: 'akka.remote.transport.netty.NettyTransport',
    text: [['1.9', 'Remote connection to [{host}/127.0.0.1:{port}] failed with java.net.ConnectException: Connection refused: {host}/127.0.0.1:{port}'], ['1.18', null]],
  },
  associationFailed: {
    level: 'WARN',
    logger: [['1.9', 'akka.remote.ReliableDeliverySupervisor'], ['1.18', 'org.apache.pekko.remote.ReliableDeliverySupervisor']],
    text: [
      ['1.9', 'Association with remote system [akka.tcp://flink@{host}:{port}] has failed, address is now gated for [50] ms. Reason: [Association failed with [akka.tcp://flink@{host}:{port}]] Caused by: [java.net.ConnectException: Connection refused: {host}/127.0.0.1:{port}]'],
      ['1.18', 'Association with remote system [pekko.tcp://flink@{host}:{port}] has failed, address is now gated for [50] ms. Reason: [Association failed with [pekko.tcp://flink@{host}:{port}]] Caused by: [org.apache.flink.shaded.netty4.io.netty.channel.AbstractChannel$AnnotatedConnectException: Connection refused: {host}/127.0.0.1:{port}]'],
    ],
  },
  taskManagerLost: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: [['1.9', 'The heartbeat of TaskManager with id {taskManager} timed out.'], ['1.14', 'TaskManager with id {taskManager} is no longer reachable.']],
  },
  closingTaskExecutor: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: [
      ['1.9', 'Closing TaskExecutor connection {taskManager} because: The heartbeat of TaskManager with id {taskManager}  timed out.'],
      ['1.14', 'Closing TaskExecutor connection {taskManager} because: TaskManager with id {taskManager} is no longer reachable.'],
    ],
  },
  unregisteringTaskExecutor: { level: 'INFO', logger: SLOT_MANAGER, text: [['1.9', null], ['1.16', 'Unregistering task executor {registration} from the slot manager.']] },
  disconnectTaskExecutor: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [['1.9', null], ['1.16', 'Disconnect TaskExecutor {taskManager} because: {reason}']],
  },
  registeringTaskManager: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: 'Registering TaskManager with ResourceID {taskManager} ({rpcSystem}.tcp://flink@{host}:{rpcPort}{rpcPath}taskmanager_0) at ResourceManager',
  },
  registeringTaskExecutor: { level: 'INFO', logger: SLOT_MANAGER, text: [['1.9', null], ['1.16', 'Registering task executor {taskManager} under {registration} at the slot manager.']] },
  // end
  jobReachedTerminal: {
    level: 'INFO',
    logger: DISPATCHER,
    text: [['1.9', 'Job {id} reached globally terminal state {state}.'], ['1.13', 'Job {id} reached terminal state {state}.']],
  },
  archivingApplication: { level: 'INFO', logger: DISPATCHER, text: [['1.9', null], ['2.3', 'Archiving application ({id}) with terminal state {state}.']] },
  stoppingJobMaster: { level: 'INFO', logger: JOB_MASTER, text: [['1.9', 'Stopping the JobMaster for job {job}({id}).'], ['1.14', "Stopping the JobMaster for job '{job}' ({id})."]] },
  suspendingSlotPool: { level: 'INFO', logger: SLOT_POOL, text: [['1.9', 'Suspending SlotPool.'], ['1.13', null]] },
  stoppingSlotPool: { level: 'INFO', logger: SLOT_POOL, text: [['1.9', 'Stopping SlotPool.'], ['1.13', null]] },
  closeResourceManager: {
    level: 'INFO',
    logger: JOB_MASTER,
    text: [
      ['1.9', 'Close ResourceManager connection {connection}: JobManager is shutting down..'],
      ['1.13', 'Close ResourceManager connection {connection}: Stopping JobMaster for job {job}({id})..'],
      ['1.14', "Close ResourceManager connection {connection}: Stopping JobMaster for job '{job}' ({id})."],
    ],
  },
  disconnectJobManager: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: 'Disconnect job manager 00000000000000000000000000000000@{rpcSystem}.tcp://flink@{host}:{port}{rpcPath}jobmanager_{number} for job {id} from the resource manager.',
  },
  failedToSubmit: { level: 'ERROR', logger: DISPATCHER, text: [['1.9', 'Failed to submit job {id}.'], ['1.12', null]] },
  evictedResult: {
    level: 'INFO',
    logger: `${R}rest.handler.async.CompletedOperationCache`,
    text: [['1.9', 'Evicted result with trigger id {trigger} because its TTL of {seconds}s has expired.']],
  },
} as const satisfies Record<string, LogLineSpec>;
