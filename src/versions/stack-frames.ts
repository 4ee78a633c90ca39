import type { ByVersion } from './flink-versions.js';

/**
 * Frames of task threads, `class.method(File.java:line)`, innermost first, in the pieces of which a trace is put together. `$F` stands for
 * the user function's class. Line numbers are those of 1.13.6, 1.20.5 and 2.3.0, and serve the releases around them.
 */
export interface StackFrames {
  /** From the mailbox loop out to Thread.run. */
  readonly taskBase: readonly string[];
  /** The mailbox loop calling the default action, and it processing input. */
  readonly defaultAction: readonly string[];
  /** The mailbox loop waiting for a mail: no input, or no buffer to write into. */
  readonly mailboxWait: readonly string[];
  /** The same thread of a legacy source's task when a mail wants the checkpoint lock that the source holds. */
  readonly mailBlocked: readonly string[];
  /** From the head operator's processElement out to the network input. */
  readonly networkInput: readonly string[];
  /** From the first chained operator (or the network output) out to the source reader. */
  readonly sourceOperator: readonly string[];
  readonly kafkaEmitter: readonly string[];
  readonly generatorReader: readonly string[];
  /** From a source function's output out to its thread's run. */
  readonly legacySource: readonly string[];
  /** From a chained operator's processElement out to the operator before it. */
  readonly chained: readonly string[];
  readonly chainedWithoutCopy: readonly string[];
  /** From the network output's emit out to the last operator of the chain. */
  readonly networkOutput: readonly string[];
  /** In the blocking request for a buffer, out to the emit. */
  readonly bufferRequest: readonly string[];
  /** Serializing and writing a record, out to the emit. */
  readonly write: readonly string[];
  /** The user function at work in an operator of each kind, out to the operator's processElement. */
  readonly operators: Readonly<Record<'map' | 'window' | 'async' | 'sink', readonly string[]>>;
  /** The operator of each kind passing a record on: its processElement when the chain goes on behind it. */
  readonly passing: Readonly<Record<'map' | 'window' | 'async' | 'sink', readonly string[]>>;
  /** Fetcher thread of a Kafka source: stuck with records to hand over, and polling. */
  readonly kafkaHandover: readonly string[];
  readonly kafkaPoll: readonly string[];
  readonly legacyKafkaHandover: readonly string[];
  readonly legacyKafkaPoll: readonly string[];
}

const API = 'org.apache.flink.streaming.api.operators.';
const RT = 'org.apache.flink.streaming.runtime.';
const NET = 'org.apache.flink.runtime.io.network.';
const TASK = 'org.apache.flink.runtime.taskmanager.Task';
const AQS = 'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.';
const THREAD_RUN = 'java.lang.Thread.run(Thread.java:840)';
const PARK = 'jdk.internal.misc.Unsafe.park(Native Method)';
const PARK_NANOS = [PARK, 'java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:252)', `${AQS}await(AbstractQueuedSynchronizer.java:1764)`];
const FUTURE_GET = [
  PARK,
  'java.util.concurrent.locks.LockSupport.park(LockSupport.java:211)',
  'java.util.concurrent.CompletableFuture$Signaller.block(CompletableFuture.java:1864)',
  'java.util.concurrent.ForkJoinPool.unmanagedBlock(ForkJoinPool.java:3465)',
  'java.util.concurrent.ForkJoinPool.managedBlock(ForkJoinPool.java:3436)',
  'java.util.concurrent.CompletableFuture.waitingGet(CompletableFuture.java:1898)',
  'java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2072)',
];
const EXECUTOR_RUN = [
  'java.util.concurrent.Executors$RunnableAdapter.call(Executors.java:539)',
  'java.util.concurrent.FutureTask.run(FutureTask.java:264)',
  'java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1136)',
  'java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:635)',
  THREAD_RUN,
];
const SELECT = [
  'sun.nio.ch.EPoll.wait(Native Method)',
  'sun.nio.ch.EPollSelectorImpl.doSelect(EPollSelectorImpl.java:118)',
  'sun.nio.ch.SelectorImpl.lockAndDoSelect(SelectorImpl.java:129)',
  'sun.nio.ch.SelectorImpl.select(SelectorImpl.java:141)',
];
const CONNECTOR = 'org.apache.flink.connector.';
const LEGACY_KAFKA = 'org.apache.flink.streaming.connectors.kafka.internals.';
const OBJECT_WAIT = ['java.lang.Object.wait(Native Method)', 'java.lang.Object.wait(Object.java:338)'];
const LEGACY_KAFKA_HANDOVER = [...OBJECT_WAIT, `${LEGACY_KAFKA}Handover.produce(Handover.java:120)`, `${LEGACY_KAFKA}KafkaConsumerThread.run(KafkaConsumerThread.java:291)`];
const SPLIT_FETCHER_RUN = [`${CONNECTOR}base.source.reader.fetcher.SplitFetcher.run(SplitFetcher.java:114)`, ...EXECUTOR_RUN];
const ELEMENT_QUEUE_PUT = [
  PARK,
  'java.util.concurrent.locks.LockSupport.park(LockSupport.java:341)',
  'java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionNode.block(AbstractQueuedSynchronizer.java:506)',
  'java.util.concurrent.ForkJoinPool.unmanagedBlock(ForkJoinPool.java:3465)',
  'java.util.concurrent.ForkJoinPool.managedBlock(ForkJoinPool.java:3436)',
  `${AQS}await(AbstractQueuedSynchronizer.java:1630)`,
  `${CONNECTOR}base.source.reader.synchronization.FutureCompletingBlockingQueue.waitOnPut(FutureCompletingBlockingQueue.java:367)`,
  `${CONNECTOR}base.source.reader.synchronization.FutureCompletingBlockingQueue.put(FutureCompletingBlockingQueue.java:203)`,
  `${CONNECTOR}base.source.reader.fetcher.FetchTask.run(FetchTask.java:75)`,
  `${CONNECTOR}base.source.reader.fetcher.SplitFetcher.runOnce(SplitFetcher.java:165)`,
  ...SPLIT_FETCHER_RUN,
];
const kafkaPoll = (selector: number, client: number, consumer: readonly string[]): readonly string[] => [
  ...SELECT,
  `org.apache.kafka.common.network.Selector.select(Selector.java:${selector})`,
  `org.apache.kafka.common.network.Selector.poll(Selector.java:${selector - 391})`,
  `org.apache.kafka.clients.NetworkClient.poll(NetworkClient.java:${client})`,
  ...consumer,
];
const SPLIT_FETCHER_POLL = [
  `${CONNECTOR}kafka.source.reader.KafkaPartitionSplitReader.fetch(KafkaPartitionSplitReader.java:122)`,
  `${CONNECTOR}base.source.reader.fetcher.FetchTask.run(FetchTask.java:58)`,
  `${CONNECTOR}base.source.reader.fetcher.SplitFetcher.runOnce(SplitFetcher.java:165)`,
  ...SPLIT_FETCHER_RUN,
];

/** Line numbers of a release, where the calls are the same in all. */
interface Lines {
  readonly taskBase: readonly string[];
  readonly loopAction: number;
  readonly loopWait: readonly [mail: number, wait: number, loop: number];
  readonly take: number;
  readonly processInput: number;
  readonly emitRecord: number;
  readonly networkInput: readonly [number, number];
  readonly recordProcessor: boolean;
  readonly streamMap: number;
  readonly countingOutput: readonly [number, number];
  readonly writerOutput: readonly string[];
  readonly chaining: readonly [push: number, collect: number, bridge: number];
  readonly segmentRequest: readonly [number, number];
  readonly partition: readonly string[];
  readonly recordWriter: readonly [number, number, number];
  readonly mailRun: readonly string[];
  readonly source: readonly string[];
  readonly legacySource: readonly string[];
  readonly window: number;
  readonly async: readonly [number, number];
  readonly sink: readonly string[];
  readonly sinkPass: readonly string[];
  readonly kafkaPoll: readonly string[];
  readonly legacyKafkaPoll: readonly string[];
}

function assemble(lines: Lines): StackFrames {
  const box = `${RT}tasks.mailbox.MailboxProcessor.`;
  const [push, collect, bridge] = lines.chaining;
  const counting = lines.countingOutput.map((line) => `${API}CountingOutput.collect(CountingOutput.java:${line})`);
  const waiting = [
    `${box}processMail(MailboxProcessor.java:${lines.loopWait[1]})`,
    `${box}runMailboxLoop(MailboxProcessor.java:${lines.loopWait[2]})`,
  ];
  const chain = (name: string) => [`${RT}tasks.${name}.pushToOperator(${name}.java:${push})`, `${RT}tasks.${name}.collect(${name}.java:${collect})`, `${RT}tasks.${name}.collect(${name}.java:${bridge})`, ...counting];
  const map = `${API}StreamMap.processElement(StreamMap.java:${lines.streamMap})`;
  const window = `${RT}operators.windowing.WindowOperator.processElement(WindowOperator.java:${lines.window})`;
  return {
    taskBase: lines.taskBase,
    defaultAction: [
      `${RT}io.StreamOneInputProcessor.processInput(StreamOneInputProcessor.java:${lines.recordProcessor ? 65 : 66})`,
      `${RT}tasks.StreamTask.processInput(StreamTask.java:${lines.processInput})`,
      `${RT}tasks.StreamTask$$Lambda.runDefaultAction(Unknown Source)`,
      `${box}runMailboxLoop(MailboxProcessor.java:${lines.loopAction})`,
    ],
    mailboxWait: [...PARK_NANOS, `${RT}tasks.mailbox.TaskMailboxImpl.take(TaskMailboxImpl.java:${lines.take})`, `${box}processMailsWhenDefaultActionUnavailable(MailboxProcessor.java:${lines.loopWait[0]})`, ...waiting],
    mailBlocked: [`${RT}tasks.StreamTaskActionExecutor$SynchronizedStreamTaskActionExecutor.runThrowing(StreamTaskActionExecutor.java:93)`, ...lines.mailRun, ...waiting],
    networkInput: [
      ...(lines.recordProcessor
        ? [`${RT}io.RecordProcessorUtils.lambda$getRecordProcessor$0(RecordProcessorUtils.java:64)`, `${RT}io.RecordProcessorUtils$$Lambda.accept(Unknown Source)`]
        : []),
      `${RT}tasks.OneInputStreamTask$StreamTaskNetworkOutput.emitRecord(OneInputStreamTask.java:${lines.emitRecord})`,
      `${RT}io.AbstractStreamTaskNetworkInput.processElement(AbstractStreamTaskNetworkInput.java:${lines.networkInput[0]})`,
      `${RT}io.AbstractStreamTaskNetworkInput.emitNext(AbstractStreamTaskNetworkInput.java:${lines.networkInput[1]})`,
    ],
    sourceOperator: lines.source,
    kafkaEmitter: [
      `${CONNECTOR}kafka.source.reader.KafkaRecordEmitter$SourceOutputWrapper.collect(KafkaRecordEmitter.java:67)`,
      'org.apache.flink.api.common.serialization.DeserializationSchema.deserialize(DeserializationSchema.java:84)',
      `${CONNECTOR}kafka.source.reader.deserializer.KafkaValueOnlyDeserializationSchemaWrapper.deserialize(KafkaValueOnlyDeserializationSchemaWrapper.java:51)`,
      `${CONNECTOR}kafka.source.reader.KafkaRecordEmitter.emitRecord(KafkaRecordEmitter.java:53)`,
      `${CONNECTOR}kafka.source.reader.KafkaRecordEmitter.emitRecord(KafkaRecordEmitter.java:33)`,
      `${CONNECTOR}base.source.reader.SourceReaderBase.pollNext(SourceReaderBase.java:160)`,
    ],
    generatorReader: ['org.apache.flink.api.connector.source.lib.util.IteratorSourceReaderBase.pollNext(IteratorSourceReaderBase.java:111)', 'org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader.pollNext(RateLimitedSourceReader.java:69)'],
    legacySource: lines.legacySource,
    chained: chain('CopyingChainingOutput'),
    chainedWithoutCopy: chain('ChainingOutput'),
    networkOutput: [...lines.writerOutput, ...counting],
    bufferRequest: [
      ...FUTURE_GET,
      `${NET}buffer.LocalBufferPool.requestMemorySegmentBlocking(LocalBufferPool.java:${lines.segmentRequest[0]})`,
      `${NET}buffer.LocalBufferPool.requestBufferBuilderBlocking(LocalBufferPool.java:${lines.segmentRequest[1]})`,
      ...lines.partition,
      `${NET}api.writer.RecordWriter.emit(RecordWriter.java:${lines.recordWriter[1]})`,
      `${NET}api.writer.ChannelSelectorRecordWriter.emit(ChannelSelectorRecordWriter.java:${lines.recordWriter[2]})`,
    ],
    write: [
      'org.apache.flink.core.memory.DataOutputSerializer.write(DataOutputSerializer.java:122)',
      `${NET}api.writer.RecordWriter.serializeRecord(RecordWriter.java:${lines.recordWriter[0]})`,
      `${NET}api.writer.RecordWriter.emit(RecordWriter.java:${lines.recordWriter[1]})`,
      `${NET}api.writer.ChannelSelectorRecordWriter.emit(ChannelSelectorRecordWriter.java:${lines.recordWriter[2]})`,
    ],
    operators: {
      map: ['$F.map($F.java:31)', '$F.map($F.java:18)', map],
      window: ['$F.add($F.java:27)', '$F.add($F.java:12)', 'org.apache.flink.runtime.state.heap.HeapAggregatingState$AggregateTransformation.apply(HeapAggregatingState.java:125)', 'org.apache.flink.runtime.state.heap.CopyOnWriteStateMap.transform(CopyOnWriteStateMap.java:346)', 'org.apache.flink.runtime.state.heap.HeapAggregatingState.add(HeapAggregatingState.java:98)', window],
      async: ['$F.asyncInvoke($F.java:42)', `${API}async.AsyncWaitOperator.processElement(AsyncWaitOperator.java:${lines.async[0]})`],
      sink: lines.sink,
    },
    passing: {
      map: [map],
      window: ['$F.apply($F.java:40)', window],
      async: [`${API}async.queue.OrderedStreamElementQueue.emitCompletedElement(OrderedStreamElementQueue.java:70)`, `${API}async.AsyncWaitOperator.outputCompletedElement(AsyncWaitOperator.java:${lines.async[1]})`],
      sink: lines.sinkPass,
    },
    kafkaHandover: ELEMENT_QUEUE_PUT,
    kafkaPoll: lines.kafkaPoll,
    legacyKafkaHandover: LEGACY_KAFKA_HANDOVER,
    legacyKafkaPoll: lines.legacyKafkaPoll,
  };
}

const bufferWriting = (...lines: readonly [number, number, number, number]): readonly string[] => {
  const name = `${NET}partition.BufferWritingResultPartition.`;
  return ['requestNewBufferBuilderFromPool', 'requestNewUnicastBufferBuilder', 'appendUnicastDataForRecordContinuation', 'emitRecord'].map((method, i) => `${name}${method}(BufferWritingResultPartition.java:${lines[i]})`);
};
const writerOutput = (collected: readonly [string, number], ...lines: readonly [number, number, number]): readonly string[] => [
  `${RT}io.RecordWriterOutput.pushToRecordWriter(RecordWriterOutput.java:${lines[0]})`,
  ...(collected[0] === '' ? [] : [`${RT}io.RecordWriterOutput.${collected[0]}(RecordWriterOutput.java:${collected[1]})`]),
  `${RT}io.RecordWriterOutput.collect(RecordWriterOutput.java:${lines[1]})`,
  `${RT}io.RecordWriterOutput.collect(RecordWriterOutput.java:${lines[2]})`,
];
const sourceOperator = (emitRecord: number, operator: number): readonly string[] => [
  `${RT}tasks.SourceOperatorStreamTask$AsyncDataOutputToOutput.emitRecord(SourceOperatorStreamTask.java:${emitRecord})`,
  `${API}source.SourceOutputWithWatermarks.collect(SourceOutputWithWatermarks.java:110)`,
  '$READER',
  `${API}SourceOperator.emitNext(SourceOperator.java:${operator})`,
  `${RT}io.StreamTaskSourceInput.emitNext(StreamTaskSourceInput.java:68)`,
];
const legacySource = (manual: number, watermark: number, closing: number, run: readonly [number, number], thread: number): readonly string[] => [
  `${API}StreamSourceContexts$ManualWatermarkContext.processAndCollectWithTimestamp(StreamSourceContexts.java:${manual})`,
  `${API}StreamSourceContexts$WatermarkContext.collectWithTimestamp(StreamSourceContexts.java:${watermark})`,
  ...(closing === 0 ? [] : [`${API}StreamSourceContexts$SwitchingOnClose.collectWithTimestamp(StreamSourceContexts.java:${closing})`]),
  '$F.run($F.java:24)',
  ...run.map((line) => `${API}StreamSource.run(StreamSource.java:${line})`),
  `${RT}tasks.SourceStreamTask$LegacySourceFunctionThread.run(SourceStreamTask.java:${thread})`,
];
const taskBase = (mailbox: number, invoke: number, ...task: readonly [number, number, number, number]): readonly string[] => [
  `${RT}tasks.StreamTask.runMailboxLoop(StreamTask.java:${mailbox})`,
  `${RT}tasks.StreamTask.invoke(StreamTask.java:${invoke})`,
  `${TASK}$$Lambda.run(Unknown Source)`,
  ...['runWithSystemExitMonitoring', 'restoreAndInvoke', 'doRun', 'run'].map((method, i) => `${TASK}.${method}(Task.java:${task[i]})`),
  THREAD_RUN,
];
const kafkaSink = (operator: number): readonly string[] => [`${CONNECTOR}kafka.sink.KafkaWriter.write(KafkaWriter.java:199)`, `${RT}operators.sink.SinkWriterOperator.processElement(SinkWriterOperator.java:${operator})`];

const FRAMES_1_13 = assemble({
  taskBase: [
    `${RT}tasks.StreamTask.runMailboxLoop(StreamTask.java:684)`,
    `${RT}tasks.StreamTask.executeInvoke(StreamTask.java:639)`,
    `${RT}tasks.StreamTask$$Lambda.run(Unknown Source)`,
    `${RT}tasks.StreamTask.runWithCleanUpOnFail(StreamTask.java:650)`,
    `${RT}tasks.StreamTask.invoke(StreamTask.java:623)`,
    `${TASK}.doRun(Task.java:779)`,
    `${TASK}.run(Task.java:566)`,
    THREAD_RUN,
  ],
  loopAction: 204, loopWait: [341, 330, 202], take: 149, processInput: 423, emitRecord: 205, networkInput: [134, 105], recordProcessor: false, streamMap: 38,
  countingOutput: [50, 28], writerOutput: writerOutput(['', 0], 107, 89, 45), chaining: [71, 46, 26], segmentRequest: [323, 290],
  partition: bufferWriting(345, 321, 262, 151), recordWriter: [125, 104, 54],
  mailRun: [`${RT}tasks.mailbox.Mail.run(Mail.java:90)`, `${RT}tasks.mailbox.MailboxProcessor.processMailsWhenDefaultActionUnavailable(MailboxProcessor.java:344)`],
  source: sourceOperator(157, 267), legacySource: legacySource(310, 409, 0, [110, 66], 269), window: 405, async: [204, 310],
  sink: ['$F.invoke($F.java:52)', `${API}StreamSink.processElement(StreamSink.java:54)`], sinkPass: [`${API}StreamSink.processElement(StreamSink.java:54)`],
  kafkaPoll: kafkaPoll(873, 544, ['org.apache.kafka.clients.consumer.internals.ConsumerNetworkClient.poll(ConsumerNetworkClient.java:265)', 'org.apache.kafka.clients.consumer.KafkaConsumer.poll(KafkaConsumer.java:1215)', ...SPLIT_FETCHER_POLL]),
  legacyKafkaPoll: kafkaPoll(873, 544, ['org.apache.kafka.clients.consumer.internals.ConsumerNetworkClient.poll(ConsumerNetworkClient.java:265)', 'org.apache.kafka.clients.consumer.KafkaConsumer.poll(KafkaConsumer.java:1215)', `${LEGACY_KAFKA}KafkaConsumerThread.run(KafkaConsumerThread.java:271)`]),
});

const CONSUMER_3 = ['org.apache.kafka.clients.consumer.internals.ConsumerNetworkClient.poll(ConsumerNetworkClient.java:280)', 'org.apache.kafka.clients.consumer.KafkaConsumer.poll(KafkaConsumer.java:1205)'];
const LINES_1_20: Lines = {
  taskBase: taskBase(973, 917, 970, 949, 763, 575),
  loopAction: 231, loopWait: [379, 368, 229], take: 149, processInput: 638, emitRecord: 238, networkInput: [157, 114], recordProcessor: true, streamMap: 38,
  countingOutput: [60, 32], writerOutput: writerOutput(['collectAndCheckIfChained', 120], 140, 101, 53), chaining: [75, 50, 29], segmentRequest: [383, 355],
  partition: bufferWriting(444, 420, 359, 161), recordWriter: [156, 108, 55],
  mailRun: [
    `${RT}tasks.mailbox.Mail.run(Mail.java:101)`,
    `${RT}tasks.mailbox.MailboxProcessor.runMail(MailboxProcessor.java:414)`,
    `${RT}tasks.mailbox.MailboxProcessor.processMailsWhenDefaultActionUnavailable(MailboxProcessor.java:383)`,
  ],
  source: sourceOperator(310, 422), legacySource: legacySource(430, 535, 115, [113, 71], 338), window: 425, async: [254, 330],
  sink: kafkaSink(178), sinkPass: [`${RT}operators.sink.SinkWriterOperator.processElement(SinkWriterOperator.java:178)`],
  kafkaPoll: kafkaPoll(874, 571, [...CONSUMER_3, ...SPLIT_FETCHER_POLL]),
  legacyKafkaPoll: kafkaPoll(874, 571, [...CONSUMER_3, `${LEGACY_KAFKA}KafkaConsumerThread.run(KafkaConsumerThread.java:262)`]),
};
const FRAMES_1_20 = assemble(LINES_1_20);

const FRAMES_2 = assemble({
  ...LINES_1_20,
  taskBase: taskBase(1022, 959, 987, 969, 774, 579),
  loopWait: [380, 369, 229], take: 161, processInput: 656, emitRecord: 251, networkInput: [213, 170], streamMap: 37, countingOutput: [61, 33],
  writerOutput: writerOutput(['collectAndCheckIfChained', 121], 141, 102, 54), partition: bufferWriting(458, 434, 373, 173),
  mailRun: [
    `${RT}tasks.mailbox.Mail.run(Mail.java:118)`,
    `${RT}tasks.mailbox.MailboxProcessor.runMail(MailboxProcessor.java:415)`,
    `${RT}tasks.mailbox.MailboxProcessor.processMailsWhenDefaultActionUnavailable(MailboxProcessor.java:384)`,
  ],
  source: sourceOperator(328, 472), legacySource: legacySource(394, 499, 79, [107, 68], 346), sink: kafkaSink(183),
  sinkPass: [`${RT}operators.sink.SinkWriterOperator.processElement(SinkWriterOperator.java:183)`],
});

export const STACK_FRAMES: ByVersion<StackFrames> = [
  ['1.9', FRAMES_1_13],
  ['1.16', FRAMES_1_20],
  ['2.0', FRAMES_2],
];

/** Flame graphs show lambdas without the number that the JVM gave them (FLINK-32364 and before: with it). */
export const CLEANS_LAMBDA_NAMES: ByVersion<boolean> = [
  ['1.9', false],
  ['1.18', true],
];

export interface HelperStack {
  /** Class of the object waited for, null = it sleeps. */
  readonly lock: string | null;
  readonly frames: readonly string[];
}

/** What the threads beside a task do nearly all the time. */
export interface HelperStacks {
  readonly sleep: HelperStack;
  readonly scheduled: HelperStack;
  readonly queue: HelperStack;
  readonly pool: HelperStack;
}

const CONDITION = AQS.slice(0, -1);
const flusher = (line: number): HelperStack => ({ lock: null, frames: ['java.lang.Thread.sleep(Native Method)', `${NET}api.writer.RecordWriter$OutputFlusher.run(RecordWriter.java:${line})`] });
const POOL_RUN = [
  'java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1061)',
  'java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1122)',
  'java.util.concurrent.ThreadPoolExecutor$Worker.run(ThreadPoolExecutor.java:635)',
  THREAD_RUN,
];
const SCHEDULED: HelperStack = {
  lock: CONDITION,
  frames: [
    PARK,
    'java.util.concurrent.locks.LockSupport.parkNanos(LockSupport.java:252)',
    `${AQS}awaitNanos(AbstractQueuedSynchronizer.java:1679)`,
    'java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take(ScheduledThreadPoolExecutor.java:1182)',
    'java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take(ScheduledThreadPoolExecutor.java:899)',
    'java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1062)',
    ...POOL_RUN.slice(1),
  ],
};
const QUEUE: HelperStack = {
  lock: CONDITION,
  frames: [
    ...ELEMENT_QUEUE_PUT.slice(0, 6),
    'java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:435)',
    'java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1062)',
    ...POOL_RUN.slice(1),
  ],
};
const PARK_NANOS_252 = PARK_NANOS.slice(0, 2);
const TRANSFER_STACK = 'java.util.concurrent.SynchronousQueue$TransferStack';

export const HELPER_STACKS: ByVersion<HelperStacks> = [
  [
    '1.9',
    {
      sleep: flusher(240),
      scheduled: SCHEDULED,
      queue: QUEUE,
      pool: { lock: TRANSFER_STACK, frames: [...PARK_NANOS_252, `${TRANSFER_STACK}.transfer(SynchronousQueue.java:401)`, 'java.util.concurrent.SynchronousQueue.poll(SynchronousQueue.java:903)', ...POOL_RUN] },
    },
  ],
  [
    '1.14',
    {
      sleep: flusher(280),
      scheduled: SCHEDULED,
      queue: QUEUE,
      pool: { lock: CONDITION, frames: [...PARK_NANOS_252, `${AQS}awaitNanos(AbstractQueuedSynchronizer.java:1679)`, 'java.util.concurrent.LinkedBlockingQueue.poll(LinkedBlockingQueue.java:460)', ...POOL_RUN] },
    },
  ],
];
