import type { MeteredColumn } from '../state/subtask-columns.js';
import { meterRate } from './meter-view.js';
import type { TaskView } from './vertex-view.js';

/** A counter as the sum of metered columns, each times a factor. */
export interface CounterSource {
  readonly columns: readonly MeteredColumn[];
  readonly scale: number;
}

export const ALWAYS_ZERO: CounterSource = { columns: [], scale: 0 };

export function countOf(source: CounterSource, { vertex, subtask }: TaskView): number {
  let count = 0;
  for (const column of source.columns) count += Math.floor(vertex.columns[column][subtask] * source.scale);
  return count;
}

export function rateOf(source: CounterSource, { vertex, subtask }: TaskView): number {
  const [first, ...more] = source.columns;
  if (first === undefined) return 0;
  if (more.length === 0) return meterRate(vertex.windows, first, subtask, source.scale);
  // One counter in Flink: its increase is a whole number before it is divided.
  return source.columns.reduce((sum, column) => sum + Math.round(meterRate(vertex.windows, column, subtask, source.scale) * 60), 0) / 60;
}
