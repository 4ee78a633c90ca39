import type { Histogram } from '../simulation/metrics/index.js';

/** Statistics of a histogram that reporters without a type of their own for it show, by the names that they have in common. */
export function histogramStatistics(histogram: Histogram): { readonly [statistic in 'min' | 'max' | 'mean' | 'stddev' | 'p50' | 'p75' | 'p95' | 'p98' | 'p99' | 'p999']: number } {
  return {
    min: histogram.statistic('min'),
    max: histogram.statistic('max'),
    mean: histogram.statistic('mean'),
    stddev: histogram.statistic('stddev'),
    p50: histogram.quantile(0.5),
    p75: histogram.quantile(0.75),
    p95: histogram.quantile(0.95),
    p98: histogram.quantile(0.98),
    p99: histogram.quantile(0.99),
    p999: histogram.quantile(0.999),
  };
}
