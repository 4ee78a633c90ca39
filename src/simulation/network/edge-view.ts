import type { ChannelColumns, EdgeState, JobNetworkState } from '../state/network-state.js';
import { finishedBuffers } from './buffer-columns.js';

/** The buffers between the producers of an edge and one of its consumers. Buffers are real numbers, as the model has them. */
export interface EdgeView {
  readonly edge: number;
  readonly consumer: number;
  readonly segmentBytes: number;
  readonly bufferBytes: number;
  /** null = only the pool limits a subpartition. */
  readonly maxBuffersPerChannel: number | null;
  /** The channels are kept as two classes (same task manager, others), not one by one. */
  readonly inClasses: boolean;
  readonly gate: GateView;
  /** Fullest first. */
  readonly channels: readonly ChannelView[];
  /** Of each producer, by subtask. */
  readonly pools: readonly PoolView[];
}

export interface GateView {
  readonly exclusiveBuffers: number;
  readonly usedExclusive: number;
  readonly floatingBuffers: number;
  readonly usedFloating: number;
  readonly remoteChannels: number;
  readonly localChannels: number;
}

export interface ChannelView {
  /** -1 = a class of channels. */
  readonly producer: number;
  readonly local: boolean;
  /** Channels that it stands for. */
  readonly channels: number;
  /** Full buffers that wait on the producer's side, and how far the open one is filled (of one channel). */
  readonly backlogBuffers: number;
  readonly openShare: number;
  /** Records on the producer's side and at the gate. */
  readonly producerRecords: number;
  readonly gateRecords: number;
  /** Buffers at the gate: in exclusive ones, in floating ones. */
  readonly exclusiveBuffers: number;
  readonly usedExclusive: number;
  readonly usedFloating: number;
  /** Buffers that the producer may still send. */
  readonly credit: number;
  readonly recordsPerSecond: number;
  /** It holds a barrier that its consumer has not come to. */
  readonly barriers: number;
}

export interface PoolView {
  readonly producer: number;
  readonly poolBuffers: number;
  readonly usedBuffers: number;
  readonly subpartitions: number;
}

/** Looks at an edge's buffers from the side of consumer `s`. */
export function edgeView(network: JobNetworkState, edgeIndex: number, s: number): EdgeView {
  const { channels, options } = network;
  const edge = network.edges[edgeIndex];
  const net = network.vertices[edge.targetVertex];
  const views: ChannelView[] = [];
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
    const c = net.inputChannels[i];
    if (channels.edge[c] === edgeIndex && channels.weight[c] > 0) views.push(channelView(network, edge, c));
  }
  const sum = (of: (view: ChannelView) => number): number => views.reduce((total, view) => total + of(view), 0);
  const remoteChannels = sum((view) => (view.local ? 0 : view.channels));
  return {
    edge: edgeIndex,
    consumer: s,
    segmentBytes: options.segmentBytes,
    bufferBytes: edge.bufferBytes,
    maxBuffersPerChannel: options.maxBuffersPerChannel < Number.MAX_SAFE_INTEGER ? options.maxBuffersPerChannel : null,
    inClasses: edge.aggregate !== null,
    gate: {
      exclusiveBuffers: sum(({ exclusiveBuffers }) => exclusiveBuffers),
      usedExclusive: sum(({ usedExclusive }) => usedExclusive),
      floatingBuffers: edge.blocking ? 0 : options.floatingBuffersPerGate,
      usedFloating: sum(({ usedFloating }) => usedFloating),
      remoteChannels,
      localChannels: sum(({ channels: count }) => count) - remoteChannels,
    },
    channels: views.sort((a, b) => fullness(b) - fullness(a) || a.producer - b.producer),
    pools: Array.from(edge.poolBuffers, (poolBuffers, producer) => ({ producer, poolBuffers, usedBuffers: usedOfPool(network, edge, producer), subpartitions: edge.subpartitions[producer] })),
  };
}

function fullness({ backlogBuffers, usedExclusive, usedFloating, channels }: ChannelView): number {
  return (backlogBuffers + usedExclusive + usedFloating) / channels;
}

function channelView(network: JobNetworkState, edge: EdgeState, c: number): ChannelView {
  const { channels, options } = network;
  const local = channels.local[c] === 1;
  const weight = channels.weight[c];
  const exclusiveBuffers = local ? 0 : weight * options.exclusiveBuffersPerChannel;
  const buffers = local ? 0 : channels.gateBuffers[c];
  return {
    producer: channels.producer[c],
    local,
    channels: weight,
    backlogBuffers: finishedBuffers(network, c),
    openShare: Math.min(1, channels.open[c] / weight / edge.recordsPerBuffer),
    producerRecords: channels.producerRecords[c],
    gateRecords: channels.gateRecords[c],
    exclusiveBuffers,
    usedExclusive: Math.min(exclusiveBuffers, buffers),
    usedFloating: Math.max(0, buffers - exclusiveBuffers),
    credit: local ? 0 : Math.max(0, channels.gateRoom[c]),
    recordsPerSecond: channels.inflow[c] * 1_000,
    barriers: barriersIn(network, channels, c),
  };
}

function barriersIn(network: JobNetworkState, channels: ChannelColumns, c: number): number {
  let count = 0;
  for (const { markPosition, reached } of network.barriers) if (reached[c] === 0 && markPosition[c] > channels.dequeued[c]) count++;
  return count;
}

/** Whole buffers of a producer's pool that are in use, one open one in each subpartition among them. */
function usedOfPool(network: JobNetworkState, edge: EdgeState, producer: number): number {
  if (edge.emitted[producer] <= 0) return 0;
  let buffers = edge.subpartitions[producer];
  if (edge.aggregate !== null) buffers += Math.max(0, edge.aggregate.producerRecords[producer] - edge.aggregate.openRecords) / edge.recordsPerBuffer;
  else for (let c = edge.channelStart[producer]; c < edge.channelStart[producer + 1]; c++) buffers += finishedBuffers(network, c);
  return Math.min(Math.round(buffers), edge.poolBuffers[producer]);
}
