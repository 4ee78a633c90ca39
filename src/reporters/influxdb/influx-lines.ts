import { Point } from '@influxdata/influxdb-client';
import { Histogram, javaText, type ReportedMetric } from '../../simulation/metrics/index.js';
import type { IdentifiedMetric } from '../identified-metrics.js';
import { prometheusName } from '../prometheus/families.js';
import { histogramStatistics } from '../statistics.js';

/** `jobmanager_Status_JVM_Memory_Heap_Used`: the name itself stays as it is, `partition-lost-latency-max`. */
function measurementOf(logicalIdentifier: string): string {
  const end = logicalIdentifier.lastIndexOf('.');
  return `${prometheusName(logicalIdentifier.slice(0, end))}_${logicalIdentifier.slice(end + 1)}`;
}

/** The client refuses the ends of Java's longs, which watermarks are before there is one. */
function addInteger(point: Point, field: string, value: number): Point {
  point.fields[field] = `${javaText('long', value)}i`;
  return point;
}

/** Numbers that InfluxDB cannot hold are left out, as the Java client leaves them out. */
function addFloat(point: Point, field: string, value: number): void {
  if (Number.isFinite(value)) point.floatField(field, value);
}

function addGauge(point: Point, { type, value }: ReportedMetric): void {
  if (typeof value !== 'number') point.stringField('value', javaText(type, value as string | boolean));
  else if (type === 'long') addInteger(point, 'value', value);
  else addFloat(point, 'value', value);
}

function addHistogram(point: Point, histogram: Histogram): void {
  const { min, max, mean, stddev, p50, p75, p95, p98, p99, p999 } = histogramStatistics(histogram);
  for (const [field, value] of Object.entries({ 'run-count': histogram.total, count: histogram.count, min, max })) addInteger(point, field, value);
  for (const [field, value] of Object.entries({ mean, 'std-dev': stddev, '50-percentile': p50, '75-percentile': p75, '95-percentile': p95, '98-percentile': p98, '99-percentile': p99, '999-percentile': p999 })) addFloat(point, field, value);
}

/** A metric as a point of Flink's InfluxDB reporter: measurement by logical scope, variables as tags, fields by kind; null when it has no field. */
export function influxPoint({ logicalIdentifier, variables, metric, meterCount }: IdentifiedMetric, atMs: number): Point | null {
  const point = new Point(measurementOf(logicalIdentifier)).timestamp(`${atMs}000000`);
  for (const [name, value] of variables) if (value !== '') point.tag(name, value);
  const { value } = metric;
  if (value instanceof Histogram) addHistogram(point, value);
  else if (metric.kind === 'counter') addInteger(point, 'count', Number(value));
  else if (metric.kind === 'meter') addFloat(addInteger(point, 'count', meterCount ?? 0), 'rate', Number(value));
  else addGauge(point, metric);
  return Object.keys(point.fields).length === 0 ? null : point;
}
