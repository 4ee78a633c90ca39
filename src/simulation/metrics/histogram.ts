import type { HistogramStatistic } from '../../versions/metrics/metric-row.js';

/** Statistics of samples as Flink's DescriptiveStatisticsHistogram gives them. */
export class Histogram {
  readonly #sorted: Float64Array;

  /** `total` counts the samples that were ever taken; those that are kept are the latest of them. */
  constructor(
    samples: ArrayLike<number>,
    readonly total = samples.length,
  ) {
    this.#sorted = Float64Array.from(samples).sort();
  }

  get count(): number {
    return this.#sorted.length;
  }

  statistic(name: HistogramStatistic): number {
    switch (name) {
      case 'min':
        return this.#sorted[0] ?? 0;
      case 'max':
        return this.#sorted.at(-1) ?? 0;
      case 'mean':
        return this.#mean();
      case 'stddev':
        return this.#standardDeviation();
      case 'median':
        return this.quantile(0.5);
      default:
        return this.quantile(Number(`0.${name.slice(1)}`));
    }
  }

  /** Interpolated between the neighbours of position p(n + 1), as commons-math estimates it. */
  quantile(p: number): number {
    const { length } = this.#sorted;
    if (length === 0) return NaN;
    const position = p * (length + 1);
    if (position < 1) return this.#sorted[0];
    if (position >= length) return this.#sorted[length - 1];
    const below = Math.floor(position);
    const lower = this.#sorted[below - 1];
    return lower + (position - below) * (this.#sorted[below] - lower);
  }

  #mean(): number {
    if (this.#sorted.length === 0) return NaN;
    return this.#sorted.reduce((sum, value) => sum + value, 0) / this.#sorted.length;
  }

  #standardDeviation(): number {
    const { length } = this.#sorted;
    if (length === 0) return NaN;
    if (length === 1) return 0;
    const mean = this.#mean();
    return Math.sqrt(this.#sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (length - 1));
  }
}
