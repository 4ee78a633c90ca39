import { closedRecords, distanceToFirst, distanceToMark, isBlocked } from './barrier-channels.js';
import { countProcessed, nextDueMs, reachBarriers } from './barriers.js';
import { spreadAggregated } from './aggregated-edge.js';
import { roomOfPools, stopAt } from './plan.js';
import { leaveProducer, settleChannel } from './settle.js';
import { SMOOTHING_MS } from './constants.js';
import { runSource } from './sources.js';
import { accountTime } from './time-accounting.js';
import { fireWindows } from './windows.js';
import { waterFill } from './water-fill.js';
import type { TickContext } from './events.js';
import { SUBTASKS_IN_PART, type Parts } from '../parts.js';

/** While barriers are near, a task looks at its channels that often. */
const BARRIER_STEP_MS = 20;

/** Records too few to matter: rests of sums. */
const NOTHING = 1e-9;

/** Second pass of a tick, from the sources to the sinks: what really flows; what a task emits can be worked off in the same tick. */
export function* runTick(ctx: TickContext, bufferTimeoutMs: number): Parts {
  const { network } = ctx;
  let subtasks = 0;
  const tickMs = ctx.toMs - ctx.fromMs;
  const newWeight = 1 - Math.exp(-tickMs / SMOOTHING_MS);
  for (let v = 0; v < network.vertices.length; v++) {
    const net = network.vertices[v];
    for (let s = 0; s < net.running.length; s++) {
      if (net.running[s] === 1 && net.finished[s] === 0) {
        if (net.windowSlideMs > 0) fireWindows(ctx, v, s);
        if (net.isSource) runSource(ctx, v, s);
        else if (net.openMarks[s] > 0 || hasEndedWait(ctx, v, s)) runConsumerWithBarriers(ctx, v, s);
        else runConsumer(ctx, v, s);
        accountTime(ctx, v, s);
      }
      for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) settleChannel(network, v, s, net.inputChannels[i], bufferTimeoutMs, ctx.toMs, tickMs, newWeight);
      if (++subtasks % SUBTASKS_IN_PART === 0) yield;
    }
    for (const e of net.outputs) if (network.edges[e].kind === 'aggregated') spreadAggregated(ctx, network.edges[e]);
  }
}

/** A checkpoint is under way and one of the inputs has ended without its barrier. */
function hasEndedWait(ctx: TickContext, v: number, s: number): boolean {
  const { network } = ctx;
  if (network.barriers.length === 0) return false;
  const net = network.vertices[v];
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) if (network.channels.ended[net.inputChannels[i]] === 1) return true;
  return false;
}

/** Hands records to a task's outputs. */
export function emit(ctx: TickContext, v: number, s: number, records: number): void {
  if (records <= 0) return;
  const { network } = ctx;
  const { channels } = network;
  const { columns } = ctx.job.vertices[v];
  for (const e of network.vertices[v].outputs) {
    const edge = network.edges[e];
    const sent = records * edge.fraction;
    edge.emitted[s] += sent;
    columns.numRecordsOut[s] += sent;
    const copies = edge.broadcast ? edge.subpartitions[s] : 1;
    columns.numBytesOut[s] += sent * edge.wireBytes * copies;
    columns.numBuffersOut[s] += (sent * copies) / edge.recordsPerBuffer;
    if (edge.aggregate !== null) {
      edge.aggregate.flow[s] += sent;
      continue;
    }
    for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1]; c++) {
      const part = sent * channels.share[c];
      channels.enqueued[c] += part;
      channels.producerRecords[c] += part;
      channels.arrived[c] += part;
    }
  }
}

/** Takes records out of a channel: from the gate first, the rest passes through it. */
function take(ctx: TickContext, v: number, s: number, c: number, records: number): void {
  const { channels, edges } = ctx.network;
  const { columns } = ctx.job.vertices[v];
  const edge = edges[channels.edge[c]];
  channels.dequeued[c] += records;
  let rest = records;
  if (channels.gateRecords[c] > 0) {
    const part = Math.min(rest, channels.gateRecords[c]);
    const buffers = (channels.gateBuffers[c] * part) / channels.gateRecords[c];
    columns.numBuffersInRemote[s] += buffers;
    channels.gateBuffers[c] -= buffers;
    channels.gateRecords[c] -= part;
    if (channels.gateRecords[c] < NOTHING) channels.gateBuffers[c] = 0;
    rest -= part;
  }
  if (rest > 0) {
    leaveProducer(channels, c, rest);
    const buffers = rest / (channels.recordsPerMovedBuffer[c] || edge.recordsPerBuffer);
    if (channels.local[c] === 1) columns.numBuffersInLocal[s] += buffers;
    else columns.numBuffersInRemote[s] += buffers;
  }
  const bytes = records * edge.wireBytes;
  if (channels.local[c] === 1) columns.numBytesInLocal[s] += bytes;
  else columns.numBytesInRemote[s] += bytes;
  channels.drained[c] += records;
}

/** The chain has worked records off: counters, state, results. */
function processed(ctx: TickContext, v: number, s: number, records: number): void {
  const net = ctx.network.vertices[v];
  const { columns } = ctx.job.vertices[v];
  net.processed[s] += records;
  columns.numRecordsIn[s] += records;
  if (net.windowSlideMs > 0) net.windowPending[s] += records * net.selectivity;
  else emit(ctx, v, s, records * net.selectivity);
}

/** No barrier near: what was promised to each channel first, then what is left of the capacity in turns. */
function runConsumer(ctx: TickContext, v: number, s: number): void {
  const { channels } = ctx.network;
  const net = ctx.network.vertices[v];
  const list = net.inputChannels;
  const from = net.inputStart[s];
  const to = net.inputStart[s + 1];
  let left = net.capacity[s];
  for (let i = from; i < to; i++) {
    const c = list[i];
    const there = channels.producerRecords[c] + channels.gateRecords[c];
    channels.demand[c] = channels.ended[c] === 1 ? there : Math.max(0, there - channels.held[c]);
    channels.drained[c] = 0;
    const given = Math.min(channels.demand[c], channels.planned[c], left);
    channels.planned[c] = given;
    left -= given;
  }
  if (left > NOTHING) waterFill(list, from, to, left, channels.demand, channels.turn, channels.planned);
  let sum = 0;
  for (let i = from; i < to; i++) {
    const c = list[i];
    if (channels.planned[c] <= 0) continue;
    take(ctx, v, s, c, channels.planned[c]);
    sum += channels.planned[c];
  }
  processed(ctx, v, s, sum);
}

/**
 * Barriers in the inputs: the tick is cut at the instants at which one is reached. Between two of them the channels that do not stand
 * still share the capacity in turns, buffer by buffer.
 */
function runConsumerWithBarriers(ctx: TickContext, v: number, s: number): void {
  const { network } = ctx;
  const { channels } = network;
  const net = network.vertices[v];
  const list = net.inputChannels;
  const from = net.inputStart[s];
  const to = net.inputStart[s + 1];
  let rate = net.available[s] > 0 ? net.capacity[s] / net.available[s] : 0;
  let atMs = Math.max(ctx.fromMs, net.startedMs[s]);
  const endMs = ctx.toMs;
  for (let i = from; i < to; i++) channels.drained[list[i]] = 0;
  const steps = 8 + Math.ceil((endMs - atMs) / BARRIER_STEP_MS) + 4 * (to - from) * (1 + network.barriers.length);
  for (let step = 0; step < steps && atMs < endMs; step++) {
    reachBarriers(ctx, v, s, atMs);
    if (net.behindBarrier[s] === 1) {
      // The consumers may stand still from here on.
      net.behindBarrier[s] = 2;
      const room = roomOfPools(network, v, s);
      if (room < rate * (endMs - atMs)) {
        rate = room / (endMs - atMs);
        stopAt(net, s, net.processed[s] + room);
      }
    }
    const restMs = Math.min(endMs, nextDueMs(network, v, s, atMs)) - atMs;
    const lengthMs = rate > 0 ? stretchMs(ctx, v, s, atMs, restMs, rate) : restMs;
    if (rate > 0) workOff(ctx, v, s, rate * lengthMs);
    atMs += Math.max(lengthMs, 0);
  }
  reachBarriers(ctx, v, s, endMs);
}

/**
 * Sets what each channel can give (`demand`) and answers how long nothing about that changes: at most `restMs`, when the next barrier
 * is due. While no barrier can be met this is one stretch to the next one; only near a barrier the channels are looked at more often.
 */
function stretchMs(ctx: TickContext, v: number, s: number, atMs: number, restMs: number, rate: number): number {
  const { network } = ctx;
  const { channels } = network;
  const net = network.vertices[v];
  const list = net.inputChannels;
  const from = net.inputStart[s];
  const to = net.inputStart[s + 1];
  let turns = 0;
  let allGive = true;
  // Records that the channels give before one of them is empty or at a barrier; and before any is at a barrier, however they are shared out.
  let perTurn = Infinity;
  let clear = Infinity;
  for (let i = from; i < to; i++) {
    const c = list[i];
    channels.demand[c] = 0;
    if (channels.weight[c] === 0 || isBlocked(network, v, s, c)) continue;
    const ahead = distanceToMark(network, c, atMs);
    const limit = Math.min(visibleAt(ctx, c, atMs, 0), ahead);
    const mark = Math.min(ahead, distanceToFirst(network, v, s, c));
    if (mark > NOTHING) clear = Math.min(clear, mark);
    if (limit > NOTHING) {
      channels.demand[c] = limit;
      turns += channels.turn[c];
      perTurn = Math.min(perTurn, Math.min(limit, mark) / channels.turn[c]);
    } else if (ahead > NOTHING) allGive = false;
  }
  const evenMs = turns > 0 ? (perTurn * turns) / rate : Infinity;
  if (allGive && evenMs >= BARRIER_STEP_MS) return Math.min(restMs, wholeSteps(evenMs));
  if (clear < rate * BARRIER_STEP_MS) return Math.min(restMs, evenMs, BARRIER_STEP_MS);
  const lengthMs = Math.min(restMs, wholeSteps(clear / rate));
  for (let i = from; i < to; i++) {
    const c = list[i];
    if (channels.weight[c] > 0 && !isBlocked(network, v, s, c)) channels.demand[c] = Math.min(visibleAt(ctx, c, atMs, lengthMs), distanceToMark(network, c, atMs));
  }
  return lengthMs;
}

function wholeSteps(ms: number): number {
  return Math.floor(ms / BARRIER_STEP_MS) * BARRIER_STEP_MS;
}

/** Records that a consumer sees in a channel `aheadMs` after `atMs`, if nothing is taken: what comes in a tick comes evenly over it. */
function visibleAt(ctx: TickContext, c: number, atMs: number, aheadMs: number): number {
  const { channels } = ctx.network;
  const queued = channels.producerRecords[c] + channels.gateRecords[c];
  if (channels.ended[c] === 1) return queued;
  const there = queued - (channels.arrived[c] * (ctx.toMs - atMs - aheadMs)) / (ctx.toMs - ctx.fromMs);
  return Math.max(0, there - channels.held[c], Math.min(queued, closedRecords(ctx.network, c, atMs)));
}

/** The channels that can give share so much work in turns. */
function workOff(ctx: TickContext, v: number, s: number, capacity: number): void {
  const { channels, edges, vertices } = ctx.network;
  const net = vertices[v];
  const list = net.inputChannels;
  const from = net.inputStart[s];
  const to = net.inputStart[s + 1];
  for (let i = from; i < to; i++) channels.planned[list[i]] = 0;
  waterFill(list, from, to, capacity, channels.demand, channels.turn, channels.planned);
  let sum = 0;
  let bytes = 0;
  for (let i = from; i < to; i++) {
    const c = list[i];
    const part = channels.planned[c];
    if (part <= 0) continue;
    take(ctx, v, s, c, part);
    bytes += part * edges[channels.edge[c]].wireBytes;
    sum += part;
  }
  if (sum <= 0) return;
  countProcessed(ctx.network, v, s, bytes);
  processed(ctx, v, s, sum);
}
