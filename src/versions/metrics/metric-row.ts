import { FLINK_MINORS, type FlinkVersion } from '../flink-versions.js';

/** How Flink's reporters see a metric. */
export type MetricKind = 'counter' | 'gauge' | 'meter' | 'histogram';

/** Java type of the value: it decides how the value is printed. */
export type JavaType = 'long' | 'double' | 'float' | 'boolean' | 'text';

/** What is read for a metric: a count, its rate over a minute (MeterView), a value, or the statistics of samples. */
export type Reading = 'count' | 'rate' | 'value' | 'samples';

/** A metric of a scope: its name below the scope, what it shows, and the minors that have it (`until` is the first without it). */
export interface MetricRow<Quantity extends string = string, Read extends Reading = Reading> {
  readonly name: string;
  readonly quantity: Quantity;
  readonly read: Read;
  readonly kind: MetricKind;
  readonly type: JavaType;
  readonly since: string;
  readonly until: string | null;
  /** Is registered only once it has a value. */
  readonly optional: boolean;
}

export interface Range {
  readonly since?: string;
  readonly until?: string;
  readonly optional?: boolean;
}

const FROM_THE_START = '1.9';

function row<Q extends string, R extends Reading>(name: string, quantity: Q, read: R, kind: MetricKind, type: JavaType, range: Range): MetricRow<Q, R> {
  return { name, quantity, read, kind, type, since: range.since ?? FROM_THE_START, until: range.until ?? null, optional: range.optional ?? false };
}

/** A counter and its rate: `numRecordsIn` and `numRecordsInPerSecond`. */
export function counted<Q extends string>(quantity: Q, range: Range = {}): [MetricRow<Q, 'count'>, MetricRow<Q, 'rate'>] {
  return [row(quantity, quantity, 'count', 'counter', 'long', range), rate(`${quantity}PerSecond`, quantity, range)];
}

/** The rate of a counter under a name of its own. */
export function rate<Q extends string>(name: string, quantity: Q, range: Range = {}): MetricRow<Q, 'rate'> {
  return row(name, quantity, 'rate', 'meter', 'double', range);
}

/** A gauge; its quantity has the metric's name. */
export function gauge<Q extends string>(name: Q, type: JavaType, range: Range = {}): MetricRow<Q, 'value'> {
  return row(name, name, 'value', 'gauge', type, range);
}

/** A counter that no rate goes with. */
export function counter<Q extends string>(name: Q, range: Range = {}): MetricRow<Q, 'value'> {
  return row(name, name, 'value', 'counter', 'long', range);
}

/** A meter that counts by itself. */
export function meter<Q extends string>(name: Q, range: Range = {}): MetricRow<Q, 'value'> {
  return row(name, name, 'value', 'meter', 'double', range);
}

/** Samples, shown under eleven names by HISTOGRAM_STATISTICS. */
export function histogram<Q extends string>(name: Q, range: Range = {}): MetricRow<Q, 'samples'> {
  return row(name, name, 'samples', 'histogram', 'double', range);
}

/** The rows again below a group of names. */
export function under<Q extends string, R extends Reading>(prefix: string, rows: readonly MetricRow<Q, R>[], range: Range = {}): MetricRow<Q, R>[] {
  return rows.map((each) => ({ ...each, name: prefix + each.name, since: range.since ?? each.since, until: range.until ?? each.until }));
}

/** The rows that a version has. */
export function rowsIn<Row extends MetricRow>(table: readonly Row[], version: FlinkVersion): Row[] {
  return table.filter((each) => FLINK_MINORS.indexOf(each.since) <= version.index && (each.until === null || version.index < FLINK_MINORS.indexOf(each.until)));
}

/** Names that the REST API makes of a histogram's, with the type of each: `mailboxLatencyMs_p99`. */
export const HISTOGRAM_STATISTICS = [
  ['min', 'long'],
  ['max', 'long'],
  ['mean', 'double'],
  ['median', 'double'],
  ['stddev', 'double'],
  ['p75', 'double'],
  ['p90', 'double'],
  ['p95', 'double'],
  ['p98', 'double'],
  ['p99', 'double'],
  ['p999', 'double'],
] as const satisfies readonly (readonly [string, JavaType])[];
export type HistogramStatistic = (typeof HISTOGRAM_STATISTICS)[number][0];
