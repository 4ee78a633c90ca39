import { CALM_UTILIZATION, PACE_MS, SMOOTHING_MS } from './constants.js';
import type { TickContext } from './events.js';

/** What the thread did in the tick: every ms is busy, idle, or back-pressured (soft: before the next record, hard: within one). */
export function accountTime(ctx: TickContext, v: number, s: number): void {
  const net = ctx.network.vertices[v];
  const { columns } = ctx.job.vertices[v];
  const presentMs = ctx.toMs - Math.max(ctx.fromMs, net.startedMs[s]);
  if (presentMs <= 0) return;
  const availableMs = net.available[s];
  const records = net.processed[s];
  const serviceMs = net.rateLimitTakesThread ? Math.max(net.serviceMs * net.slowdown[s], 1 / net.rateLimitPerMs) : net.serviceMs * net.slowdown[s];
  const workMs = Math.min(availableMs, records * serviceMs);
  const restMs = availableMs - workMs;
  const atCapacity = records >= net.capacity[s] * (1 - 1e-9) && (net.capacity[s] > 0 || net.outputLimited[s] === 1);
  net.blocked[s] = atCapacity && net.outputLimited[s] === 1 ? 1 : 0;
  let busyMs = presentMs - availableMs + workMs;
  let idleMs = 0;
  let softMs = 0;
  let hardMs = 0;
  if (net.blocked[s] === 1) {
    if (net.legacySource || net.waitsInRecord) hardMs = restMs;
    else softMs = restMs;
  } else if (atCapacity || net.legacySource) busyMs += restMs;
  else idleMs = restMs;
  net.stallMs[s] -= Math.min(net.stallMs[s], presentMs);

  columns.busyMs[s] += busyMs;
  columns.idleMs[s] += idleMs;
  columns.softBackPressuredMs[s] += softMs;
  columns.hardBackPressuredMs[s] += hardMs;
  columns.busyShare[s] = busyMs / presentMs;
  columns.idleShare[s] = idleMs / presentMs;
  columns.softBackPressuredShare[s] = softMs / presentMs;
  columns.hardBackPressuredShare[s] = hardMs / presentMs;
  columns.maxSoftBackPressureMs[s] = Math.max(columns.maxSoftBackPressureMs[s], stretchMs(ctx, v, softMs / presentMs, records / presentMs));
  columns.maxHardBackPressureMs[s] = Math.max(columns.maxHardBackPressureMs[s], stretchMs(ctx, v, hardMs / presentMs, records / presentMs));

  const weight = 1 - Math.exp(-presentMs / SMOOTHING_MS);
  net.utilization[s] += (busyMs / presentMs - net.utilization[s]) * weight;
  if (net.blocked[s] === 1 || net.utilization[s] > CALM_UTILIZATION || net.slowdown[s] > 1) ctx.network.calmSinceMs = ctx.toMs;
  net.throughput[s] += (records / presentMs - net.throughput[s]) * weight;
  net.pace[s] += (records / presentMs - net.pace[s]) * (1 - Math.exp(-presentMs / PACE_MS));
}

/** A blocked task goes on with each buffer that becomes free: a stretch lasts as long as a buffer takes at its rate. */
function stretchMs(ctx: TickContext, v: number, share: number, recordsPerMs: number): number {
  if (share <= 0) return 0;
  const { network } = ctx;
  let size = 0;
  for (const e of network.vertices[v].outputs) size = Math.max(size, network.edges[e].recordsPerBuffer);
  return recordsPerMs > 0 ? (share * size) / (recordsPerMs * Math.max(network.vertices[v].selectivity, 1e-9)) : ctx.toMs - ctx.fromMs;
}
