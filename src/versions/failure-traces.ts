import { valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** Java stack frames below the exceptions that a cluster throws by itself, from recordings of 1.9.3, 1.13.6, 1.20.5 and 2.3.0. */

const RT = 'org.apache.flink.runtime.';
const ST = 'org.apache.flink.streaming.runtime.';
const THREAD = 'java.base/java.lang.Thread.run(Thread.java:840)';
const FORK_JOIN = [
  'java.base/java.util.concurrent.ForkJoinTask.doExec(ForkJoinTask.java:373)',
  'java.base/java.util.concurrent.ForkJoinPool$WorkQueue.topLevelExec(ForkJoinPool.java:1182)',
  'java.base/java.util.concurrent.ForkJoinPool.scan(ForkJoinPool.java:1655)',
  'java.base/java.util.concurrent.ForkJoinPool.runWorker(ForkJoinPool.java:1622)',
  'java.base/java.util.concurrent.ForkJoinWorkerThread.run(ForkJoinWorkerThread.java:165)',
];
const AKKA_MAILBOX = [
  'akka.actor.Actor.aroundReceive(Actor.scala:517)',
  'akka.actor.ActorCell.receiveMessage(ActorCell.scala:592)',
  'akka.actor.ActorCell.invoke(ActorCell.scala:561)',
  'akka.dispatch.Mailbox.processMailbox(Mailbox.scala:258)',
  'akka.dispatch.Mailbox.run(Mailbox.scala:225)',
  'akka.dispatch.Mailbox.exec(Mailbox.scala:235)',
  'akka.dispatch.forkjoin.ForkJoinTask.doExec(ForkJoinTask.java:260)',
  'akka.dispatch.forkjoin.ForkJoinPool$WorkQueue.runTask(ForkJoinPool.java:1339)',
  'akka.dispatch.forkjoin.ForkJoinPool.runWorker(ForkJoinPool.java:1979)',
  'akka.dispatch.forkjoin.ForkJoinWorkerThread.run(ForkJoinWorkerThread.java:107)',
];
const PEKKO_MAILBOX = [
  'org.apache.pekko.actor.Actor.aroundReceive(Actor.scala:547)',
  'org.apache.pekko.actor.ActorCell.receiveMessage(ActorCell.scala:590)',
  'org.apache.pekko.actor.ActorCell.invoke(ActorCell.scala:557)',
  'org.apache.pekko.dispatch.Mailbox.processMailbox(Mailbox.scala:272)',
  'org.apache.pekko.dispatch.Mailbox.run(Mailbox.scala:233)',
  'org.apache.pekko.dispatch.Mailbox.exec(Mailbox.scala:245)',
  ...FORK_JOIN,
];
const TIMER_THREAD = [
  'java.base/java.util.concurrent.Executors$RunnableAdapter.call(Executors.java:539)',
  'java.base/java.util.concurrent.FutureTask.run(FutureTask.java:264)',
  'java.base/java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask.run(ScheduledThreadPoolExecutor.java:304)',
  'java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)',
  'java.base/java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:635)',
  THREAD,
];
const NETTY = 'org.apache.flink.shaded.netty4.io.netty.channel.';

const TRACES = {
  /** User code throws in an operator of a task thread. */
  operator: [
    [
      '1.9',
      [
        'org.apache.flink.streaming.api.operators.StreamMap.processElement(StreamMap.java:41)',
        `${ST}io.StreamOneInputProcessor.processElement(StreamOneInputProcessor.java:164)`,
        `${ST}io.StreamOneInputProcessor.processInput(StreamOneInputProcessor.java:143)`,
        `${ST}tasks.StreamTask.processInput(StreamTask.java:279)`,
        `${ST}tasks.StreamTask.run(StreamTask.java:321)`,
        `${ST}tasks.StreamTask.runAndHandleCancel(StreamTask.java:286)`,
        `${ST}tasks.StreamTask.invoke(StreamTask.java:426)`,
        `${RT}taskmanager.Task.doRun(Task.java:705)`,
        `${RT}taskmanager.Task.run(Task.java:530)`,
        THREAD,
      ],
    ],
    [
      '1.11',
      [
        'org.apache.flink.streaming.api.operators.StreamMap.processElement(StreamMap.java:38)',
        `${ST}tasks.OneInputStreamTask$StreamTaskNetworkOutput.emitRecord(OneInputStreamTask.java:205)`,
        `${ST}io.AbstractStreamTaskNetworkInput.processElement(AbstractStreamTaskNetworkInput.java:134)`,
        `${ST}io.AbstractStreamTaskNetworkInput.emitNext(AbstractStreamTaskNetworkInput.java:105)`,
        `${ST}io.StreamOneInputProcessor.processInput(StreamOneInputProcessor.java:66)`,
        `${ST}tasks.StreamTask.processInput(StreamTask.java:423)`,
        `${ST}tasks.mailbox.MailboxProcessor.runMailboxLoop(MailboxProcessor.java:204)`,
        `${ST}tasks.StreamTask.runMailboxLoop(StreamTask.java:684)`,
        `${ST}tasks.StreamTask.executeInvoke(StreamTask.java:639)`,
        `${ST}tasks.StreamTask.runWithCleanUpOnFail(StreamTask.java:650)`,
        `${ST}tasks.StreamTask.invoke(StreamTask.java:623)`,
        `${RT}taskmanager.Task.doRun(Task.java:779)`,
        `${RT}taskmanager.Task.run(Task.java:566)`,
        THREAD,
      ],
    ],
    [
      '1.18',
      [
        'org.apache.flink.streaming.api.operators.StreamMap.processElement(StreamMap.java:38)',
        `${ST}io.RecordProcessorUtils.lambda$getRecordProcessor$0(RecordProcessorUtils.java:64)`,
        `${ST}tasks.OneInputStreamTask$StreamTaskNetworkOutput.emitRecord(OneInputStreamTask.java:238)`,
        `${ST}io.AbstractStreamTaskNetworkInput.processElement(AbstractStreamTaskNetworkInput.java:157)`,
        `${ST}io.AbstractStreamTaskNetworkInput.emitNext(AbstractStreamTaskNetworkInput.java:114)`,
        `${ST}io.StreamOneInputProcessor.processInput(StreamOneInputProcessor.java:65)`,
        `${ST}tasks.StreamTask.processInput(StreamTask.java:638)`,
        `${ST}tasks.mailbox.MailboxProcessor.runMailboxLoop(MailboxProcessor.java:231)`,
        `${ST}tasks.StreamTask.runMailboxLoop(StreamTask.java:973)`,
        `${ST}tasks.StreamTask.invoke(StreamTask.java:917)`,
        `${RT}taskmanager.Task.runWithSystemExitMonitoring(Task.java:970)`,
        `${RT}taskmanager.Task.restoreAndInvoke(Task.java:949)`,
        `${RT}taskmanager.Task.doRun(Task.java:763)`,
        `${RT}taskmanager.Task.run(Task.java:575)`,
        THREAD,
      ],
    ],
    [
      '2.3',
      [
        'org.apache.flink.streaming.api.operators.StreamMap.processElement(StreamMap.java:37)',
        `${ST}io.RecordProcessorUtils.lambda$getRecordProcessor$0(RecordProcessorUtils.java:64)`,
        `${ST}tasks.OneInputStreamTask$StreamTaskNetworkOutput.emitRecord(OneInputStreamTask.java:251)`,
        `${ST}io.AbstractStreamTaskNetworkInput.processElement(AbstractStreamTaskNetworkInput.java:213)`,
        `${ST}io.AbstractStreamTaskNetworkInput.emitNext(AbstractStreamTaskNetworkInput.java:170)`,
        `${ST}io.StreamOneInputProcessor.processInput(StreamOneInputProcessor.java:65)`,
        `${ST}tasks.StreamTask.processInput(StreamTask.java:656)`,
        `${ST}tasks.mailbox.MailboxProcessor.runMailboxLoop(MailboxProcessor.java:231)`,
        `${ST}tasks.StreamTask.runMailboxLoop(StreamTask.java:1022)`,
        `${ST}tasks.StreamTask.invoke(StreamTask.java:959)`,
        `${RT}taskmanager.Task.runWithSystemExitMonitoring(Task.java:987)`,
        `${RT}taskmanager.Task.restoreAndInvoke(Task.java:969)`,
        `${RT}taskmanager.Task.doRun(Task.java:774)`,
        `${RT}taskmanager.Task.run(Task.java:579)`,
        THREAD,
      ],
    ],
  ],
  /** The restart strategy says no. */
  suppressed: [
    [
      '1.9',
      [
        `${RT}executiongraph.failover.flip1.ExecutionFailureHandler.handleFailure(ExecutionFailureHandler.java:138)`,
        `${RT}executiongraph.failover.flip1.ExecutionFailureHandler.getFailureHandlingResult(ExecutionFailureHandler.java:82)`,
        `${RT}scheduler.DefaultScheduler.handleTaskFailure(DefaultScheduler.java:216)`,
        `${RT}scheduler.DefaultScheduler.maybeHandleTaskFailure(DefaultScheduler.java:206)`,
        `${RT}scheduler.DefaultScheduler.updateTaskExecutionStateInternal(DefaultScheduler.java:197)`,
        `${RT}scheduler.SchedulerBase.updateTaskExecutionState(SchedulerBase.java:682)`,
        `${RT}scheduler.SchedulerNG.updateTaskExecutionState(SchedulerNG.java:79)`,
        `${RT}jobmaster.JobMaster.updateTaskExecutionState(JobMaster.java:435)`,
        `${RT}rpc.akka.AkkaRpcActor.handleRpcInvocation(AkkaRpcActor.java:305)`,
        `${RT}rpc.akka.AkkaRpcActor.handleRpcMessage(AkkaRpcActor.java:212)`,
        ...AKKA_MAILBOX,
      ],
    ],
    [
      '1.18',
      [
        `${RT}executiongraph.failover.ExecutionFailureHandler.handleFailure(ExecutionFailureHandler.java:219)`,
        `${RT}executiongraph.failover.ExecutionFailureHandler.handleFailureAndReport(ExecutionFailureHandler.java:166)`,
        `${RT}executiongraph.failover.ExecutionFailureHandler.getFailureHandlingResult(ExecutionFailureHandler.java:121)`,
        `${RT}scheduler.DefaultScheduler.recordTaskFailure(DefaultScheduler.java:281)`,
        `${RT}scheduler.DefaultScheduler.handleTaskFailure(DefaultScheduler.java:272)`,
        `${RT}scheduler.DefaultScheduler.onTaskFailed(DefaultScheduler.java:265)`,
        `${RT}scheduler.SchedulerBase.onTaskExecutionStateUpdate(SchedulerBase.java:788)`,
        `${RT}scheduler.SchedulerBase.updateTaskExecutionState(SchedulerBase.java:765)`,
        `${RT}scheduler.SchedulerNG.updateTaskExecutionState(SchedulerNG.java:83)`,
        `${RT}jobmaster.JobMaster.updateTaskExecutionState(JobMaster.java:515)`,
        `${RT}rpc.pekko.PekkoRpcActor.handleRpcInvocation(PekkoRpcActor.java:316)`,
        `${RT}rpc.pekko.PekkoRpcActor.handleRpcMessage(PekkoRpcActor.java:229)`,
        ...PEKKO_MAILBOX,
      ],
    ],
  ],
  /** Too many failed checkpoints. */
  tolerableFailures: [
    [
      '1.9',
      [
        `${RT}checkpoint.CheckpointFailureManager.handleCheckpointException(CheckpointFailureManager.java:98)`,
        `${RT}checkpoint.CheckpointFailureManager.handleJobLevelCheckpointException(CheckpointFailureManager.java:67)`,
        `${RT}checkpoint.CheckpointCoordinator.abortPendingCheckpoint(CheckpointCoordinator.java:1934)`,
        `${RT}checkpoint.CheckpointCoordinator.abortPendingCheckpoint(CheckpointCoordinator.java:1906)`,
        `${RT}checkpoint.CheckpointCoordinator.access$600(CheckpointCoordinator.java:96)`,
        `${RT}checkpoint.CheckpointCoordinator$CheckpointCanceller.run(CheckpointCoordinator.java:1990)`,
        ...TIMER_THREAD,
      ],
    ],
    [
      '1.16',
      [
        `${RT}checkpoint.CheckpointFailureManager.checkFailureAgainstCounter(CheckpointFailureManager.java:212)`,
        `${RT}checkpoint.CheckpointFailureManager.handleJobLevelCheckpointException(CheckpointFailureManager.java:169)`,
        `${RT}checkpoint.CheckpointFailureManager.handleCheckpointException(CheckpointFailureManager.java:122)`,
        `${RT}checkpoint.CheckpointCoordinator.abortPendingCheckpoint(CheckpointCoordinator.java:2281)`,
        `${RT}checkpoint.CheckpointCoordinator.abortPendingCheckpoint(CheckpointCoordinator.java:2260)`,
        `${RT}checkpoint.CheckpointCoordinator$CheckpointCanceller.run(CheckpointCoordinator.java:2346)`,
        'org.apache.flink.util.MdcUtils.lambda$wrapRunnable$1(MdcUtils.java:70)',
        ...TIMER_THREAD,
      ],
    ],
  ],
  /** A network connection to a task manager that is gone. */
  channelInactive: [
    [
      '1.9',
      [
        `${RT}io.network.netty.CreditBasedPartitionRequestClientHandler.exceptionCaught(CreditBasedPartitionRequestClientHandler.java:165)`,
        `${NETTY}AbstractChannelHandlerContext.invokeExceptionCaught(AbstractChannelHandlerContext.java:285)`,
        `${NETTY}AbstractChannelHandlerContext.fireExceptionCaught(AbstractChannelHandlerContext.java:256)`,
        `${NETTY}ChannelInboundHandlerAdapter.exceptionCaught(ChannelInboundHandlerAdapter.java:131)`,
        THREAD,
      ],
    ],
    [
      '1.13',
      [
        `${RT}io.network.netty.CreditBasedPartitionRequestClientHandler.channelInactive(CreditBasedPartitionRequestClientHandler.java:134)`,
        `${NETTY}AbstractChannelHandlerContext.invokeChannelInactive(AbstractChannelHandlerContext.java:305)`,
        `${NETTY}AbstractChannelHandlerContext.fireChannelInactive(AbstractChannelHandlerContext.java:274)`,
        `${NETTY}ChannelInboundHandlerAdapter.channelInactive(ChannelInboundHandlerAdapter.java:81)`,
        `${RT}io.network.netty.NettyMessageClientDecoderDelegate.channelInactive(NettyMessageClientDecoderDelegate.java:94)`,
        `${NETTY}DefaultChannelPipeline.fireChannelInactive(DefaultChannelPipeline.java:901)`,
        `${NETTY}AbstractChannel$AbstractUnsafe$7.run(AbstractChannel.java:813)`,
        THREAD,
      ],
    ],
  ],
  /** A consumer cannot connect to its producer's task manager. */
  partitionConnection: [
    [
      '1.9',
      [
        `${RT}io.network.partition.consumer.RemoteInputChannel.requestSubpartition(RemoteInputChannel.java:168)`,
        `${RT}io.network.partition.consumer.SingleInputGate.requestPartitions(SingleInputGate.java:237)`,
        `${RT}io.network.partition.consumer.SingleInputGate.setup(SingleInputGate.java:215)`,
        `${RT}taskmanager.InputGateWithMetrics.setup(InputGateWithMetrics.java:65)`,
        `${RT}taskmanager.Task.setupPartitionsAndGates(Task.java:866)`,
        `${RT}taskmanager.Task.doRun(Task.java:621)`,
        `${RT}taskmanager.Task.run(Task.java:530)`,
        THREAD,
      ],
    ],
    [
      '1.11',
      [
        `${RT}io.network.partition.consumer.RemoteInputChannel.requestSubpartition(RemoteInputChannel.java:183)`,
        `${RT}io.network.partition.consumer.SingleInputGate.internalRequestPartitions(SingleInputGate.java:322)`,
        `${RT}io.network.partition.consumer.SingleInputGate.requestPartitions(SingleInputGate.java:291)`,
        `${RT}taskmanager.InputGateWithMetrics.requestPartitions(InputGateWithMetrics.java:94)`,
        `${ST}tasks.mailbox.Mail.run(Mail.java:90)`,
        `${ST}tasks.StreamTask.invoke(StreamTask.java:623)`,
        `${RT}taskmanager.Task.doRun(Task.java:779)`,
        `${RT}taskmanager.Task.run(Task.java:566)`,
        THREAD,
      ],
    ],
  ],
  /** An RPC to a process that is gone. */
  deadLetters: [['1.9', [`${RT}rpc.pekko.DeadLettersActor.handleDeadLetter(DeadLettersActor.java:61)`, ...PEKKO_MAILBOX]]],
  /** The job master gives up a task manager. */
  heartbeat: [
    [
      '1.9',
      [
        `${RT}jobmaster.JobMaster$TaskManagerHeartbeatListener.notifyHeartbeatTimeout(JobMaster.java:1149)`,
        `${RT}heartbeat.HeartbeatMonitorImpl.run(HeartbeatMonitorImpl.java:109)`,
        'java.base/java.util.concurrent.Executors$RunnableAdapter.call(Executors.java:539)',
        'java.base/java.util.concurrent.FutureTask.run(FutureTask.java:264)',
        `${RT}rpc.akka.AkkaRpcActor.handleRunAsync(AkkaRpcActor.java:397)`,
        ...AKKA_MAILBOX,
      ],
    ],
    [
      '1.14',
      [
        `${RT}resourcemanager.ResourceManager$TaskManagerHeartbeatListener.notifyTargetUnreachable(ResourceManager.java:1484)`,
        `${RT}heartbeat.DefaultHeartbeatMonitor.reportHeartbeatRpcFailure(DefaultHeartbeatMonitor.java:126)`,
        `${RT}heartbeat.HeartbeatManagerImpl.runIfHeartbeatMonitorExists(HeartbeatManagerImpl.java:275)`,
        `${RT}heartbeat.HeartbeatManagerImpl.reportHeartbeatTargetUnreachable(HeartbeatManagerImpl.java:267)`,
        `${RT}heartbeat.HeartbeatManagerImpl.handleHeartbeatRpcFailure(HeartbeatManagerImpl.java:262)`,
        `${RT}heartbeat.HeartbeatManagerImpl.lambda$handleHeartbeatRpc$0(HeartbeatManagerImpl.java:248)`,
        ...PEKKO_MAILBOX,
      ],
    ],
  ],
  /** No slot in time. */
  noResource: [
    ['1.9', [`${RT}executiongraph.ExecutionGraph.lambda$scheduleEager$2(ExecutionGraph.java:1071)`, ...AKKA_MAILBOX]],
    [
      '1.13',
      [
        `${RT}jobmaster.slotpool.DeclarativeSlotPoolBridge.cancelPendingRequests(DeclarativeSlotPoolBridge.java:128)`,
        `${RT}jobmaster.slotpool.DeclarativeSlotPoolBridge.failPendingRequests(DeclarativeSlotPoolBridge.java:362)`,
        `${RT}jobmaster.slotpool.DeclarativeSlotPoolBridge.notifyNotEnoughResourcesAvailable(DeclarativeSlotPoolBridge.java:351)`,
        `${RT}jobmaster.JobMaster.notifyNotEnoughResourcesAvailable(JobMaster.java:816)`,
        ...AKKA_MAILBOX,
      ],
    ],
  ],
  none: [['1.9', []]],
} as const satisfies Record<string, ByVersion<readonly string[]>>;

export type TraceName = keyof typeof TRACES;

/** The frames in a version, without `\tat `. */
export function framesIn(name: TraceName, version: FlinkVersion): readonly string[] {
  return valueIn(TRACES[name] as ByVersion<readonly string[]>, version);
}

/** Texts and classes of the failures that a cluster throws by itself. `{name}` is filled in. */
export const FAILURE_TEXTS = {
  suppressed: [['1.9', 'Recovery is suppressed by {strategy}']],
  suspended: [
    ['1.9', 'Stopping JobMaster for job {job}({id}).'],
    ['1.13', '{scheduler} is being stopped.'],
  ],
  tolerableFailures: [
    ['1.9', 'Exceeded checkpoint tolerable failure threshold.'],
    [
      '1.16',
      'Exceeded checkpoint tolerable failure threshold. The latest checkpoint failed due to {reason}, view the Checkpoint History tab or the Job Manager log to find out why continuous checkpoints failed.',
    ],
  ],
  connectionLost: [
    ['1.9', "Connection reset (connection to '{host}/127.0.0.1:{dataPort}')"],
    ['1.10', "Connection unexpectedly closed by remote task manager '{host}/127.0.0.1:{dataPort}'. This might indicate that the remote task manager was lost."],
    ['1.16', "Connection unexpectedly closed by remote task manager '{host}/127.0.0.1:{dataPort} [ {taskManager} ] '. This might indicate that the remote task manager was lost."],
    ['2.3', "Lost connection to task manager '{host}/127.0.0.1:{dataPort} [ {taskManager} ] '. This indicates that the remote task manager was lost."],
  ],
  connectionLostClass: [
    ['1.9', 'org.apache.flink.runtime.io.network.netty.exception.LocalTransportException'],
    ['1.10', 'org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException'],
  ],
  notReachable: [['1.9', 'Connection for partition {partition} not reachable.']],
  connectFailed: [
    ['1.9', "Connecting the channel failed: Connecting to remote task manager + '{host}/127.0.0.1:{dataPort}' has failed. This might indicate that the remote task manager has been lost."],
    ['1.13', "Connecting to remote task manager '{host}/127.0.0.1:{dataPort}' has failed. This might indicate that the remote task manager has been lost."],
  ],
  connectFailedClass: [
    ['1.9', 'java.io.IOException'],
    ['1.13', 'org.apache.flink.runtime.io.network.netty.exception.RemoteTransportException'],
  ],
  rpcTimeType: [
    ['1.9', 'Time'],
    ['2.0', 'Duration'],
  ],
  leaderUnreachable: [
    [
      '1.9',
      'Could not send message [RemoteFencedMessage({leader}, RemoteRpcInvocation({call}))] from sender [Actor[{rpcSystem}://flink/temp/{endpoint}${suffix}]] to recipient [Actor[{rpcSystem}.tcp://flink@{host}:{port}{rpcUserPath}{endpoint}#{number}]], because the recipient is unreachable. This can either mean that the recipient has been terminated or that the remote RpcService is currently not reachable.',
    ],
  ],
  recipientUnreachable: [
    [
      '1.9',
      'Could not send message [RemoteRpcInvocation(TaskExecutorGateway.submitTask(TaskDeploymentDescriptor, JobMasterId, Time))] from sender [Actor[{rpcSystem}://flink/temp/taskmanager_0${suffix}]] to recipient [Actor[{rpcSystem}.tcp://flink@{host}:{rpcPort}/user/rpc/taskmanager_0#{number}]], because the recipient is unreachable. This can either mean that the recipient has been terminated or that the remote RpcService is currently not reachable.',
    ],
    [
      '2.0',
      'Could not send message [RemoteRpcInvocation(TaskExecutorGateway.submitTask(TaskDeploymentDescriptor, JobMasterId, Duration))] from sender [Actor[{rpcSystem}://flink/temp/taskmanager_0${suffix}]] to recipient [Actor[{rpcSystem}.tcp://flink@{host}:{rpcPort}/user/rpc/taskmanager_0#{number}]], because the recipient is unreachable. This can either mean that the recipient has been terminated or that the remote RpcService is currently not reachable.',
    ],
  ],
  heartbeat: [
    ['1.9', 'The heartbeat of TaskManager with id {taskManager} timed out.'],
    ['1.14', 'TaskManager with id {taskManager} is no longer reachable.'],
  ],
  heartbeatClass: [
    ['1.9', 'java.util.concurrent.TimeoutException'],
    ['1.14', 'org.apache.flink.runtime.resourcemanager.exceptions.ResourceManagerException'],
  ],
  noResource: [
    ['1.9', 'Could not allocate all requires slots within timeout of {timeoutMs} ms. Slots required: {required}, slots allocated: {allocated}'],
    ['1.10', 'Could not allocate the required slot within slot request timeout. Please make sure that the cluster has enough resources.'],
    ['1.13', 'Could not acquire the minimum required resources.'],
  ],
} as const satisfies Record<string, ByVersion<string>>;

/** A text in a version, its `{names}` filled in. */
export function failureText(name: keyof typeof FAILURE_TEXTS, version: FlinkVersion, values: Readonly<Record<string, string | number>> = {}): string {
  return valueIn(FAILURE_TEXTS[name] as ByVersion<string>, version).replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? `{${key}}`));
}
