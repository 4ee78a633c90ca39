import { METERED_COLUMNS, METER_INTERVAL_MS, METER_SLOTS, type MeteredColumn, type MeterHistory } from '../state/subtask-columns.js';

/**
 * Readings of the metered columns that windows need: the newest, the one a minute before, and the one a time gauge's window before. A
 * column's readings begin at `column index * columnStride`; each offset is that of the reading's first subtask.
 */
export interface MeterWindows {
  readonly values: Float64Array;
  readonly columnStride: number;
  readonly newest: number;
  readonly minuteAgo: number;
  readonly gaugeWindowAgo: number;
  /** Length of the time gauges' window in readings. */
  readonly gaugeUpdates: number;
}

const MINUTE_S = 60;
const UPDATE_S = METER_INTERVAL_MS / 1000;
const COLUMN_INDEX = Object.fromEntries(METERED_COLUMNS.map((name, index) => [name, index])) as Readonly<Record<MeteredColumn, number>>;
const TIME_COLUMNS = [COLUMN_INDEX.idleMs, COLUMN_INDEX.busyMs, COLUMN_INDEX.softBackPressuredMs, COLUMN_INDEX.hardBackPressuredMs];

/** The windows of a vertex's history as it is now, without copying. */
export function meterWindows(history: MeterHistory, parallelism: number, gaugeWindowMs: number): MeterWindows {
  const gaugeUpdates = gaugeWindowMs / METER_INTERVAL_MS;
  const slot = (back: number): number => ((history.newestSlot + METER_SLOTS - back) % METER_SLOTS) * parallelism;
  return {
    values: history.values,
    columnStride: METER_SLOTS * parallelism,
    newest: slot(0),
    minuteAgo: slot(METER_SLOTS - 1),
    gaugeWindowAgo: slot(gaugeUpdates),
    gaugeUpdates,
  };
}

/** An independent copy with only the readings that count. */
export function copyMeterWindows(windows: MeterWindows, parallelism: number): MeterWindows {
  const separate = windows.gaugeWindowAgo !== windows.minuteAgo;
  const columnStride = (separate ? 3 : 2) * parallelism;
  const values = new Float64Array(METERED_COLUMNS.length * columnStride);
  for (let column = 0; column < METERED_COLUMNS.length; column++) {
    const from = column * windows.columnStride;
    const to = column * columnStride;
    values.set(windows.values.subarray(from + windows.newest, from + windows.newest + parallelism), to);
    values.set(windows.values.subarray(from + windows.minuteAgo, from + windows.minuteAgo + parallelism), to + parallelism);
    if (separate) values.set(windows.values.subarray(from + windows.gaugeWindowAgo, from + windows.gaugeWindowAgo + parallelism), to + 2 * parallelism);
  }
  return { values, columnStride, newest: 0, minuteAgo: parallelism, gaugeWindowAgo: separate ? 2 * parallelism : parallelism, gaugeUpdates: windows.gaugeUpdates };
}

/** A rate as MeterView gives it: the count's increase over a minute, by whole counts; a fresh history starts at 0, hence the ramp. */
export function meterRate(windows: MeterWindows, column: MeteredColumn, subtask: number, scale = 1): number {
  const at = COLUMN_INDEX[column] * windows.columnStride + subtask;
  return (Math.floor(windows.values[at + windows.newest] * scale) - Math.floor(windows.values[at + windows.minuteAgo] * scale)) / MINUTE_S;
}

/** Increase of a column over the last minute's readings. */
export function minuteIncrease(windows: MeterWindows, column: MeteredColumn, subtask: number): number {
  const at = COLUMN_INDEX[column] * windows.columnStride + subtask;
  return windows.values[at + windows.newest] - windows.values[at + windows.minuteAgo];
}

/**
 * Milliseconds a second as TimerGauge averages them: over the updates since the task began to run, at most its window; whole, 0 before
 * the first update. The first update counts as one interval, although the task has run for up to two.
 */
export function timerGauge(windows: MeterWindows, column: MeteredColumn, subtask: number): number {
  const updates = Math.min(windows.gaugeUpdates, updatesSinceStart(windows, subtask));
  if (updates === 0) return 0;
  const at = COLUMN_INDEX[column] * windows.columnStride + subtask;
  const totalMs = Math.floor(windows.values[at + windows.newest]) - Math.floor(windows.values[at + windows.gaugeWindowAgo]);
  return Math.min(1000, Math.max(0, Math.trunc(totalMs / (UPDATE_S * updates))));
}

/** Readings since the subtask runs: its accumulated times tell for how long it has at the newest one. */
function updatesSinceStart(windows: MeterWindows, subtask: number): number {
  let runningMs = 0;
  for (const column of TIME_COLUMNS) runningMs += windows.values[column * windows.columnStride + windows.newest + subtask];
  // The first one (see readMeters) comes after 5 to 10 s.
  return Math.max(0, Math.ceil(runningMs / METER_INTERVAL_MS - 1e-9) - 1);
}
