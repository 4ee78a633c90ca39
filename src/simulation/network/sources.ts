import type { GeneratorSourceModel } from '../model/job-model.js';
import { availableRecords, takeRecords } from '../kafka/index.js';
import { complete } from './barriers.js';
import { MIN_SERVICE_MS } from './constants.js';
import { emit } from './flow.js';
import { offeredByGenerator } from './offered-load.js';
import { roomOfPools, stopAt } from './plan.js';
import type { BarrierState, VertexNetworkState } from '../state/network-state.js';
import type { TickContext } from './events.js';

/** A source's tick: it emits what it has as far as its outputs and its thread allow, and takes barriers on the way. */
export function runSource(ctx: TickContext, v: number, s: number): void {
  const { network, job, state, fromMs, toMs } = ctx;
  const net = network.vertices[v];
  const { columns, model, parallelism } = job.vertices[v];
  const source = model.operators[0].source!;
  const startMs = Math.max(fromMs, net.startedMs[s]);
  if (source.kind === 'generator') net.owed[s] += offered(ctx, v, source, s, startMs) / parallelism;
  const limit = source.kind === 'generator' && source.recordLimit !== null ? source.recordLimit / parallelism - columns.sourceRecordsIn[s] : Infinity;
  // A source that is ahead of its group (watermark alignment) leaves what there is.
  const there = net.watermarks?.waiting[s] === 1 ? 0 : source.kind === 'generator' ? Math.min(net.owed[s], limit) : availableRecords(state, job, v, s);
  const wanted = Math.max(0, Math.min(there, net.capacity[s]));
  const burst = burstOf(net, s, wanted, toMs - startMs);
  let atMs = startMs;
  let left = wanted;
  for (const barrier of network.barriers) {
    if (barrier.done[v][s] === 1 || Number.isNaN(barrier.takeMs[v][s])) continue;
    const takeMs = takenAtMs(ctx, barrier, v, s, wanted, burst, startMs);
    // Triggers queue at the source: a later one does not overtake an earlier one.
    if (takeMs > toMs) break;
    const until = Math.max(atMs, takeMs);
    const by = toMs > startMs ? emittedBy(net, until - startMs, toMs - startMs, wanted, burst) : 0;
    const part = Math.min(left, Math.max(0, by - (wanted - left)));
    give(ctx, v, s, part, until);
    left -= part;
    atMs = until;
    barrier.firstReachMs[v][s] = until;
    complete(ctx, barrier, v, s, until);
    if (net.behindBarrier[s] === 1) {
      const room = roomOfPools(network, v, s);
      if (room < left) {
        left = room;
        stopAt(net, s, net.processed[s] + room);
      }
    }
  }
  give(ctx, v, s, left, toMs);
  if (source.kind === 'generator' && source.recordLimit !== null && columns.sourceRecordsIn[s] >= source.recordLimit / parallelism - 1e-6) {
    net.finished[s] = 1;
    const lastMs = wanted > 0 ? toMs : startMs;
    ctx.events.finished.push({ vertexIndex: v, subtask: s, atMs: lastMs });
  }
}

function offered(ctx: TickContext, v: number, source: GeneratorSourceModel, s: number, startMs: number): number {
  const net = ctx.network.vertices[v];
  return offeredByGenerator(net, source.rateSteps, net.startedMs[s], startMs, ctx.toMs);
}

/** Records for which there is room at once when the outputs stop a source in this tick: what it emits beyond its pace. */
function burstOf(net: VertexNetworkState, s: number, wanted: number, tickMs: number): number {
  return net.outputLimited[s] === 1 && wanted >= net.capacity[s] ? Math.max(0, wanted - net.pace[s] * tickMs) : 0;
}

/** Records emitted `afterMs` from the start of a tick: a burst at the speed of the source's own thread, the rest evenly. */
function emittedBy(net: VertexNetworkState, afterMs: number, tickMs: number, wanted: number, burst: number): number {
  return Math.min(burst, afterMs / Math.max(net.serviceMs, MIN_SERVICE_MS)) + ((wanted - burst) * afterMs) / tickMs;
}

/** Instant at which the source gets to the barrier in this tick, beyond its end if it does not. */
function takenAtMs(ctx: TickContext, barrier: BarrierState, v: number, s: number, wanted: number, burst: number, startMs: number): number {
  const net = ctx.network.vertices[v];
  const called = barrier.takeMs[v][s];
  const position = barrier.takePosition[v][s];
  const ahead = position - ctx.job.vertices[v].columns.sourceRecordsIn[s];
  // A source that has caught up, or waits for nothing, lets go of the lock at once; one that gets no buffer never does.
  if (ahead <= 0 || wanted < net.capacity[s]) return Math.max(called, startMs);
  if (ahead >= wanted) return Infinity;
  return Math.max(called, ahead <= burst ? startMs : startMs + ((ahead - burst) / (wanted - burst)) * (ctx.toMs - startMs));
}

function give(ctx: TickContext, v: number, s: number, records: number, atMs: number): void {
  if (records <= 0) return;
  const { job, network, state } = ctx;
  const net = network.vertices[v];
  const { columns, model } = job.vertices[v];
  const source = model.operators[0].source!;
  let given = records;
  if (source.kind === 'kafka') {
    const taken = takeRecords(state, job, v, s, records);
    given = taken.records;
    columns.lastEventTimeMs[s] = taken.eventTimeMs;
  } else {
    net.owed[s] -= records;
    // The oldest record owed was offered that long ago.
    const rate = columns.sourceRecordsIn[s] > 0 ? net.throughput[s] : 0;
    columns.lastEventTimeMs[s] = atMs - (rate > 0 ? net.owed[s] / rate : 0);
  }
  columns.lastRecordMs[s] = atMs;
  columns.sourceRecordsIn[s] += given;
  net.processed[s] += given;
  if (net.windowSlideMs > 0) net.windowPending[s] += given * net.selectivity;
  else emit(ctx, v, s, given * net.selectivity);
}
