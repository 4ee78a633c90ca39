import { hashSetCopyOrder, stringHash } from '../java/hash-order.js';
import { rowGroups, type LongList } from '../serializer/long-list.js';
import type { Parts } from '../../simulation/parts.js';
import { AGGREGATIONS, aggregate, type Aggregation } from './aggregation.js';
import type { ComponentMetrics } from './component-metrics.js';
import type { MetricGroup } from './metric-group.js';
import { TaskMetricStore } from './task-metric-store.js';

export interface MetricAnswer {
  readonly id: string;
  /** Absent in a list of names. */
  readonly value?: string;
}

export type AggregatedMetricAnswer = { readonly id: string } & { readonly [each in Aggregation]?: number };

/** What a plain metric endpoint tells of a component: all names, or the values of those that were asked for and are there. */
export function metricCollection(metrics: ComponentMetrics | undefined, requested: readonly string[] | undefined): readonly MetricAnswer[] | LongList<MetricAnswer> {
  if (!metrics) return [];
  if (!requested || requested.length === 0) return metrics instanceof TaskMetricStore ? subtaskNameList(metrics) : nameList(metrics.names());
  const answer: MetricAnswer[] = [];
  // Flink puts the names that were asked for into a HashSet.
  for (const id of hashSetCopyOrder([...new Set(requested)], stringHash)) {
    const value = metrics.get(id);
    if (value !== undefined) answer.push({ id, value });
  }
  return answer;
}

/** Values that may be read of a group before others have their turn. */
const VALUES_AT_ONCE = 2_000;

/** The same over several components. A name that none of them has empties the whole; values that are no numbers are left out. */
export function* aggregatedMetrics(group: MetricGroup, requested: readonly string[] | undefined, aggregations: readonly Aggregation[]): Parts<AggregatedMetricAnswer[]> {
  if (!requested || requested.length === 0) return nameList(group.names());
  const answer: AggregatedMetricAnswer[] = [];
  let read = 0;
  for (const id of requested) {
    const values = group.numbers(id);
    if (values?.length === 0) return [];
    if (values !== null) answer.push({ id, ...Object.fromEntries(aggregations.map((each) => [each, aggregate(each, values)])) });
    read += group.size;
    if (read < VALUES_AT_ONCE) continue;
    read = 0;
    yield;
  }
  return answer;
}

/** Those that were asked for, in any case, in Flink's order; all when none was. */
export function requestedAggregations(asked: readonly string[] | undefined, known: readonly Aggregation[]): Aggregation[] {
  if (!asked || asked.length === 0) return [...known];
  const wanted = new Set(asked.map((each) => each.toLowerCase()));
  return AGGREGATIONS.filter((each) => wanted.has(each));
}

function nameList(names: Iterable<string>): { id: string }[] {
  return Array.from(names, (id) => ({ id }));
}

/** Names of a list that cost as much as a row with values. */
const NAMES_PER_ROW = 8;

function subtaskNameList(task: TaskMetricStore): readonly MetricAnswer[] | LongList<MetricAnswer> {
  const [first] = task.known();
  const work = first === undefined ? 0 : (task.parallelism * task.namesOf(first).length) / NAMES_PER_ROW;
  return rowGroups(task.parallelism, (subtask) => task.namesOf(subtask).map((name) => ({ id: `${subtask}.${name}` })), work);
}
