import type { CheckpointState } from '../state/checkpoint-state.js';
import type { AggregatedBarrierState, BarrierState, EdgeState, JobNetworkState } from '../state/network-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { logNormal, uniform } from '../random.js';
import { snapshotOffsets } from '../kafka/index.js';
import { hasBacklog, recordsInLock } from './checkpoint-lock.js';
import { POSITION_EPSILON, isBlocked } from './barrier-channels.js';
import { finishedBuffers } from './buffer-columns.js';
import { BARRIER_HOP_MEDIAN_MS, BARRIER_HOP_SPREAD, CLOSED_BUFFER_WASTE, TRIGGER_RPC_MEDIAN_MS, TRIGGER_RPC_SPREAD, TURN_SPREAD } from './constants.js';
import type { TickContext } from './events.js';

/** For jobs without aggregated edges. */
const NO_POSITIONS = new Float64Array(0);

/** The coordinator tells the sources to take the barrier of a checkpoint, at state.nowMs. */
export function injectBarrier(state: SimulationState, job: JobState, checkpoint: CheckpointState): void {
  const { network } = job;
  const config = job.checkpoints?.config ?? job.model.checkpointing;
  const aligned = !checkpoint.unaligned || checkpoint.isSavepoint;
  const { channels, vertices } = network;
  const byVertex = () => vertices.map((net) => new Float64Array(net.running.length));
  const flags = () => vertices.map((net) => new Uint8Array(net.running.length));
  const barrier: BarrierState = {
    checkpointId: checkpoint.id,
    triggerMs: checkpoint.triggerMs,
    exactlyOnce: config === null || config.mode === 'EXACTLY_ONCE',
    overtakesFromMs: aligned ? Infinity : checkpoint.triggerMs + (config?.alignedTimeoutMs ?? 0),
    overtaking: !aligned && (config?.alignedTimeoutMs ?? 0) <= 0,
    takeMs: vertices.map((net) => new Float64Array(net.running.length).fill(NaN)),
    takePosition: vertices.map((net) => new Float64Array(net.running.length).fill(-1)),
    markPosition: new Float64Array(channels.count).fill(NaN),
    markMs: new Float64Array(channels.count).fill(NaN),
    reached: new Uint8Array(channels.count),
    convertedLate: new Uint8Array(channels.count),
    firstReachMs: vertices.map((net) => new Float64Array(net.running.length).fill(NaN)),
    outstanding: byVertex(),
    passedOn: flags(),
    done: flags(),
    processedBytes: byVertex(),
    persistedBytes: byVertex(),
    aggregates: network.edges.map((edge) => (edge.aggregate === null ? null : aggregatedProgress(network, edge))),
    firstPosition: network.edges.some((edge) => edge.aggregate !== null) ? new Float64Array(channels.count).fill(NaN) : NO_POSITIONS,
    firstMs: network.edges.some((edge) => edge.aggregate !== null) ? new Float64Array(channels.count).fill(NaN) : NO_POSITIONS,
    remaining: 0,
  };
  for (let v = 0; v < vertices.length; v++) {
    const net = vertices[v];
    for (let s = 0; s < net.running.length; s++) {
      if (net.finished[s] === 1) {
        barrier.done[v][s] = 1;
        barrier.passedOn[v][s] = 1;
        continue;
      }
      barrier.remaining++;
      for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
        const c = net.inputChannels[i];
        if (channels.ended[c] === 0) barrier.outstanding[v][s] += channels.weight[c] > 0 ? 1 : 0;
      }
      if (barrier.outstanding[v][s] === 0) takeAtSource(state, job, barrier, v, s);
    }
  }
  network.barriers.push(barrier);
  // Where nothing stands still, nothing evens out again: there the turns stay even.
  if (barrier.exactlyOnce && !barrier.overtaking) drawTurns(state, network, checkpoint.id);
}

/** What comes early at one checkpoint is missing at the next: the unevenness does not add up. A class of channels is closer to even. */
function drawTurns(state: SimulationState, network: JobNetworkState, checkpointId: number): void {
  const { channels } = network;
  const width = (checkpointId % 2 === 0 ? 1 : -1) * TURN_SPREAD * Math.sqrt(12);
  for (let c = 0; c < channels.count; c++) {
    channels.turnBias[c] = 1 + ((uniform(state.model.seed, checkpointId >> 1, c) - 0.5) * width) / Math.sqrt(Math.max(1, channels.weight[c]));
  }
}

function aggregatedProgress(network: JobNetworkState, edge: EdgeState): AggregatedBarrierState {
  const { finished } = network.vertices[edge.sourceVertex];
  const ended = finished.reduce((sum, flag) => sum + flag, 0);
  return { waiting: finished.length - ended, firstMs: Infinity, lastMs: -Infinity, ahead: Float64Array.from(finished, (flag) => (flag === 1 ? -1 : NaN)) };
}

/** When a source gets to the barrier: after the call, and for a blocked legacy source when it lets go of the checkpoint lock. */
function takeAtSource(state: SimulationState, job: JobState, barrier: BarrierState, v: number, s: number): void {
  const { network } = job;
  const net = network.vertices[v];
  const seed = state.model.seed;
  const vertexId = job.vertices[v].id;
  barrier.takeMs[v][s] = state.nowMs + logNormal(TRIGGER_RPC_MEDIAN_MS, TRIGGER_RPC_SPREAD, seed, 'trigger', job.id, barrier.checkpointId, vertexId, s);
  if (!net.legacySource || !hasBacklog(job, v, s)) return;
  barrier.takePosition[v][s] = job.vertices[v].columns.sourceRecordsIn[s] + recordsInLock(state, job, barrier.checkpointId, v, s, 'take', barrier.overtaking);
}

/** The barriers of a checkpoint that failed are dropped; channels that stood still go on. */
export function abortBarrier(network: JobNetworkState, checkpointId: number): void {
  const at = network.barriers.findIndex((barrier) => barrier.checkpointId === checkpointId);
  if (at < 0) return;
  const barrier = network.barriers[at];
  network.barriers.splice(at, 1);
  for (let c = 0; c < network.channels.count; c++) {
    if (Number.isNaN(barrier.markPosition[c])) continue;
    const v = network.edges[network.channels.edge[c]].targetVertex;
    const s = network.channels.consumer[c];
    if (barrier.done[v][s] === 0) network.vertices[v].openMarks[s]--;
  }
}

/** The task sends the barrier to all its outputs at an instant. */
export function passOn(ctx: TickContext, barrier: BarrierState, v: number, s: number, atMs: number): void {
  if (barrier.passedOn[v][s] === 1) return;
  barrier.passedOn[v][s] = 1;
  const { network } = ctx;
  const { channels } = network;
  if (barrier.exactlyOnce && !barrier.overtaking) network.vertices[v].behindBarrier[s] = 1;
  const { numBuffersOut } = ctx.job.vertices[v].columns;
  for (const e of network.vertices[v].outputs) {
    const edge = network.edges[e];
    // Each subpartition's open buffer is closed, and counts as a whole one.
    if (edge.emitted[s] > 0) numBuffersOut[s] += CLOSED_BUFFER_WASTE * edge.subpartitions[s];
    if (edge.aggregate !== null) {
      const progress = barrier.aggregates[e]!;
      const dueMs = atMs + hopMs(ctx, barrier, edge.aggregate.localStart + s);
      progress.waiting--;
      progress.firstMs = Math.min(progress.firstMs, dueMs);
      progress.lastMs = Math.max(progress.lastMs, dueMs);
      progress.ahead[s] = edge.aggregate.flow[s];
      if (barrier.overtaking) barrier.persistedBytes[v][s] += edge.aggregate.producerRecords[s] * edge.wireBytes;
      continue;
    }
    for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1]; c++) {
      if (barrier.overtaking) barrier.persistedBytes[v][s] += channels.producerRecords[c] * edge.wireBytes;
      else if (channels.producerRecords[c] > edge.recordsPerBuffer) channels.producerWaste[c] += CLOSED_BUFFER_WASTE;
      barrier.markPosition[c] = channels.enqueued[c];
      barrier.markMs[c] = Math.max(atMs + hopMs(ctx, barrier, c), lastMarkMs(network, c));
      network.vertices[edge.targetVertex].openMarks[channels.consumer[c]]++;
    }
  }
}

/** A channel keeps the order of its barriers: none arrives before the one ahead of it. */
function lastMarkMs(network: JobNetworkState, c: number): number {
  let last = 0;
  for (const { markMs } of network.barriers) if (markMs[c] > last) last = markMs[c];
  return last;
}

export function hopMs(ctx: TickContext, barrier: BarrierState, c: number): number {
  return logNormal(BARRIER_HOP_MEDIAN_MS, BARRIER_HOP_SPREAD, ctx.state.model.seed, 'hop', ctx.job.id, barrier.checkpointId, c);
}

/** Barriers that are at the head of a channel, and due, by `atMs`. */
export function reachBarriers(ctx: TickContext, v: number, s: number, atMs: number): void {
  const { network } = ctx;
  const { channels } = network;
  const net = network.vertices[v];
  for (const barrier of network.barriers) {
    if (barrier.done[v][s] === 1) continue;
    const setAside = setAsideBytes(ctx, barrier, v, s, atMs);
    for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
      const c = net.inputChannels[i];
      if (barrier.reached[c] === 1 || channels.weight[c] === 0) continue;
      if (channels.ended[c] === 1 && Number.isNaN(barrier.markPosition[c])) {
        if (channels.producerRecords[c] + channels.gateRecords[c] > POSITION_EPSILON) continue;
        barrier.reached[c] = 1;
        barrier.outstanding[v][s]--;
        continue;
      }
      if (channels.producer[c] < 0 && barrier.firstMs[c] <= atMs + 1e-9 && (barrier.overtaking || barrier.firstPosition[c] <= channels.dequeued[c] + POSITION_EPSILON)) meetFirst(ctx, barrier, v, s, atMs);
      const met = barrier.convertedLate[c] === 1 && barrier.markPosition[c] <= channels.dequeued[c] + POSITION_EPSILON;
      if (!(barrier.markMs[c] <= atMs + 1e-9) && !met) continue;
      if (!barrier.overtaking && (barrier.markPosition[c] > channels.dequeued[c] + POSITION_EPSILON || isBlocked(network, v, s, c))) continue;
      reach(ctx, barrier, v, s, c, atMs);
    }
    if (barrier.outstanding[v][s] <= 0) complete(ctx, barrier, v, s, atMs, setAside);
  }
}

function reach(ctx: TickContext, barrier: BarrierState, v: number, s: number, c: number, atMs: number): void {
  barrier.reached[c] = 1;
  barrier.outstanding[v][s]--;
  meetFirst(ctx, barrier, v, s, atMs);
}

/** The first barrier that a task meets: it begins to align, or, where barriers overtake, takes what is at its gate and passes it on. */
function meetFirst(ctx: TickContext, barrier: BarrierState, v: number, s: number, atMs: number): void {
  if (!Number.isNaN(barrier.firstReachMs[v][s])) return;
  const { channels } = ctx.network;
  barrier.firstReachMs[v][s] = atMs;
  if (!barrier.overtaking) return;
  const net = ctx.network.vertices[v];
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
    const other = net.inputChannels[i];
    barrier.persistedBytes[v][s] += channels.gateRecords[other] * ctx.network.edges[channels.edge[other]].wireBytes;
  }
  passOn(ctx, barrier, v, s, atMs);
}

/** The task has the barrier from everywhere: it passes it on (unless it has overtaken already) and takes its snapshot. */
export function complete(ctx: TickContext, barrier: BarrierState, v: number, s: number, atMs: number, alignmentBufferedBytes = 0): void {
  const { network } = ctx;
  const net = network.vertices[v];
  barrier.done[v][s] = 1;
  barrier.remaining--;
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) if (!Number.isNaN(barrier.markPosition[net.inputChannels[i]])) net.openMarks[s]--;
  if (barrier.exactlyOnce && !barrier.overtaking) resumeConsumption(network, v, s);
  passOn(ctx, barrier, v, s, atMs);
  const first = Number.isNaN(barrier.firstReachMs[v][s]) ? atMs : barrier.firstReachMs[v][s];
  const { columns } = ctx.job.vertices[v];
  columns.checkpointStartDelayNs[s] = (first - barrier.triggerMs) * 1e6;
  columns.checkpointAlignmentTimeNs[s] = (atMs - first) * 1e6;
  ctx.events.acknowledged.push({
    checkpointId: barrier.checkpointId,
    vertexIndex: v,
    subtask: s,
    atMs,
    startDelayMs: Math.max(0, first - barrier.triggerMs),
    alignmentDurationMs: atMs - first,
    processedBytes: barrier.processedBytes[v][s],
    persistedBytes: barrier.persistedBytes[v][s],
    alignmentBufferedBytes,
  });
  if (net.isSource && ctx.job.vertices[v].model.operators[0].source?.kind === 'kafka') snapshotOffsets(ctx.state, ctx.job, barrier.checkpointId, v, s);
}

/**
 * Before channels waited upstream (FLINK-16404) a task that aligned read on in the channels that had their barrier and set the buffers
 * aside, unread; each counts as a whole segment. Of a class of channels all but the last one have had theirs.
 */
function setAsideBytes(ctx: TickContext, barrier: BarrierState, v: number, s: number, atMs: number): number {
  const { channels, edges, options } = ctx.network;
  if (options.blocksUpstream || !barrier.exactlyOnce || barrier.overtaking || !(barrier.firstReachMs[v][s] < atMs)) return 0;
  const net = ctx.network.vertices[v];
  let buffers = 0;
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
    const c = net.inputChannels[i];
    const weight = channels.weight[c];
    if (weight === 0 || edges[channels.edge[c]].blocking || (weight === 1 && barrier.reached[c] === 0)) continue;
    const there = channels.local[c] === 1 ? finishedBuffers(ctx.network, c) : channels.gateBuffers[c];
    buffers += Math.floor((weight === 1 ? there : (there * (weight - 1)) / weight) + uniform(ctx.state.model.seed, 'set-aside', barrier.checkpointId, c));
  }
  return buffers * options.segmentBytes;
}

/** Subpartitions that waited for the consumer send on, and what is in their open buffers goes with it, in a buffer of its own. */
function resumeConsumption(network: JobNetworkState, v: number, s: number): void {
  const { channels, edges, options } = network;
  if (!options.blocksUpstream) return;
  const net = network.vertices[v];
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
    const c = net.inputChannels[i];
    if (channels.local[c] === 0 && channels.producerRecords[c] > edges[channels.edge[c]].recordsPerBuffer * channels.weight[c]) channels.producerWaste[c] += CLOSED_BUFFER_WASTE * channels.weight[c];
  }
}

/** Instant of the next barrier in a subtask's inputs that is due after `atMs`; Infinity = none. */
export function nextDueMs(network: JobNetworkState, v: number, s: number, atMs: number): number {
  const { channels } = network;
  const net = network.vertices[v];
  let next = Infinity;
  for (const barrier of network.barriers) {
    if (barrier.done[v][s] === 1) continue;
    for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
      const c = net.inputChannels[i];
      if (barrier.reached[c] === 0 && barrier.markMs[c] > atMs + 1e-9) next = Math.min(next, barrier.markMs[c]);
      if (channels.producer[c] < 0 && barrier.firstMs[c] > atMs + 1e-9) next = Math.min(next, barrier.firstMs[c]);
    }
  }
  return next;
}

/** Counts what a task works off between its first and its last barrier. */
export function countProcessed(network: JobNetworkState, v: number, s: number, bytes: number): void {
  for (const barrier of network.barriers) {
    if (barrier.done[v][s] === 0 && !Number.isNaN(barrier.firstReachMs[v][s])) barrier.processedBytes[v][s] += bytes;
  }
}

/** A barrier that overtook has closed the open buffers too, and is gone long before them. */
function keepClosedBuffers(network: JobNetworkState, barrier: BarrierState): void {
  const { channels, edges } = network;
  for (let c = 0; c < channels.count; c++) {
    const inProducer = barrier.markPosition[c] - channels.dequeued[c] - channels.gateRecords[c];
    if (inProducer > edges[channels.edge[c]].recordsPerBuffer) channels.spreadWaste[c] += CLOSED_BUFFER_WASTE * channels.weight[c];
  }
}

/** Forgets checkpoints that all tasks have dealt with; the next one finds the channels at another phase. */
export function dropFinishedBarriers(ctx: TickContext): void {
  const { barriers, channels } = ctx.network;
  for (let b = barriers.length - 1; b >= 0; b--) {
    if (barriers[b].remaining > 0) continue;
    if (barriers[b].overtaking) keepClosedBuffers(ctx.network, barriers[b]);
    for (let c = 0; c < channels.count; c++) {
      channels.phase[c] = 1 + (2 * uniform(ctx.state.model.seed, 'phase', barriers[b].checkpointId, c) - 1) / Math.sqrt(Math.max(1, channels.weight[c]));
    }
    barriers.splice(b, 1);
  }
}
