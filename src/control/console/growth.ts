import { backPressureLevel } from '../../simulation/backpressure/index.js';
import type { JobVertexState } from '../../simulation/state/job-state.js';
import { METER_INTERVAL_MS, METER_SLOTS, METERED_COLUMNS, type MeteredColumn } from '../../simulation/state/subtask-columns.js';
import type { Level } from './console-types.js';

const COUNTERS = ['numRecordsIn', 'numRecordsOut', 'sourceRecordsIn', 'busyMs', 'idleMs', 'softBackPressuredMs', 'hardBackPressuredMs'] as const satisfies readonly MeteredColumn[];

/** Counters of a vertex at an instant, by subtask. */
export type Reading = { readonly atMs: number } & Readonly<Record<(typeof COUNTERS)[number], Float64Array>>;

export interface VertexGrowth {
  /** Records a second. */
  readonly recordsIn: number;
  readonly recordsOut: number;
  /** Of the subtasks' time. */
  readonly busy: number;
  readonly idle: number;
  readonly backPressured: number;
  /** Of the subtask that is back-pressured most, and its level. */
  readonly worst: number;
  readonly level: Level;
}

export const NO_GROWTH: VertexGrowth = { recordsIn: 0, recordsOut: 0, busy: 0, idle: 0, backPressured: 0, worst: 0, level: 'ok' };

export function readCounters({ columns }: JobVertexState, atMs: number): Reading {
  return { atMs, ...(Object.fromEntries(COUNTERS.map((name) => [name, columns[name].slice()])) as Record<(typeof COUNTERS)[number], Float64Array>) };
}

/** The readings that Flink's meters took last and before: what rates and shares come from while nobody has looked before. */
export function meterReadings({ columns: { history }, parallelism }: JobVertexState): { readonly before: Reading; readonly now: Reading } | null {
  if (history.readings < 2) return null;
  const at = (back: number, atMs: number): Reading => {
    const slot = (history.newestSlot + METER_SLOTS - back) % METER_SLOTS;
    const column = (name: MeteredColumn): Float64Array => {
      const from = (METERED_COLUMNS.indexOf(name) * METER_SLOTS + slot) * parallelism;
      return history.values.slice(from, from + parallelism);
    };
    return { atMs, ...(Object.fromEntries(COUNTERS.map((name) => [name, column(name)])) as Record<(typeof COUNTERS)[number], Float64Array>) };
  };
  return { before: at(1, 0), now: at(0, METER_INTERVAL_MS) };
}

/** Growth of a subtask's counter; one that is smaller than before belongs to a new attempt, which counts from 0. */
function grown(before: Reading, now: Reading, counter: (typeof COUNTERS)[number], subtask: number): number {
  const [from, to] = [before[counter][subtask] ?? 0, now[counter][subtask]!];
  return to >= from ? to - from : to;
}

/** What a subtask did between two readings. */
export function subtaskGrowth(vertex: JobVertexState, before: Reading, now: Reading, subtask: number): VertexGrowth {
  const elapsedMs = now.atMs - before.atMs;
  if (elapsedMs <= 0) return NO_GROWTH;
  const isSource = vertex.model.operators[0]!.source !== null;
  const of = (counter: (typeof COUNTERS)[number]) => grown(before, now, counter, subtask);
  const share = (ms: number) => Math.min(1, ms / elapsedMs);
  const backPressured = share(of('softBackPressuredMs') + of('hardBackPressuredMs'));
  return {
    recordsIn: (of(isSource ? 'sourceRecordsIn' : 'numRecordsIn') * 1_000) / elapsedMs,
    recordsOut: (of('numRecordsOut') * 1_000) / elapsedMs,
    busy: share(of('busyMs')),
    idle: share(of('idleMs')),
    backPressured,
    worst: backPressured,
    level: backPressureLevel(backPressured),
  };
}

/** The same of all subtasks: rates as sums, shares as means. */
export function vertexGrowth(vertex: JobVertexState, before: Reading, now: Reading): VertexGrowth {
  let [recordsIn, recordsOut, busy, idle, backPressured, worst] = [0, 0, 0, 0, 0, 0];
  for (let subtask = 0; subtask < vertex.parallelism; subtask++) {
    const each = subtaskGrowth(vertex, before, now, subtask);
    recordsIn += each.recordsIn;
    recordsOut += each.recordsOut;
    busy += each.busy;
    idle += each.idle;
    backPressured += each.backPressured;
    worst = Math.max(worst, each.worst);
  }
  const n = Math.max(1, vertex.parallelism);
  return { recordsIn, recordsOut, busy: busy / n, idle: idle / n, backPressured: backPressured / n, worst, level: backPressureLevel(worst) };
}
