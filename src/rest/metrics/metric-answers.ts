import { hashSetCopyOrder, stringHash } from '../java/hash-order.js';
import { AGGREGATIONS, aggregate, parseDouble, type Aggregation } from './aggregation.js';
import type { ComponentMetrics } from './component-metrics.js';

export interface MetricAnswer {
  readonly id: string;
  /** Absent in a list of names. */
  readonly value?: string;
}

export type AggregatedMetricAnswer = { readonly id: string } & { readonly [each in Aggregation]?: number };

/** What a plain metric endpoint tells of a component: all names, or the values of those that were asked for and are there. */
export function metricCollection(metrics: ComponentMetrics | undefined, requested: readonly string[] | undefined): MetricAnswer[] {
  if (!metrics) return [];
  if (!requested || requested.length === 0) return nameList(metrics.names());
  const answer: MetricAnswer[] = [];
  // Flink puts the names that were asked for into a HashSet.
  for (const id of hashSetCopyOrder([...new Set(requested)], stringHash)) {
    const value = metrics.get(id);
    if (value !== undefined) answer.push({ id, value });
  }
  return answer;
}

/** The same over several components. A name that none of them has empties the whole; values that are no numbers are left out. */
export function aggregatedMetrics(components: readonly ComponentMetrics[], requested: readonly string[] | undefined, aggregations: readonly Aggregation[]): AggregatedMetricAnswer[] {
  if (!requested || requested.length === 0) return nameList([...allNames(components)]);
  const answer: AggregatedMetricAnswer[] = [];
  for (const id of requested) {
    const texts = components.map((component) => component.get(id)).filter((text) => text !== undefined);
    if (texts.length === 0) return [];
    const values = texts.map(parseDouble);
    if (!values.every((value) => value !== null)) continue;
    answer.push({ id, ...Object.fromEntries(aggregations.map((each) => [each, aggregate(each, values)])) });
  }
  return answer;
}

/** Those that were asked for, in any case, in Flink's order; all when none was. */
export function requestedAggregations(asked: readonly string[] | undefined, known: readonly Aggregation[]): Aggregation[] {
  if (!asked || asked.length === 0) return [...known];
  const wanted = new Set(asked.map((each) => each.toLowerCase()));
  return AGGREGATIONS.filter((each) => wanted.has(each));
}

function nameList(names: readonly string[]): { id: string }[] {
  return names.map((id) => ({ id }));
}

function allNames(components: readonly ComponentMetrics[]): Set<string> {
  const names = new Set<string>();
  let last: readonly string[] | null = null;
  for (const component of components) {
    const own = component.names();
    if (own !== last) for (const name of own) names.add(name);
    last = own;
  }
  return names;
}
