/** How the values of a metric are summed up over components, in the order in which Flink writes them. */
export const AGGREGATIONS = ['min', 'max', 'avg', 'sum', 'skew'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Mean absolute deviation in percent of the mean, at most 100 (FLIP-418). */
function skew(values: Float64Array): number {
  const mean = total(values) / values.length;
  if (mean === 0) return 0;
  return Math.min(100, (values.reduce((sum, value) => sum + Math.abs(mean - value), 0) / values.length / mean) * 100);
}

const FUNCTIONS: Readonly<Record<Aggregation, (values: Float64Array) => number>> = {
  min: (values) => values.reduce((least, value) => Math.min(least, value)),
  max: (values) => values.reduce((most, value) => Math.max(most, value)),
  avg: (values) => total(values) / values.length,
  sum: total,
  skew,
};

/** `values` is not empty. */
export function aggregate(aggregation: Aggregation, values: Float64Array): number {
  return FUNCTIONS[aggregation](values);
}

/** A text as Java's Double.valueOf reads it; null where that throws (text, booleans). */
export function parseDouble(text: string): number | null {
  if (text === 'NaN') return NaN;
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : null;
}
