import type { VertexSurvey } from './survey.js';
import type { JobShot, JobWatch, VertexShot } from './watch.js';

/** A part of the watched time with the rate in it. */
export interface RateSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly recordsPerSecond: number;
  /** Mean part of the time, 0 to 1, over the subtasks; NaN = not told. */
  readonly backPressured: number;
}

/** What was measured of a vertex. Parts of the time are 0 to 1, by subtask; NaN = the cluster does not tell. */
export interface VertexMeasure {
  /** Records handled a second, by subtask: taken in, of a source emitted. */
  readonly handledPerSecond: readonly number[];
  readonly inPerSecond: number;
  readonly outPerSecond: number;
  readonly spans: readonly RateSpan[];
  readonly busy: readonly number[];
  readonly idle: readonly number[];
  readonly backPressured: readonly number[];
  /** On the wire; null = it emits nothing. */
  readonly bytesPerRecord: number | null;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
export const known = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));
export const highest = (values: readonly number[]): number => known(values).reduce((most, value) => Math.max(most, value), 0);

const COUNTERS = ['numRecordsIn', 'numRecordsOut', 'numBytesOut'] as const;

function totalOf(shot: VertexShot, name: string): number {
  return sum(known(shot.metrics.get(name) ?? []));
}

function jobTotals(shot: JobShot): number[] {
  return shot.vertices.flatMap((vertex) => COUNTERS.map((name) => totalOf(vertex, name)));
}

/**
 * The shots to count between: those with values that are new, from the first new ones on (how old the very first were is not known), and of
 * the longest time in which no counter went back (a restart begins them anew).
 */
export function countedShots(watch: JobWatch): JobShot[] {
  const runs: JobShot[][] = [];
  let current: JobShot[] = [];
  let last: number[] | null = null;
  for (const shot of watch.shots) {
    const totals = jobTotals(shot);
    if (totals.every((total) => total === 0)) continue;
    if (last !== null && totals.some((total, i) => total < last![i]!)) {
      runs.push(current);
      current = [];
    } else if (last !== null && totals.every((total, i) => total === last![i]!)) continue;
    current.push(shot);
    last = totals;
  }
  runs.push(current);
  const lengthOf = (run: readonly JobShot[]): number => (run.length < 2 ? 0 : run.at(-1)!.atMs - run[0]!.atMs);
  const longest = runs.reduce((best, run) => (lengthOf(run) > lengthOf(best) ? run : best));
  return longest.length > 2 ? longest.slice(1) : longest;
}

/** Growth a second by subtask over the counted time. */
export function perSecond(shots: readonly JobShot[], vertex: number, metric: string, parallelism: number): number[] {
  const [first, last] = [shots[0], shots.at(-1)];
  const seconds = first && last ? (last.atMs - first.atMs) / 1_000 : 0;
  return Array.from({ length: parallelism }, (_, s) => {
    const from = first?.vertices[vertex]?.metrics.get(metric)?.[s] ?? NaN;
    const to = last?.vertices[vertex]?.metrics.get(metric)?.[s] ?? NaN;
    return seconds > 0 ? (to - from) / seconds : NaN;
  });
}

/** Mean over the shots, by subtask. */
function meanOf(shots: readonly JobShot[], vertex: number, parallelism: number, valueOf: (shot: VertexShot, subtask: number) => number): number[] {
  return Array.from({ length: parallelism }, (_, s) => mean(known(shots.map((shot) => valueOf(shot.vertices[vertex]!, s)))));
}

/** A part of the time: exact where the version counts it up, else the mean of its gauge (of the last minute). */
function shareOf(shots: readonly JobShot[], vertex: number, parallelism: number, accumulated: string, gauge: string): number[] {
  const exact = perSecond(shots, vertex, accumulated, parallelism);
  const gauged = meanOf(shots, vertex, parallelism, (shot, s) => shot.metrics.get(gauge)?.[s] ?? NaN);
  return exact.map((ms, s) => Math.min(1, Math.max(0, (Number.isNaN(ms) ? gauged[s]! : ms) / 1_000)));
}

function spansOf(shots: readonly JobShot[], vertex: number, counter: string): RateSpan[] {
  return shots.slice(1).map((shot, i) => {
    const before = shots[i]!;
    const records = totalOf(shot.vertices[vertex]!, counter) - totalOf(before.vertices[vertex]!, counter);
    const [now, then] = [shot.vertices[vertex]!, before.vertices[vertex]!];
    const blocked = known((now.metrics.get('accumulateBackPressuredTimeMs') ?? []).map((ms, s) => (ms - (then.metrics.get('accumulateBackPressuredTimeMs')?.[s] ?? NaN)) / (shot.atMs - before.atMs)));
    const gauged = known((now.metrics.get('backPressuredTimeMsPerSecond') ?? []).map((ms) => ms / 1_000));
    const told = [blocked, gauged, known(now.backPressured ?? [])].find((values) => values.length > 0) ?? [];
    return { fromMs: before.atMs, toMs: shot.atMs, recordsPerSecond: (records * 1_000) / (shot.atMs - before.atMs), backPressured: mean(told) };
  });
}

/** Takes the vertex at a position of the job from what was watched; `shots` are countedShots. */
export function measureVertex(shots: readonly JobShot[], allShots: readonly JobShot[], vertex: number, survey: VertexSurvey): VertexMeasure {
  const { parallelism } = survey;
  const isSource = survey.inputs.length === 0;
  const [taken, emitted, bytes] = COUNTERS.map((name) => perSecond(shots, vertex, name, parallelism)) as [number[], number[], number[]];
  const handled = (isSource ? emitted : taken).map((rate) => (Number.isNaN(rate) ? 0 : rate));
  const gauged = shareOf(shots, vertex, parallelism, 'accumulateBackPressuredTimeMs', 'backPressuredTimeMsPerSecond');
  // Up to 1.12 only stack samples tell it.
  const sampled = meanOf(allShots, vertex, parallelism, (shot, s) => shot.backPressured?.[s] ?? NaN);
  const outPerSecond = sum(known(emitted));
  return {
    handledPerSecond: handled,
    inPerSecond: isSource ? outPerSecond : sum(known(taken)),
    outPerSecond,
    spans: spansOf(shots, vertex, isSource ? 'numRecordsOut' : 'numRecordsIn'),
    busy: shareOf(shots, vertex, parallelism, 'accumulateBusyTimeMs', 'busyTimeMsPerSecond'),
    idle: shareOf(shots, vertex, parallelism, 'accumulateIdleTimeMs', 'idleTimeMsPerSecond'),
    backPressured: gauged.map((share, s) => (Number.isNaN(share) ? sampled[s]! : share)),
    bytesPerRecord: outPerSecond > 0 ? sum(known(bytes)) / outPerSecond : null,
  };
}
