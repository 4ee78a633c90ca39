/**
 * Percentile as Flink's DescriptiveStatisticsHistogram (commons-math's legacy estimate) computes it; NaN when there is nothing.
 * @param quantile in (0, 1]
 */
export function percentile(sorted: ArrayLike<number>, quantile: number): number {
  const n = sorted.length;
  if (n === 0) return NaN;
  if (n === 1) return sorted[0]!;
  const position = quantile * (n + 1);
  const floor = Math.floor(position);
  if (position < 1) return sorted[0]!;
  if (position >= n) return sorted[n - 1]!;
  const lower = sorted[floor - 1]!;
  return lower + (position - floor) * (sorted[floor]! - lower);
}

export interface StatsSummary {
  readonly min: number;
  readonly max: number;
  readonly avg: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
}

/** What Flink's StatsSummary keeps of samples; negative ones do not count. Without a histogram the percentiles are NaN. */
export function statsSummary(samples: Iterable<number>, hasHistogram: boolean): StatsSummary {
  const counted: number[] = [];
  for (const sample of samples) if (sample >= 0) counted.push(sample);
  const sorted = hasHistogram ? Float64Array.from(counted).sort() : null;
  const at = (quantile: number): number => (sorted === null ? NaN : percentile(sorted, quantile));
  let [sum, min, max] = [0, counted[0] ?? 0, 0];
  for (const sample of counted) {
    sum += sample;
    min = Math.min(min, sample);
    max = Math.max(max, sample);
  }
  return {
    min,
    max,
    avg: counted.length === 0 ? 0 : Math.floor(sum / counted.length),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
  };
}

/** What is no longer measured: zeros throughout. */
export const ZERO_SUMMARY: StatsSummary = { min: 0, max: 0, avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, p999: 0 };

/** Statistics over subtasks (Flink's MetricStatistics): whole numbers, fractions cut off, in the order in which Flink writes them. */
export function metricStatistics(values: readonly number[]): Record<string, number> {
  const sorted = Float64Array.from(values).sort();
  let sum = 0;
  for (const value of values) sum += value;
  const whole = (value: number): number => (Number.isNaN(value) ? 0 : Math.trunc(value) + 0);
  return {
    p25: whole(percentile(sorted, 0.25)),
    min: whole(sorted[0] ?? NaN),
    avg: whole(sum / values.length),
    median: whole(percentile(sorted, 0.5)),
    max: whole(sorted[sorted.length - 1] ?? NaN),
    sum: whole(sum),
    p95: whole(percentile(sorted, 0.95)),
    p75: whole(percentile(sorted, 0.75)),
  };
}
