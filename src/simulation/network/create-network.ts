import type { FlinkVersion } from '../../versions/flink-versions.js';
import { versionOf } from '../version.js';
import type { JobEdgeModel, JobModel } from '../model/job-model.js';
import type { AggregatedEdgeState, ChannelColumns, EdgeState, JobNetworkState, VertexNetworkState } from '../state/network-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { NO_WATERMARK } from '../state/subtask-columns.js';
import { chainOf } from './chain.js';
import { networkOptions } from './network-options.js';
import { planOverdraft } from './overdraft.js';
import { createSourceWatermarks } from './source-watermarks.js';
import { consumerShares, pointwiseRange } from './shares.js';
import { WIRE_OVERHEAD_BYTES } from './constants.js';

/** Above that many channels for each subtask of the two vertices, an all-to-all edge is kept in sums. */
const EXACT_CHANNELS_PER_SUBTASK = 8;

interface PlannedEdge {
  readonly model: JobEdgeModel;
  readonly source: number;
  readonly target: number;
  readonly producers: number;
  readonly consumers: number;
  readonly kind: 'exact' | 'aggregated';
  readonly firstChannel: number;
  readonly channels: number;
  readonly shares: Float64Array;
  readonly pointwise: boolean;
}

/**
 * Channels, pools and gates of a job whose subtasks do not run yet. `exactChannelsPerSubtask`: up to so many channels for each subtask of
 * its two vertices an all-to-all edge keeps each channel for itself.
 */
export function createJobNetwork(state: SimulationState, job: JobState, exactChannelsPerSubtask: number = EXACT_CHANNELS_PER_SUBTASK): JobNetworkState {
  const { model } = job;
  const options = networkOptions(state, model);
  const planned = planEdges(job, exactChannelsPerSubtask);
  const count = planned.reduce((sum, edge) => sum + edge.channels, 0);
  const channels = emptyChannels(count);
  const edges = planned.map((edge, index) => createEdge(edge, index, channels, options));
  const network: JobNetworkState = {
    options,
    edges,
    channels,
    vertices: model.vertices.map((_, index) => createVertex(job, model, index, edges, channels, versionOf(state))),
    barriers: [],
    placed: false,
    events: { acknowledged: [], failures: [], finished: [] },
    calmSinceMs: state.nowMs,
    lastTickMs: state.nowMs,
  };
  refreshChains(network, job);
  return network;
}

function planEdges(job: JobState, exactChannelsPerSubtask: number): PlannedEdge[] {
  const { model } = job;
  let next = 0;
  return model.edges.map((edge) => {
    const source = model.vertices.findIndex((vertex) => vertex.id === edge.sourceVertexId);
    const target = model.vertices.findIndex((vertex) => vertex.id === edge.targetVertexId);
    const producers = job.vertices[source].parallelism;
    const consumers = job.vertices[target].parallelism;
    const pointwise = edge.shipStrategy === 'FORWARD' || edge.shipStrategy === 'RESCALE';
    const kind = pointwise || producers * consumers <= exactChannelsPerSubtask * (producers + consumers) ? 'exact' : 'aggregated';
    // A vertex of a batch job that has no subtasks yet has no channels either.
    const channels = kind === 'aggregated' ? 2 * consumers : producers === 0 || consumers === 0 ? 0 : pointwise ? Math.max(producers, consumers) : producers * consumers;
    const firstChannel = next;
    next += channels;
    return { model: edge, source, target, producers, consumers, kind, firstChannel, channels, pointwise, shares: consumerShares(edge, edge.skew, consumers, job.vertices[target].maxParallelism) };
  });
}

function emptyChannels(count: number): ChannelColumns {
  const column = () => new Float64Array(count);
  return {
    count,
    edge: new Int32Array(count),
    producer: new Int32Array(count).fill(-1),
    consumer: new Int32Array(count),
    local: new Uint8Array(count),
    ended: new Uint8Array(count),
    weight: column().fill(1),
    expectedShare: column(),
    share: column(),
    enqueued: column(),
    dequeued: column(),
    producerRecords: column(),
    gateRecords: column(),
    gateBuffers: column(),
    producerWaste: column(),
    spreadWaste: column(),
    inflow: column(),
    held: column(),
    phase: column().fill(1),
    open: column(),
    demand: column(),
    turn: column(),
    turnBias: column().fill(1),
    watermark: column().fill(NO_WATERMARK),
    planned: column(),
    passable: column(),
    gateStaying: column(),
    gateRoom: column(),
    arrived: column(),
    drained: column(),
    recordsPerMovedBuffer: column(),
  };
}

function createEdge(edge: PlannedEdge, index: number, channels: ChannelColumns, options: JobNetworkState['options']): EdgeState {
  const { producers, consumers, firstChannel, pointwise, shares } = edge;
  const channelStart = new Int32Array(producers + 1);
  const subpartitions = new Float64Array(producers);
  let c = firstChannel;
  for (let p = 0; p < producers; p++) {
    channelStart[p] = c;
    const [from, to] = pointwise && consumers > 0 ? pointwiseRange(p, producers, consumers) : [0, consumers];
    subpartitions[p] = to - from;
    if (edge.kind === 'aggregated') continue;
    for (let consumer = from; consumer < to; consumer++, c++) {
      channels.edge[c] = index;
      channels.producer[c] = p;
      channels.consumer[c] = consumer;
      channels.share[c] = channels.expectedShare[c] = pointwise ? 1 / (to - from) : shares[consumer];
    }
  }
  channelStart[producers] = c;
  if (edge.kind === 'aggregated') {
    for (let consumer = 0; consumer < consumers; consumer++) {
      for (const at of [firstChannel + consumer, firstChannel + consumers + consumer]) {
        channels.edge[at] = index;
        channels.consumer[at] = consumer;
        channels.share[at] = channels.expectedShare[at] = shares[consumer];
        channels.local[at] = at < firstChannel + consumers ? 1 : 0;
      }
    }
  }
  const poolBuffers = subpartitions.map((n) => n * options.exclusiveBuffersPerChannel + options.floatingBuffersPerGate);
  return {
    sourceVertex: edge.source,
    targetVertex: edge.target,
    kind: edge.kind,
    blocking: edge.model.exchange === 'blocking',
    broadcast: edge.model.shipStrategy === 'BROADCAST',
    fraction: edge.model.fraction,
    channelStart,
    poolBuffers,
    mostPoolBuffers: Math.max(...poolBuffers),
    overdraftBuffers: 0,
    subpartitions,
    remoteChannels: new Float64Array(consumers),
    localChannels: new Float64Array(consumers),
    bufferBytes: options.segmentBytes,
    averageBufferBytes: options.segmentBytes,
    recordsPerBuffer: 1,
    wireBytes: 1,
    randomShares: edge.kind === 'exact' && consumers > 1 && ['HASH', 'CUSTOM', 'SHUFFLE'].includes(edge.model.shipStrategy),
    nextShareDraw: new Float64Array(producers),
    shareDraws: new Float64Array(producers),
    acceptance: new Float64Array(producers),
    emitted: new Float64Array(producers),
    aggregate: edge.kind === 'aggregated' ? createAggregate(edge) : null,
  };
}

function createAggregate(edge: PlannedEdge): AggregatedEdgeState {
  const { producers, consumers, firstChannel } = edge;
  return {
    share: edge.shares,
    shareSum: edge.shares.reduce((a, b) => a + b, 0),
    localStart: firstChannel,
    remoteStart: firstChannel + consumers,
    producerHost: new Int32Array(producers).fill(-1),
    consumerHost: new Int32Array(consumers).fill(-1),
    hosts: 0,
    producerRecords: new Float64Array(producers),
    flow: new Float64Array(producers),
    rate: new Float64Array(producers),
    watermark: NO_WATERMARK,
    idle: false,
    openRecords: 0,
    anyBlocked: false,
    hostFlow: new Float64Array(0),
    hostAhead: new Float64Array(0),
  };
}

function createVertex(job: JobState, model: JobModel, index: number, edges: EdgeState[], channels: ChannelColumns, version: FlinkVersion): VertexNetworkState {
  const { parallelism } = job.vertices[index];
  const operators = model.vertices[index].operators;
  const inputs = edges.flatMap((edge, e) => (edge.targetVertex === index ? [e] : []));
  const outputs = edges.flatMap((edge, e) => (edge.sourceVertex === index ? [e] : []));
  const inputStart = new Int32Array(parallelism + 1);
  for (let c = 0; c < channels.count; c++) if (edges[channels.edge[c]].targetVertex === index) inputStart[channels.consumer[c] + 1]++;
  for (let s = 0; s < parallelism; s++) inputStart[s + 1] += inputStart[s];
  const inputChannels = new Int32Array(inputStart[parallelism]);
  const fill = inputStart.slice();
  for (let c = 0; c < channels.count; c++) if (edges[channels.edge[c]].targetVertex === index) inputChannels[fill[channels.consumer[c]]++] = c;
  const column = () => new Float64Array(parallelism);
  return {
    isSource: operators[0].source !== null,
    legacySource: operators[0].source?.legacy ?? false,
    inputs,
    outputs,
    inputStart,
    inputChannels,
    serviceMs: 0,
    rateLimitPerMs: Infinity,
    rateLimitTakesThread: false,
    selectivity: 1,
    windowSlideMs: 0,
    waitsInRecord: false,
    windowPending: column(),
    windowFired: column(),
    owed: column(),
    rateOverride: null,
    watermarks: createSourceWatermarks(operators[0].source, parallelism, version),
    idleOutput: new Uint8Array(parallelism),
    running: new Uint8Array(parallelism),
    finished: new Uint8Array(parallelism),
    startedMs: column(),
    stallMs: column(),
    failureCounted: new Uint8Array(parallelism),
    slowdown: column().fill(1),
    utilization: column(),
    throughput: column(),
    pace: column(),
    available: column(),
    capacity: column(),
    outputLimited: new Uint8Array(parallelism),
    blocked: new Uint8Array(parallelism),
    behindBarrier: new Uint8Array(parallelism),
    processed: column(),
    softStretchMs: column(),
    hardStretchMs: column(),
    openMarks: new Int32Array(parallelism),
  };
}

/** Reads the chains' service times, selectivities and record sizes again: at the start and after an event that changes them. */
export function refreshChains(network: JobNetworkState, job: JobState): void {
  job.vertices.forEach((vertex, index) => {
    const chain = chainOf(vertex.model, vertex.parallelism);
    const net = network.vertices[index];
    net.serviceMs = chain.serviceMs;
    net.rateLimitPerMs = chain.rateLimitPerMs;
    net.rateLimitTakesThread = chain.rateLimitTakesThread;
    net.selectivity = chain.selectivity;
    net.windowSlideMs = chain.windowSlideMs;
    for (const e of net.outputs) {
      const edge = network.edges[e];
      edge.wireBytes = chain.outputRecordBytes + WIRE_OVERHEAD_BYTES;
      edge.recordsPerBuffer = edge.bufferBytes / edge.wireBytes;
    }
    planOverdraft(network, net);
  });
}
