import { networkFeatures } from '../../versions/network-features.js';
import type { FlinkVersion } from '../../versions/flink-versions.js';
import { partitionEventTimes } from '../kafka/index.js';
import type { SourceModel } from '../model/job-model.js';
import type { VertexNetworkState } from '../state/network-state.js';
import { METER_SLOTS, NO_WATERMARK } from '../state/subtask-columns.js';
import type { SourceWatermarkState } from '../state/watermark-state.js';
import { IDLENESS_DETECTION_MS } from './constants.js';
import type { TickContext } from './events.js';

/** The watermark part of a source; null for one that makes none. */
export function createSourceWatermarks(source: SourceModel | null, parallelism: number, version: FlinkVersion): SourceWatermarkState | null {
  if (source === null || source.maxOutOfOrdernessMs === null) return null;
  const features = networkFeatures(version);
  const { alignment } = source;
  return {
    maxOutOfOrdernessMs: source.maxOutOfOrdernessMs,
    idleAfterMs: features.hasWatermarkIdleness ? (source.idleAfterMs ?? -1) : -1,
    holdsFromAssignment: source.legacy || features.splitsHoldWatermarkFromAssignment,
    sparesBlockedTime: !source.legacy && features.idlenessSparesBlockedTime,
    alignment: alignment === undefined || source.legacy || !features.alignsSources ? null : { ...alignment, bySplit: features.alignsSplits },
    ...noSplits(),
    withoutSplitMs: new Float64Array(parallelism),
    waiting: new Uint8Array(parallelism),
    reported: new Float64Array(parallelism).fill(NaN),
    nextReportMs: new Float64Array(parallelism).fill(NaN),
    maxDesired: new Float64Array(parallelism).fill(NaN),
    nextAnnouncementMs: NaN,
  };
}

type BySplit = Pick<SourceWatermarkState, 'owner' | 'watermark' | 'idle' | 'seen' | 'inactiveMs' | 'idleMs' | 'pausedMs' | 'readings'>;

function noSplits(owner: Int32Array = new Int32Array(0)): BySplit {
  const column = (): Float64Array => new Float64Array(owner.length);
  return { owner, watermark: column().fill(NO_WATERMARK), idle: new Uint8Array(owner.length), seen: column().fill(NaN), inactiveMs: column(), idleMs: column(), pausedMs: column(), readings: new Float64Array(2 * METER_SLOTS * owner.length) };
}

/** A new attempt of a source's subtask knows no watermark of its splits. */
export function resetSourceWatermarks(net: VertexNetworkState, s: number): void {
  net.idleOutput[s] = 0;
  const { watermarks } = net;
  if (watermarks === null) return;
  watermarks.withoutSplitMs[s] = 0;
  watermarks.waiting[s] = 0;
  for (const column of [watermarks.reported, watermarks.nextReportMs, watermarks.maxDesired]) column[s] = NaN;
  const splits = watermarks.owner.length;
  for (let split = 0; split < splits; split++) {
    if (watermarks.owner[split] !== s) continue;
    watermarks.watermark[split] = NO_WATERMARK;
    watermarks.idle[split] = 0;
    watermarks.seen[split] = NaN;
    for (const column of [watermarks.inactiveMs, watermarks.idleMs, watermarks.pausedMs]) column[split] = 0;
    for (let i = split; i < watermarks.readings.length; i += splits) watermarks.readings[i] = 0;
  }
}

/** After the flow of a tick: each split's watermark follows its records, or the split becomes idle; the source's is the least of those that are not. */
export function advanceSourceWatermarks(ctx: TickContext, v: number): void {
  const { watermarks } = ctx.network.vertices[v];
  if (watermarks === null) return;
  const vertex = ctx.job.vertices[v];
  const kafka = vertex.kafkaSource;
  if (watermarks.owner.length !== (kafka?.owners.length ?? vertex.parallelism)) {
    Object.assign(watermarks, noSplits(kafka?.owners.slice() ?? Int32Array.from({ length: vertex.parallelism }, (_, s) => s)));
  }
  const { owner } = watermarks;
  const paused = kafka?.paused;
  const begin = kafka?.initial;
  const given = kafka?.emitted ?? vertex.columns.sourceRecordsIn;
  const moved: number[] = [];
  for (let split = 0; split < owner.length; split++) {
    const s = owner[split];
    const presentMs = presentIn(ctx, v, s);
    if (presentMs <= 0) continue;
    if (Number.isNaN(watermarks.seen[split])) watermarks.seen[split] = Math.floor(begin?.[split] ?? 0);
    const isPaused = paused?.[split] === 1 || watermarks.waiting[s] === 1;
    if (isPaused) watermarks.pausedMs[split] += presentMs;
    const whole = Math.floor(given[split]);
    if (whole > watermarks.seen[split]) {
      watermarks.seen[split] = whole;
      watermarks.inactiveMs[split] = 0;
      watermarks.idle[split] = 0;
      moved.push(split);
      continue;
    }
    watermarks.inactiveMs[split] += clockMs(ctx, v, s, presentMs, isPaused);
    if (isPastTimeout(watermarks, watermarks.inactiveMs[split])) watermarks.idle[split] = 1;
    if (watermarks.idle[split] === 1 && !isPaused) watermarks.idleMs[split] += presentMs;
  }
  const eventTimes = kafka === null || kafka === undefined ? vertex.columns.lastEventTimeMs : partitionEventTimes(kafka, moved);
  for (const split of moved) watermarks.watermark[split] = Math.max(watermarks.watermark[split], Math.floor(eventTimes[split]) - watermarks.maxOutOfOrdernessMs - 1);
  combine(ctx, v, watermarks);
}

/** Time of the tick in which the subtask ran. */
function presentIn(ctx: TickContext, v: number, s: number): number {
  const net = ctx.network.vertices[v];
  return net.running[s] === 1 && net.finished[s] === 0 ? ctx.toMs - Math.max(ctx.fromMs, net.startedMs[s]) : 0;
}

/** What of it the idleness timer counts. */
function clockMs(ctx: TickContext, v: number, s: number, presentMs: number, isPaused: boolean): number {
  if (ctx.network.vertices[v].watermarks?.sparesBlockedTime !== true) return presentMs;
  if (isPaused) return 0;
  const { softBackPressuredShare, hardBackPressuredShare } = ctx.job.vertices[v].columns;
  return presentMs * Math.max(0, 1 - softBackPressuredShare[s] - hardBackPressuredShare[s]);
}

function isPastTimeout({ idleAfterMs }: SourceWatermarkState, inactiveMs: number): boolean {
  return idleAfterMs >= 0 && inactiveMs > idleAfterMs + IDLENESS_DETECTION_MS;
}

/** The least watermark of the splits that are not idle goes out; a source all of whose splits are idle, or that has none for so long, is idle. */
function combine(ctx: TickContext, v: number, watermarks: SourceWatermarkState): void {
  const net = ctx.network.vertices[v];
  const { currentOutputWatermark } = ctx.job.vertices[v].columns;
  const { parallelism } = ctx.job.vertices[v];
  const least = new Float64Array(parallelism).fill(Infinity);
  const owned = new Uint8Array(parallelism);
  watermarks.owner.forEach((s, split) => {
    owned[s] = 1;
    if (watermarks.idle[split] === 1 || (watermarks.watermark[split] === NO_WATERMARK && !watermarks.holdsFromAssignment)) return;
    least[s] = Math.min(least[s], watermarks.watermark[split]);
  });
  for (let s = 0; s < parallelism; s++) {
    const presentMs = presentIn(ctx, v, s);
    if (presentMs <= 0) continue;
    if (owned[s] === 0) watermarks.withoutSplitMs[s] += clockMs(ctx, v, s, presentMs, false);
    const unread = owned[s] === 1 && least[s] === Infinity && watermarks.owner.some((owner, split) => owner === s && watermarks.idle[split] === 0);
    net.idleOutput[s] = owned[s] === 0 ? Number(isPastTimeout(watermarks, watermarks.withoutSplitMs[s])) : Number(least[s] === Infinity && !unread);
    if (least[s] !== Infinity && least[s] > currentOutputWatermark[s]) currentOutputWatermark[s] = least[s];
  }
}

/** Takes a reading of the splits' times, into the slot of the meters' reading. */
export function readSplitTimes(watermarks: SourceWatermarkState, slot: number): void {
  const splits = watermarks.owner.length;
  watermarks.readings.set(watermarks.idleMs, 2 * slot * splits);
  watermarks.readings.set(watermarks.pausedMs, (2 * slot + 1) * splits);
}
