import type { SourceWatermarkState } from './watermark-state.js';

/**
 * Channels, buffer pools and barriers of a running job. Owned by src/simulation/network: nobody else reads inside (metrics and REST
 * read SubtaskColumns and CheckpointState). Records are real numbers ("fluid"); a buffer is counted apart from the records in it.
 */
export interface JobNetworkState {
  options: NetworkOptions;
  edges: EdgeState[];
  channels: ChannelColumns;
  /** In the order of the job's vertices. */
  vertices: VertexNetworkState[];
  /** Checkpoints whose barriers are under way, oldest first. */
  barriers: BarrierState[];
  /** false = a subtask has come to another place since the channels' places were found. */
  placed: boolean;
  /** What happened and was not handed over yet. */
  events: NetworkEvents;
  /** Since when nothing has come near a limit (epoch ms): such a job is worked out in longer steps. */
  calmSinceMs: number;
  /** Epoch ms up to which the flow has been worked out. */
  lastTickMs: number;
}

/** What came of a tick that others act on. */
export interface NetworkEvents {
  acknowledged: BarrierAck[];
  failures: SubtaskFailure[];
  finished: { vertexIndex: number; subtask: number; atMs: number }[];
}

/** A task has the barrier from all its inputs and takes its snapshot now. */
export interface BarrierAck {
  checkpointId: number;
  vertexIndex: number;
  subtask: number;
  /** Epoch ms, between two ticks; the snapshot comes after it. */
  atMs: number;
  startDelayMs: number;
  alignmentDurationMs: number;
  processedBytes: number;
  persistedBytes: number;
  alignmentBufferedBytes: number;
}

export interface SubtaskFailure {
  vertexIndex: number;
  subtask: number;
  exceptionClass: string;
  message: string;
}

/** Flink's network options, read once when the job starts. */
export interface NetworkOptions {
  segmentBytes: number;
  exclusiveBuffersPerChannel: number;
  floatingBuffersPerGate: number;
  maxBuffersPerChannel: number;
  /** Buffers beyond its pool that a task may take to end a record that it has begun. */
  maxOverdraftBuffersPerGate: number;
  /** A subpartition that has sent an aligned barrier sends nothing more until the consumer has aligned. */
  blocksUpstream: boolean;
  bufferDebloatEnabled: boolean;
  bufferDebloatTargetMs: number;
  bufferDebloatMinBytes: number;
}

export interface EdgeState {
  readonly sourceVertex: number;
  readonly targetVertex: number;
  /** Every channel for itself, or a consumer's channels as two classes (see aggregated-edge.ts). */
  readonly kind: 'exact' | 'aggregated';
  readonly blocking: boolean;
  readonly broadcast: boolean;
  readonly fraction: number;
  /** exact: channels of producer p are channelStart[p] … channelStart[p + 1] - 1 of ChannelColumns. */
  readonly channelStart: Int32Array;
  /** Buffers of a producer's LocalBufferPool, by producer. */
  readonly poolBuffers: Float64Array;
  /** The greatest of them. */
  readonly mostPoolBuffers: number;
  /** Buffers beyond the pool that a blocked producer holds; 0 where a record needs one buffer at most. */
  overdraftBuffers: number;
  /** Subpartitions, by producer. */
  readonly subpartitions: Float64Array;
  /** Input gate, by consumer: remote and local channels. */
  remoteChannels: Float64Array;
  localChannels: Float64Array;
  /** Bytes that a producer puts into a buffer: a segment, less when buffers are debloated. */
  bufferBytes: number;
  /** Its moving average, which changes it once it is far enough off. */
  averageBufferBytes: number;
  /** Records that a buffer holds, and bytes of a record on the wire. */
  recordsPerBuffer: number;
  wireBytes: number;
  /** Keys decide where a record goes: shares of a producer's output fluctuate as counts of random draws do. */
  readonly randomShares: boolean;
  /** Records handed over by a producer at which its shares are drawn again, and how often they were. */
  readonly nextShareDraw: Float64Array;
  readonly shareDraws: Float64Array;
  /** Records that a producer may hand over in this tick; set from the consumers' plans. */
  acceptance: Float64Array;
  /** Records handed over by each producer since its attempt started. */
  emitted: Float64Array;
  aggregate: AggregatedEdgeState | null;
}

/** An all-to-all edge whose channels are kept in sums only. */
export interface AggregatedEdgeState {
  /** Share of a producer's output by consumer, and their sum (1; more for BROADCAST). */
  readonly share: Float64Array;
  shareSum: number;
  /** ChannelColumns index of consumer 0's class of local channels; consumer j's is localStart + j. */
  readonly localStart: number;
  readonly remoteStart: number;
  /** Task manager of each producer and consumer, as a number below `hosts`; -1 = not placed. */
  readonly producerHost: Int32Array;
  readonly consumerHost: Int32Array;
  hosts: number;
  /** Records on the producer's side, by producer. */
  readonly producerRecords: Float64Array;
  /** What each producer handed over in this tick, and lately (records/ms). */
  readonly flow: Float64Array;
  readonly rate: Float64Array;
  /** Least watermark of the producers that are not idle, and whether all of them are. */
  watermark: number;
  idle: boolean;
  /** Records in the open buffers of a producer, on average. */
  openRecords: number;
  /** One of the producers was stopped in this tick. */
  anyBlocked: boolean;
  /** Sums by host, of the tick under way. */
  hostFlow: Float64Array;
  hostAhead: Float64Array;
}

/** One element a channel (or class of channels). */
export interface ChannelColumns {
  count: number;
  edge: Int32Array;
  /** -1 for a class of channels. */
  producer: Int32Array;
  consumer: Int32Array;
  /** 1 = producer and consumer share a task manager: the consumer reads the producer's subpartition. */
  local: Uint8Array;
  /** 1 = the producer has ended and all that it sent is in the channel. */
  ended: Uint8Array;
  /** Channels that this element stands for. */
  weight: Float64Array;
  /** Part of the producer's output: expected, and at the moment. */
  expectedShare: Float64Array;
  share: Float64Array;
  /** Records that ever went in and came out. */
  enqueued: Float64Array;
  dequeued: Float64Array;
  /** Records on the producer's side (subpartition), its open buffer included. */
  producerRecords: Float64Array;
  /** Records and buffers at the consumer's gate (remote channels). */
  gateRecords: Float64Array;
  gateBuffers: Float64Array;
  /** Space that barriers left unused by closing buffers before they were full, on the producer's side, in buffers. */
  producerWaste: Float64Array;
  /** The same of barriers that have overtaken what was there: spread over the subpartition, it leaves with what lies there. */
  spreadWaste: Float64Array;
  /** Smoothed inflow, records/ms. */
  inflow: Float64Array;
  /** Records that the consumer does not see yet: in the open buffer until it is flushed, and in bursts. */
  held: Float64Array;
  /** At what phase of filling and bursts a checkpoint meets the channel: factor of the mean, about 1. */
  phase: Float64Array;
  /** The part of it that is in the open buffer. */
  open: Float64Array;
  /** Event time up to which the consumer has seen this channel. */
  watermark: Float64Array;
  // of the tick under way
  /** Records that the consumer could take, and its turns among the others (records of a buffer). */
  demand: Float64Array;
  turn: Float64Array;
  /** How far the turns are off even while a barrier is ahead: buffers are served whole, and keys do not come evenly. About 1. */
  turnBias: Float64Array;
  /** Records that the consumer will take at least, if they are there. */
  planned: Float64Array;
  /** Records that may leave the producer's side: a subpartition sends nothing behind a barrier that its consumer aligns. */
  passable: Float64Array;
  /** Buffers that the plan leaves at the gate, and those that may come to it. */
  gateStaying: Float64Array;
  gateRoom: Float64Array;
  arrived: Float64Array;
  drained: Float64Array;
  /** Records of a buffer that comes to the gate: flushes cut buffers short, unless there is a backlog. */
  recordsPerMovedBuffer: Float64Array;
}

export interface VertexNetworkState {
  readonly isSource: boolean;
  readonly legacySource: boolean;
  readonly inputs: number[];
  readonly outputs: number[];
  /** Channels of consumer s are inputChannels[inputStart[s]] … */
  readonly inputStart: Int32Array;
  readonly inputChannels: Int32Array;
  /** Time of the thread for a record, ms; mean of the whole chain. */
  serviceMs: number;
  /** Records a ms that a subtask can take at most for another reason than its thread (outside system, async requests). */
  rateLimitPerMs: number;
  /** The limit keeps the thread (a sink that blocks) or not (async requests). */
  rateLimitTakesThread: boolean;
  selectivity: number;
  /** Window in the chain: results leave at the end of each slide. 0 = none. */
  windowSlideMs: number;
  readonly windowPending: Float64Array;
  readonly windowFired: Float64Array;
  /** One record in needs more buffers than the overdraft gives: the task waits inside it (hard back pressure). */
  waitsInRecord: boolean;
  // sources
  /** Records offered and not emitted yet (generators). */
  readonly owed: Float64Array;
  /** Set by set-source-rate: the offered load from an instant on; null = the model's steps. */
  rateOverride: { sinceMs: number; fromRecordsPerSecond: number; recordsPerSecond: number; rampMs: number } | null;
  /** Watermarks of a source that makes them; null for all else. */
  watermarks: SourceWatermarkState | null;
  // by subtask
  /** 1 = the task's watermark status is IDLE: it does not hold back those behind it. */
  readonly idleOutput: Uint8Array;
  readonly running: Uint8Array;
  readonly finished: Uint8Array;
  readonly startedMs: Float64Array;
  /** Time that the thread spends outside records (synchronous part of snapshots), still to be spent, ms. */
  readonly stallMs: Float64Array;
  readonly failureCounted: Uint8Array;
  /** Times that a record takes the thread longer because others use the cores; 1 = it has one to itself. */
  readonly slowdown: Float64Array;
  /** Smoothed use of the thread, 0 … 1, and rate of records taken, records/ms. */
  readonly utilization: Float64Array;
  readonly throughput: Float64Array;
  /** The same over some seconds: what a source that is stopped again and again comes to. */
  readonly pace: Float64Array;
  // of the tick under way
  readonly available: Float64Array;
  readonly capacity: Float64Array;
  readonly outputLimited: Uint8Array;
  /** Its outputs stopped it in this tick. */
  readonly blocked: Uint8Array;
  /** It has passed a barrier on in this tick: what follows waits behind it, in the task's own buffers. */
  readonly behindBarrier: Uint8Array;
  readonly processed: Float64Array;
  readonly softStretchMs: Float64Array;
  readonly hardStretchMs: Float64Array;
  /** Barriers in the inputs of a subtask that it has not dealt with. */
  readonly openMarks: Int32Array;
}

/** A checkpoint's barriers on their way. */
export interface BarrierState {
  readonly checkpointId: number;
  readonly triggerMs: number;
  readonly exactlyOnce: boolean;
  /** From that instant on its barriers overtake records (epoch ms; Infinity = never). */
  readonly overtakesFromMs: number;
  overtaking: boolean;
  /** By vertex: instant at which the source takes the barrier (NaN for what is no source). */
  takeMs: Float64Array[];
  /** By vertex: the source has to have emitted more than that (records since its start) to let go of the checkpoint lock; -1 = it does not hold it. */
  takePosition: Float64Array[];
  /** By channel: position (in records ever enqueued) and instant of the barrier; NaN = not there yet. */
  markPosition: Float64Array;
  markMs: Float64Array;
  reached: Uint8Array;
  /** By channel: 1 = its barrier turned to an overtaking one later than the others, at markMs. */
  convertedLate: Uint8Array;
  /** By vertex and subtask. */
  firstReachMs: Float64Array[];
  outstanding: Float64Array[];
  passedOn: Uint8Array[];
  done: Uint8Array[];
  processedBytes: Float64Array[];
  persistedBytes: Float64Array[];
  /** By edge, for aggregated ones. */
  aggregates: (AggregatedBarrierState | null)[];
  /** Classes of channels: position and instant of the first barrier among them (the mark is the last one). */
  firstPosition: Float64Array;
  firstMs: Float64Array;
  remaining: number;
}

/** How far the producers of an aggregated edge are with a checkpoint's barrier. */
export interface AggregatedBarrierState {
  /** Producers that have not passed it on. */
  waiting: number;
  firstMs: number;
  lastMs: number;
  /** What each producer handed over in this tick ahead of its barrier; NaN = all of it, -1 = it passed the barrier on before. */
  readonly ahead: Float64Array;
}
