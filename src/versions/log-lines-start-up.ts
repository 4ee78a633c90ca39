import type { LogLineSpec } from './log-lines.js';

const R = 'org.apache.flink.runtime.';
const ENTRYPOINT = `${R}entrypoint.ClusterEntrypoint`;
const RUNNER = `${R}taskexecutor.TaskManagerRunner`;
/** Its class depends on what the cluster is for. */
const REST = `${R}{restEndpoint}`;
const EXECUTOR = `${R}taskexecutor.TaskExecutor`;
const RESOURCE_MANAGER = `${R}resourcemanager.StandaloneResourceManager`;
const RPC_UTILS = [
  ['1.9', `${R}rpc.akka.AkkaRpcServiceUtils`],
  ['1.18', `${R}rpc.pekko.PekkoRpcServiceUtils`],
] as const;
const RPC_SERVICE = [
  ['1.9', `${R}rpc.akka.AkkaRpcService`],
  ['1.18', `${R}rpc.pekko.PekkoRpcService`],
] as const;
const SLF4J = [
  ['1.9', 'akka.event.slf4j.Slf4jLogger'],
  ['1.18', 'org.apache.pekko.event.slf4j.Slf4jLogger'],
] as const;
const REMOTING = [
  ['1.9', 'akka.remote.Remoting'],
  ['1.18', 'org.apache.pekko.remote.Remoting'],
] as const;

/** What the processes write while they start; wording and loggers from recorded logs. */
export const START_UP_LOG_LINES = {
  jmRule: { level: 'INFO', logger: ENTRYPOINT, text: '--------------------------------------------------------------------------------' },
  jmStarting: {
    level: 'INFO',
    logger: ENTRYPOINT,
    text: [
      ['1.9', ' Starting {entrypoint} (Version: {version}, Rev:{revision}, Date:{built})'],
      ['1.11', ' Starting {entrypoint} (Version: {version}, Scala: {scala}, Rev:{revision}, Date:{built})'],
    ],
  },
  jmUser: { level: 'INFO', logger: ENTRYPOINT, text: ' OS current user: root' },
  jmHadoopUser: { level: 'INFO', logger: ENTRYPOINT, text: ' Current Hadoop/Kerberos user: <no hadoop dependency found>' },
  jmJvm: { level: 'INFO', logger: ENTRYPOINT, text: ' JVM: {jvm}' },
  jmArch: { level: 'INFO', logger: ENTRYPOINT, text: [['1.9', null], ['1.16', ' Arch: amd64']] },
  jmHeap: { level: 'INFO', logger: ENTRYPOINT, text: ' Maximum heap size: {heapMiB} MiBytes' },
  jmJavaHome: { level: 'INFO', logger: ENTRYPOINT, text: ' JAVA_HOME: (not set)' },
  jmNoHadoop: { level: 'INFO', logger: ENTRYPOINT, text: ' No Hadoop Dependency available' },
  jmJvmOptions: { level: 'INFO', logger: ENTRYPOINT, text: ' JVM Options:' },
  jmHeapOption: { level: 'INFO', logger: ENTRYPOINT, text: '    -Xmx{heapMiB}m' },
  jmSignals: { level: 'INFO', logger: ENTRYPOINT, text: 'Registered UNIX signal handlers for [TERM, HUP, INT]' },
  loadingProperty: { level: 'INFO', logger: 'org.apache.flink.configuration.GlobalConfiguration', text: 'Loading configuration property: {key}, {value}' },
  jmEntrypoint: { level: 'INFO', logger: ENTRYPOINT, text: 'Starting {entrypoint}.' },
  jmFileSystem: { level: 'INFO', logger: ENTRYPOINT, text: 'Install default filesystem.' },
  jmSecurity: { level: 'INFO', logger: ENTRYPOINT, text: 'Install security context.' },
  jmServices: { level: 'INFO', logger: ENTRYPOINT, text: 'Initializing cluster services.' },
  startingActorSystem: {
    level: 'INFO',
    logger: RPC_UTILS,
    text: [['1.9', 'Trying to start actor system at {host}:{port}'], ['1.11', 'Trying to start actor system, external address {host}:{port}, bind address 0.0.0.0:{port}.']],
  },
  slf4jStarted: { level: 'INFO', logger: SLF4J, text: 'Slf4jLogger started' },
  startingRemoting: { level: 'INFO', logger: REMOTING, text: 'Starting remoting' },
  remotingStarted: { level: 'INFO', logger: REMOTING, text: 'Remoting started; listening on addresses :[{rpcSystem}.tcp://flink@{host}:{port}]' },
  actorSystemStarted: { level: 'INFO', logger: RPC_UTILS, text: 'Actor system started at {rpcSystem}.tcp://flink@{host}:{port}' },
  blobServer: { level: 'INFO', logger: `${R}blob.BlobServer`, text: 'Started BLOB server at 0.0.0.0:{port} - max concurrent requests: 50 - max backlog: 1000' },
  reporter: { level: 'INFO', logger: `${R}metrics.MetricRegistryImpl`, text: 'Reporting metrics for reporter {reporter} of type {reporterClass}.' },
  periodicReporter: { level: 'INFO', logger: `${R}metrics.MetricRegistryImpl`, text: 'Periodically reporting metrics in intervals of {interval} for reporter {reporter} of type {reporterClass}.' },
  noReporter: { level: 'INFO', logger: `${R}metrics.MetricRegistryImpl`, text: 'No metrics reporter configured, no metrics will be exposed/reported.' },
  jobStore: {
    level: 'INFO',
    logger: [
      ['1.9', `${R}dispatcher.FileArchivedExecutionGraphStore`],
      ['1.13', `${R}dispatcher.FileExecutionGraphInfoStore`],
      ['2.3', `${R}dispatcher.FileArchivedApplicationStore`],
    ],
    text: [
      ['1.9', 'Initializing FileArchivedExecutionGraphStore: Storage directory {directory}/executionGraphStore-{uuid}, expiration time {expiration}, maximum cache size 52428800 bytes.'],
      ['1.13', 'Initializing FileExecutionGraphInfoStore: Storage directory {directory}/executionGraphStore-{uuid}, expiration time {expiration}, maximum cache size 52428800 bytes.'],
      ['2.3', 'Initializing FileArchivedApplicationStore: Storage directory {directory}/archivedApplicationStore-{uuid}, expiration time {expiration}, maximum cache size 52428800 bytes.'],
    ],
  },
  startingRest: { level: 'INFO', logger: REST, text: 'Starting rest endpoint.' },
  restListening: { level: 'INFO', logger: REST, text: 'Rest endpoint listening at {host}:{port}' },
  restLeadership: { level: 'INFO', logger: REST, text: 'http://{host}:{port} was granted leadership with leaderSessionID=00000000-0000-0000-0000-000000000000' },
  webFrontend: { level: 'INFO', logger: REST, text: 'Web frontend listening at http://{host}:{port}.' },
  startingResourceManagerEndpoint: {
    level: 'INFO',
    logger: RPC_SERVICE,
    text: 'Starting RPC endpoint for org.apache.flink.runtime.resourcemanager.StandaloneResourceManager at {rpcSystem}://flink{rpcPath}{resourceManager} .',
  },
  startingDispatcherEndpoint: {
    level: 'INFO',
    logger: RPC_SERVICE,
    text: 'Starting RPC endpoint for org.apache.flink.runtime.dispatcher.StandaloneDispatcher at {rpcSystem}://flink{rpcPath}{dispatcher} .',
  },
  resourceManagerLeadership: {
    level: 'INFO',
    logger: RESOURCE_MANAGER,
    text: [
      ['1.9', 'ResourceManager {rpcSystem}.tcp://flink@{host}:{port}{rpcPath}{resourceManager} was granted leadership with fencing token 00000000000000000000000000000000'],
      ['1.14', 'Starting the resource manager.'],
    ],
  },
  startingSlotManager: {
    level: 'INFO',
    logger: [
      ['1.9', `${R}resourcemanager.slotmanager.SlotManagerImpl`],
      ['1.13', `${R}resourcemanager.slotmanager.DeclarativeSlotManager`],
      ['1.16', `${R}resourcemanager.slotmanager.FineGrainedSlotManager`],
    ],
    text: [['1.9', 'Starting the SlotManager.'], ['1.13', null], ['1.16', 'Starting the slot manager.']],
  },
  recoveringJobs: {
    level: 'INFO',
    logger: [
      ['1.9', `${R}dispatcher.StandaloneDispatcher`],
      ['1.10', `${R}dispatcher.runner.SessionDispatcherLeaderProcess`],
    ],
    text: [['1.9', 'Recovering all persisted jobs.'], ['1.10', 'Successfully recovered 0 persisted job graphs.']],
  },
  // task manager
  tmRule: { level: 'INFO', logger: RUNNER, text: '--------------------------------------------------------------------------------' },
  tmStarting: {
    level: 'INFO',
    logger: RUNNER,
    text: [
      ['1.9', ' Starting TaskManager (Version: {version}, Rev:{revision}, Date:{built})'],
      ['1.11', ' Starting TaskManager (Version: {version}, Scala: {scala}, Rev:{revision}, Date:{built})'],
    ],
  },
  tmJvm: { level: 'INFO', logger: RUNNER, text: ' JVM: {jvm}' },
  tmHeap: { level: 'INFO', logger: RUNNER, text: ' Maximum heap size: {heapMiB} MiBytes' },
  tmJvmOptions: { level: 'INFO', logger: RUNNER, text: ' JVM Options:' },
  tmHeapOption: { level: 'INFO', logger: RUNNER, text: '    -Xmx{heapMiB}m' },
  tmSignals: { level: 'INFO', logger: RUNNER, text: 'Registered UNIX signal handlers for [TERM, HUP, INT]' },
  tmFileDescriptors: { level: 'INFO', logger: RUNNER, text: 'Maximum number of open file descriptors is 20000.' },
  tmAddress: { level: 'INFO', logger: RUNNER, text: 'Using configured hostname/address for TaskManager: {host}.' },
  tmResourceId: { level: 'INFO', logger: RUNNER, text: 'Starting TaskManager with ResourceID: {taskManager}' },
  tmNetworkPool: {
    level: 'INFO',
    logger: `${R}io.network.buffer.NetworkBufferPool`,
    text: 'Allocated {networkMiB} MB for network buffer pool (number of memory segments: {segments}, bytes per segment: 32768).',
  },
  tmNetworkEnvironment: {
    level: 'INFO',
    logger: [
      ['1.9', `${R}io.network.NettyShuffleEnvironment`],
    ],
    text: 'Starting the network environment and its components.',
  },
  tmNettyServer: {
    level: 'INFO',
    logger: `${R}io.network.netty.NettyServer`,
    text: [['1.9', 'Successful initialization (took {ms} ms). Listening on SocketAddress /127.0.0.1:{dataPort}.'], ['1.13', 'Successful initialization (took {ms} ms). Listening on SocketAddress /[0:0:0:0:0:0:0:0%0]:{dataPort}.'], ['2.3', 'Successful initialization (took {ms} ms). Listening on SocketAddress /[0:0:0:0:0:0:0:0]:{dataPort}.']],
  },
  tmKvState: { level: 'INFO', logger: `${R}taskexecutor.KvStateService`, text: 'Starting the kvState service and its components.' },
  tmEndpoint: {
    level: 'INFO',
    logger: RPC_SERVICE,
    text: 'Starting RPC endpoint for org.apache.flink.runtime.taskexecutor.TaskExecutor at {rpcSystem}://flink{rpcPath}taskmanager_0 .',
  },
  tmLeaderService: {
    level: 'INFO',
    logger: [
      ['1.9', `${R}taskexecutor.JobLeaderService`],
      ['1.11', `${R}taskexecutor.DefaultJobLeaderService`],
    ],
    text: 'Start job leader service.',
  },
  tmConnecting: {
    level: 'INFO',
    logger: EXECUTOR,
    text: 'Connecting to ResourceManager {rpcSystem}.tcp://flink@{jmHost}:{jmPort}{rpcPath}{resourceManager}(00000000000000000000000000000000).',
  },
  tmResolved: { level: 'INFO', logger: EXECUTOR, text: 'Resolved ResourceManager address, beginning registration' },
  tmRegistered: {
    level: 'INFO',
    logger: EXECUTOR,
    text: 'Successful registration at resource manager {rpcSystem}.tcp://flink@{jmHost}:{jmPort}{rpcPath}{resourceManager} under registration id {registration}.',
  },
} as const satisfies Record<string, LogLineSpec>;
