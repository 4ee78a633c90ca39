import type { ChannelColumns, EdgeState, JobNetworkState, VertexNetworkState } from '../state/network-state.js';
import { acceptanceAggregated } from './aggregated-edge.js';
import { drainLimit } from './barrier-channels.js';
import { MIN_SERVICE_MS } from './constants.js';
import { waterFill } from './water-fill.js';
import { SUBTASKS_IN_PART, type Parts } from '../parts.js';

/** Records accepted where nothing limits them. */
const NO_LIMIT = 1e15;

/**
 * First pass of a tick, from the sinks to the sources: what each subtask could process, what its channels can therefore take, and so
 * what each producer may hand over. What is planned here is a guarantee: the second pass drains at least that much of what is there, so
 * that no buffer is promised twice.
 */
export function* planTick(network: JobNetworkState, fromMs: number, toMs: number): Parts {
  let subtasks = 0;
  for (let v = network.vertices.length - 1; v >= 0; v--) {
    const net = network.vertices[v];
    for (const e of net.outputs) {
      const edge = network.edges[e];
      if (edge.blocking) edge.acceptance.fill(NO_LIMIT);
      else if (edge.kind === 'aggregated') acceptanceAggregated(network, edge);
      else for (let p = 0; p < edge.acceptance.length; p++) edge.acceptance[p] = acceptanceExact(network, edge, p);
    }
    for (let s = 0; s < net.running.length; s++) {
      planCapacity(network, net, s, fromMs, toMs);
      if (net.inputs.length > 0) planInputs(network, net, v, s, toMs - fromMs);
      if (++subtasks % SUBTASKS_IN_PART === 0) yield;
    }
  }
}

function planCapacity(network: JobNetworkState, net: VertexNetworkState, s: number, fromMs: number, toMs: number): void {
  net.processed[s] = 0;
  net.behindBarrier[s] = 0;
  if (net.running[s] === 0 || net.finished[s] === 1) {
    net.available[s] = 0;
    net.capacity[s] = 0;
    net.outputLimited[s] = 0;
    return;
  }
  const present = toMs - Math.max(fromMs, net.startedMs[s]);
  const available = Math.max(0, present - net.stallMs[s]);
  net.available[s] = available;
  const serviceMs = Math.max(net.serviceMs * net.slowdown[s], MIN_SERVICE_MS, net.rateLimitTakesThread ? 1 / net.rateLimitPerMs : 0);
  // A task that starts at the very end of the tick has no time, and no limit times no time is no number.
  const own = available > 0 ? Math.min(available / serviceMs, net.rateLimitPerMs * available) : 0;
  let accepted = Infinity;
  for (const e of net.outputs) {
    const edge = network.edges[e];
    accepted = Math.min(accepted, edge.fraction > 0 ? edge.acceptance[s] / edge.fraction : Infinity);
  }
  let ofOutputs = Infinity;
  // Results of windows wait in the operator until their window ends; only then do full outputs stop the task.
  if (net.windowSlideMs > 0) ofOutputs = net.windowFired[s] > accepted ? 0 : Infinity;
  else if (net.selectivity > 0) ofOutputs = accepted / net.selectivity;
  net.capacity[s] = Math.min(own, ofOutputs);
  net.outputLimited[s] = ofOutputs < own ? 1 : 0;
}

/** Shares a subtask's capacity out among its channels and finds how many buffers each may send to the gate. */
function planInputs(network: JobNetworkState, net: VertexNetworkState, v: number, s: number, tickMs: number): void {
  const { channels, edges, options } = network;
  const list = net.inputChannels;
  const from = net.inputStart[s];
  const to = net.inputStart[s + 1];
  const marked = net.openMarks[s] > 0;
  let turns = 0;
  for (let i = from; i < to; i++) {
    const c = list[i];
    const queued = channels.producerRecords[c] + channels.gateRecords[c];
    channels.turn[c] = (marked ? channels.turnBias[c] : 1) * channels.weight[c] * (channels.gateBuffers[c] > 0.5 ? channels.gateRecords[c] / channels.gateBuffers[c] : channels.recordsPerMovedBuffer[c] || edges[channels.edge[c]].recordsPerBuffer);
    let demand = Math.max(0, queued - channels.held[c]) + channels.inflow[c] * tickMs;
    channels.passable[c] = Infinity;
    if (channels.weight[c] === 0) demand = 0;
    else if (marked) {
      const limit = drainLimit(network, v, s, c);
      demand = Math.min(demand, limit);
      if (options.blocksUpstream) channels.passable[c] = Math.max(0, limit - channels.gateRecords[c]);
    }
    channels.demand[c] = demand;
    channels.planned[c] = 0;
    turns += channels.turn[c];
  }
  const left = waterFill(list, from, to, net.capacity[s], channels.demand, channels.turn, channels.planned);
  if (left > 0 && turns > 0) {
    // More may come than came lately.
    for (let i = from; i < to; i++) {
      const c = list[i];
      if (!marked || channels.planned[c] < drainLimit(network, v, s, c)) channels.planned[c] += (left * channels.turn[c]) / turns;
    }
  }
  for (const e of net.inputs) planGate(network, e, edges[e], list, from, to, s, tickMs);
}

/** Credit: exclusive buffers of a channel, floating ones of its gate for those with a backlog. */
function planGate(network: JobNetworkState, e: number, edge: EdgeState, list: Int32Array, from: number, to: number, s: number, tickMs: number): void {
  const { channels, options } = network;
  if (edge.remoteChannels[s] === 0) return;
  const exclusive = options.exclusiveBuffersPerChannel;
  let floating = options.floatingBuffersPerGate;
  let remotes = 0;
  for (let i = from; i < to; i++) {
    const c = list[i];
    if (channels.edge[c] !== e || channels.local[c] === 1 || channels.weight[c] === 0) continue;
    const own = exclusive * channels.weight[c];
    const staying = channels.gateBuffers[c] * (1 - Math.min(1, channels.gateRecords[c] > 0 ? channels.planned[c] / channels.gateRecords[c] : 1));
    const passing = Math.max(0, channels.planned[c] - channels.gateRecords[c]);
    const coming = Math.max(0, channels.producerRecords[c] - channels.open[c] + channels.inflow[c] * tickMs - passing) / edge.recordsPerBuffer;
    channels.gateStaying[c] = staying;
    floating -= Math.max(0, staying - own);
    channels.gateRoom[c] = Math.max(0, own - staying);
    channels.demand[c] = Math.max(0, coming - channels.gateRoom[c]);
    channels.drained[c] = 0;
    remotes += channels.weight[c];
  }
  if (floating <= 0) return;
  const left = waterFillGate(channels, e, list, from, to, floating);
  for (let i = from; i < to; i++) {
    const c = list[i];
    if (channels.edge[c] !== e || channels.local[c] === 1 || channels.weight[c] === 0) continue;
    channels.gateRoom[c] += channels.drained[c] + (left * channels.weight[c]) / remotes;
    channels.drained[c] = 0;
  }
}

function waterFillGate(channels: ChannelColumns, e: number, list: Int32Array, from: number, to: number, total: number): number {
  for (let i = from; i < to; i++) {
    const c = list[i];
    if (channels.edge[c] !== e || channels.local[c] === 1) {
      channels.demand[c] = 0;
      channels.drained[c] = 0;
    }
  }
  return waterFill(list, from, to, total, channels.demand, channels.weight, channels.drained);
}

/** Records of a channel that may leave the producer's side in this tick. */
export function absorption(channels: ChannelColumns, c: number, recordsPerBuffer: number): number {
  if (channels.local[c] === 1) return channels.planned[c];
  return Math.min(channels.passable[c], Math.max(0, channels.planned[c] - channels.gateRecords[c]) + channels.gateRoom[c] * (channels.recordsPerMovedBuffer[c] || recordsPerBuffer));
}

/**
 * Records that a producer may hand over: no subpartition beyond max-buffers-per-channel, all together within the pool. A producer that
 * is stopped has just got its last buffer as an open one, the other open ones are half full on average.
 */
function acceptanceExact(network: JobNetworkState, edge: EdgeState, p: number): number {
  const { channels, options } = network;
  const first = edge.channelStart[p];
  const last = edge.channelStart[p + 1];
  const size = edge.recordsPerBuffer;
  const subpartitions = edge.subpartitions[p];
  const pool = edge.poolBuffers[p];
  const openFill = (size * (subpartitions - 1)) / (2 * subpartitions);
  // A legacy source does not ask before it writes: only the pool stops it.
  const mostBuffers = network.vertices[edge.sourceVertex].legacySource ? pool : Math.min(options.maxBuffersPerChannel, pool);
  const perChannel = (mostBuffers + edge.overdraftBuffers - 1) * size;
  let x = NO_LIMIT;
  for (let c = first; c < last; c++) {
    if (channels.share[c] === 0) continue;
    const room = perChannel - (channels.producerWaste[c] + channels.spreadWaste[c]) * size + openFill + absorption(channels, c, size) - channels.producerRecords[c];
    x = Math.min(x, room / channels.share[c]);
  }
  const limit = (pool + edge.overdraftBuffers - subpartitions) * size;
  // Convex and piecewise linear in x: Newton from above comes down to the root in a few steps.
  for (let step = 0; step < 64 && x > 0; step++) {
    let held = 0;
    let slope = 0;
    for (let c = first; c < last; c++) {
      held += (channels.producerWaste[c] + channels.spreadWaste[c]) * size;
      const over = channels.producerRecords[c] + x * channels.share[c] - absorption(channels, c, size) - openFill;
      if (over > 0) {
        held += over;
        slope += channels.share[c];
      }
    }
    if (held <= limit * (1 + 1e-12)) break;
    x = slope > 0 ? x - (held - limit) / slope : 0;
  }
  return Math.max(0, x);
}

/** The outputs stop a subtask in this tick once it has taken so many records. */
export function stopAt(net: VertexNetworkState, s: number, records: number): void {
  net.capacity[s] = records;
  net.outputLimited[s] = 1;
}

/** Records that a task may take in while its consumers take nothing: what its own pools still hold. */
export function roomOfPools(network: JobNetworkState, v: number, s: number): number {
  const { channels, options, vertices } = network;
  const net = vertices[v];
  if (net.windowSlideMs > 0 || net.selectivity === 0) return Infinity;
  let least = Infinity;
  for (const e of net.outputs) {
    const edge = network.edges[e];
    if (edge.blocking || edge.fraction === 0) continue;
    const size = edge.recordsPerBuffer;
    let room = (edge.poolBuffers[s] + edge.overdraftBuffers - edge.subpartitions[s] / 2) * size;
    if (edge.aggregate !== null) room = (room - edge.aggregate.producerRecords[s] - edge.aggregate.flow[s] * edge.aggregate.shareSum) / edge.aggregate.shareSum;
    else {
      let shares = 0;
      for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1]; c++) {
        room -= channels.producerRecords[c];
        shares += channels.share[c];
      }
      room /= shares;
      for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1] && !net.legacySource; c++) {
        if (channels.share[c] > 0) room = Math.min(room, ((options.maxBuffersPerChannel + edge.overdraftBuffers) * size - channels.producerRecords[c]) / channels.share[c]);
      }
    }
    least = Math.min(least, Math.max(0, room) / edge.fraction / net.selectivity);
  }
  return least;
}
