import type { JobNetworkState, VertexNetworkState } from '../state/network-state.js';
import { NO_WATERMARK } from '../state/subtask-columns.js';
import { MAX_WATERMARK, type SourceWatermarkState } from '../state/watermark-state.js';
import { WATERMARK_INTERVAL_MS } from './constants.js';
import type { TickContext } from './events.js';

type Aligned = SourceWatermarkState & { readonly alignment: NonNullable<SourceWatermarkState['alignment']> };

function alignedOf(net: VertexNetworkState): Aligned | null {
  return net.watermarks !== null && net.watermarks.alignment !== null ? (net.watermarks as Aligned) : null;
}

/**
 * Before the flow of a tick: source readers report their watermarks, coordinators announce how far they may go, and those that are
 * further wait, as do partitions that are further than that within a source.
 */
export function alignSources(ctx: TickContext): void {
  const { network } = ctx;
  let any = false;
  network.vertices.forEach((net, v) => {
    const watermarks = alignedOf(net);
    if (watermarks === null) return;
    any = true;
    for (let s = 0; s < net.running.length; s++) report(ctx, v, s, watermarks);
  });
  if (!any) return;
  // Who waits, and for how long, hangs on single reports: no long steps.
  network.calmSinceMs = ctx.toMs;
  network.vertices.forEach((net, v) => {
    const watermarks = alignedOf(net);
    if (watermarks === null) return;
    announce(ctx, watermarks, net);
    hold(ctx, v, watermarks);
  });
}

function report(ctx: TickContext, v: number, s: number, watermarks: Aligned): void {
  const net = ctx.network.vertices[v];
  if (net.finished[s] === 1) watermarks.reported[s] = MAX_WATERMARK;
  if (net.running[s] === 0 || net.finished[s] === 1) return;
  const { updateIntervalMs } = watermarks.alignment;
  if (Number.isNaN(watermarks.nextReportMs[s])) watermarks.nextReportMs[s] = net.startedMs[s] + updateIntervalMs;
  if (watermarks.nextReportMs[s] > ctx.toMs) return;
  while (watermarks.nextReportMs[s] <= ctx.toMs) watermarks.nextReportMs[s] += updateIntervalMs;
  const watermark = ctx.job.vertices[v].columns.currentOutputWatermark[s];
  if (watermark !== NO_WATERMARK) watermarks.reported[s] = net.idleOutput[s] === 1 ? MAX_WATERMARK : watermark;
}

/** The least watermark reported in the group, over all its sources; without any the group is at its beginning. */
function groupWatermark(network: JobNetworkState, group: string): number {
  let least = Infinity;
  for (const net of network.vertices) {
    const watermarks = alignedOf(net);
    if (watermarks === null || watermarks.alignment.group !== group) continue;
    for (const reported of watermarks.reported) if (reported < least) least = reported;
  }
  return least === Infinity ? NO_WATERMARK : least;
}

function announce(ctx: TickContext, watermarks: Aligned, net: VertexNetworkState): void {
  const { group, maxDriftMs, updateIntervalMs } = watermarks.alignment;
  if (Number.isNaN(watermarks.nextAnnouncementMs)) watermarks.nextAnnouncementMs = ctx.fromMs + updateIntervalMs;
  if (watermarks.nextAnnouncementMs > ctx.toMs) return;
  while (watermarks.nextAnnouncementMs <= ctx.toMs) watermarks.nextAnnouncementMs += updateIntervalMs;
  const least = groupWatermark(ctx.network, group);
  const maxDesired = least === MAX_WATERMARK ? MAX_WATERMARK : least + maxDriftMs;
  for (let s = 0; s < net.running.length; s++) if (net.running[s] === 1) watermarks.maxDesired[s] = maxDesired;
}

function hold(ctx: TickContext, v: number, watermarks: Aligned): void {
  const vertex = ctx.job.vertices[v];
  const { currentOutputWatermark, watermarkAlignmentDriftMs } = vertex.columns;
  const { maxDesired, waiting, owner, watermark } = watermarks;
  // A source that goes too far finds out when its next watermark goes out.
  const looks = Math.floor(ctx.toMs / WATERMARK_INTERVAL_MS) > Math.floor(ctx.fromMs / WATERMARK_INTERVAL_MS);
  for (let s = 0; s < vertex.parallelism; s++) {
    waiting[s] = (looks || waiting[s] === 1) && maxDesired[s] < currentOutputWatermark[s] ? 1 : 0;
    watermarkAlignmentDriftMs[s] = drift(currentOutputWatermark[s], maxDesired[s]);
  }
  const kafka = vertex.kafkaSource;
  if (!watermarks.alignment.bySplit || kafka === null || kafka === undefined || owner.length !== kafka.owners.length) return;
  const splits = new Int32Array(vertex.parallelism);
  owner.forEach((s) => splits[s]++);
  kafka.paused ??= new Uint8Array(owner.length);
  // A single split cannot overtake others: its source waits.
  for (let split = 0; split < owner.length; split++) kafka.paused[split] = splits[owner[split]] > 1 && (looks || kafka.paused[split] === 1) && watermark[split] > maxDesired[owner[split]] ? 1 : 0;
}

/** As Java's longs subtract: a source without a watermark counts from 0, and what is too large begins at the other end. */
function drift(watermark: number, maxDesired: number): number {
  if (Number.isNaN(maxDesired)) return NaN;
  const from = watermark === NO_WATERMARK ? 0 : watermark;
  return Math.abs(maxDesired) < Number.MAX_SAFE_INTEGER ? from - maxDesired : Number(BigInt.asIntN(64, BigInt(Math.floor(from)) - BigInt(maxDesired)));
}
