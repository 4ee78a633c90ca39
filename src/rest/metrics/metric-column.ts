import { numberReader, subtaskValue, type VertexView } from '../../simulation/metrics/index.js';
import { parseDouble } from './aggregation.js';

export const ABSENT = 0;
export const NUMBER = 1;
export const TEXT = 2;

/** A metric of all subtasks of a vertex, as the numbers that its printed values are read as. */
export interface MetricColumn {
  readonly values: Float64Array;
  /** By subtask: ABSENT, NUMBER or TEXT (which is no number). */
  readonly kinds: Uint8Array;
}

/** Reads a metric of those subtasks that have it. `viewOf`: what a subtask's values are read from, null = it has none. */
export function metricColumn(vertex: VertexView, name: string, viewOf: (subtask: number) => VertexView | null): MetricColumn {
  const column = { values: new Float64Array(vertex.parallelism), kinds: new Uint8Array(vertex.parallelism) };
  const read = numberReader(vertex, name);
  for (let subtask = 0; subtask < vertex.parallelism; subtask++) {
    const view = viewOf(subtask);
    if (view === null) continue;
    const task = { vertex: view, subtask };
    let value = read === null ? undefined : read(task);
    if (value === undefined) {
      const text = subtaskValue(task, name);
      if (text === null) continue;
      value = parseDouble(text) ?? Infinity;
    }
    if (value === null) continue;
    column.values[subtask] = value;
    column.kinds[subtask] = Math.abs(value) === Infinity ? TEXT : NUMBER;
  }
  return column;
}
