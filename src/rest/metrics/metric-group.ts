import { parseDouble } from './aggregation.js';
import type { ComponentMetrics } from './component-metrics.js';
import { ABSENT, TEXT } from './metric-column.js';
import type { TaskMetricStore } from './task-metric-store.js';

/** Components whose metrics are summed up. */
export interface MetricGroup {
  readonly size: number;
  /** Of all of them. */
  names(): ReadonlySet<string>;
  /** Of those that have the metric; null = one of the values is no number. */
  numbers(name: string): Float64Array | null;
}

function allNames(size: number, namesOf: (index: number) => readonly string[]): Set<string> {
  const names = new Set<string>();
  let last: readonly string[] | null = null;
  for (let index = 0; index < size; index++) {
    const own = namesOf(index);
    if (own !== last) for (const name of own) names.add(name);
    last = own;
  }
  return names;
}

export function groupOf(components: readonly ComponentMetrics[]): MetricGroup {
  return {
    size: components.length,
    names: () => allNames(components.length, (index) => components[index].names()),
    numbers: (name) => {
      const texts = components.map((component) => component.get(name)).filter((text) => text !== undefined);
      const values = texts.map(parseDouble).filter((value) => value !== null);
      return values.length < texts.length ? null : Float64Array.from(values);
    },
  };
}

/** Subtasks of a vertex. */
export function subtaskGroup(task: TaskMetricStore, subtasks: readonly number[]): MetricGroup {
  return {
    size: subtasks.length,
    names: () => allNames(subtasks.length, (index) => task.namesOf(subtasks[index])),
    numbers: (name) => {
      const { values, kinds } = task.column(name);
      if (subtasks.some((subtask) => kinds[subtask] === TEXT)) return null;
      return Float64Array.from(subtasks.filter((subtask) => kinds[subtask] !== ABSENT), (subtask) => values[subtask]);
    },
  };
}
