import { HISTOGRAM_STATISTICS, type HistogramStatistic, type JavaType, type MetricKind } from '../../versions/metrics/metric-row.js';
import { Histogram } from './histogram.js';
import { javaNumber, javaText, type MetricValue } from './java-text.js';

/** A metric of a scope, read from a view of what the scope belongs to. */
export interface Metric<View> {
  /** Below the scope, sanitised: `Shuffle.Netty.Input.numBytesInLocal`. */
  readonly name: string;
  readonly kind: MetricKind;
  readonly type: JavaType;
  /** Key-value groups in the name, which reporters with labels take out of it. */
  readonly labels: Readonly<Record<string, string>>;
  /** The name without the values of its key-value groups. */
  readonly logicalName: string;
  /** Is registered only once it has a value. */
  readonly optional: boolean;
  /** Whether the REST API has it, not only reporters. */
  readonly inRest: boolean;
  /** null = not registered now. */
  readonly value: (view: View) => MetricValue | Histogram | null;
}

const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

export function createMetric<View>(row: { readonly name: string; readonly kind: MetricKind; readonly type: JavaType; readonly optional?: boolean }, value: Metric<View>['value'], group: MetricGroup = NO_GROUP): Metric<View> {
  return { name: group.prefix + row.name, kind: row.kind, type: row.type, labels: group.labels, logicalName: group.logicalPrefix + row.name, optional: row.optional ?? false, inRest: true, value };
}

/** What stands before the names of a group's metrics. */
export interface MetricGroup {
  readonly prefix: string;
  readonly logicalPrefix: string;
  readonly labels: Readonly<Record<string, string>>;
}

const NO_GROUP: MetricGroup = { prefix: '', logicalPrefix: '', labels: NO_LABELS };

/** A group of names; a pair of texts is a key and its value (MetricGroup#addGroup(key, value)). */
export function metricGroup(...parts: readonly (string | readonly [key: string, value: string])[]): MetricGroup {
  let prefix = '';
  let logicalPrefix = '';
  const labels: Record<string, string> = {};
  for (const part of parts) {
    if (typeof part === 'string') {
      prefix += `${part}.`;
      logicalPrefix += `${part}.`;
    } else {
      prefix += `${part[0]}.${part[1]}.`;
      logicalPrefix += `${part[0]}.`;
      labels[part[0]] = part[1];
    }
  }
  return { prefix, logicalPrefix, labels };
}

/** Where a name of the REST API leads: a metric, and which statistic of it if it is a histogram. */
export interface MetricName<View> {
  readonly name: string;
  readonly metric: Metric<View>;
  readonly statistic: HistogramStatistic | null;
}

/** The names that the REST API makes of a metric. */
export function restNames<View>(metric: Metric<View>): MetricName<View>[] {
  if (!metric.inRest) return [];
  if (metric.kind !== 'histogram') return [{ name: metric.name, metric, statistic: null }];
  return HISTOGRAM_STATISTICS.map(([statistic]) => ({ name: `${metric.name}_${statistic}`, metric, statistic }));
}

const STATISTIC_TYPES = Object.fromEntries(HISTOGRAM_STATISTICS) as Readonly<Record<HistogramStatistic, JavaType>>;

/** A value of the REST API before it is printed. */
export interface RestReading {
  readonly type: JavaType;
  readonly value: MetricValue;
}

/** A value of the REST API, read but not printed; null = there is none. */
export function restReading<View>({ metric, statistic }: MetricName<View>, view: View): RestReading | null {
  const value = metric.value(view);
  if (value === null) return null;
  if (value instanceof Histogram) return statistic === null ? null : { type: STATISTIC_TYPES[statistic], value: value.statistic(statistic) };
  return { type: metric.type, value };
}

/** A value of the REST API; null = there is none. */
export function restValue<View>(name: MetricName<View>, view: View): string | null {
  const reading = restReading(name, view);
  return reading && javaText(reading.type, reading.value);
}

/** The same as the number that its text is read as, without printing it; null = there is none, undefined = it is not kept as a number. */
export function restNumber<View>(name: MetricName<View>, view: View): number | null | undefined {
  const reading = restReading(name, view);
  if (reading === null) return null;
  return typeof reading.value === 'number' ? javaNumber(reading.type, reading.value) : undefined;
}

/** Metrics that always go together, with their REST names looked up by name. */
export interface MetricSet<View> {
  readonly metrics: readonly Metric<View>[];
  readonly names: readonly MetricName<View>[];
  readonly byName: ReadonlyMap<string, MetricName<View>>;
}

export function metricSet<View>(metrics: readonly Metric<View>[]): MetricSet<View> {
  const names = metrics.flatMap(restNames);
  return { metrics, names, byName: new Map(names.map((each) => [each.name, each])) };
}
