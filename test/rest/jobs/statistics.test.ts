import { describe, expect, it } from 'vitest';
import { metricStatistics, statsSummary } from '../../../src/rest/views/statistics.js';

describe('statistics over samples', () => {
  it('estimates the percentiles of completed checkpoints as a recorded 2.3.0 cluster does', () => {
    expect(statsSummary([3018, 3301, 3099, 3310], true)).toEqual({ min: 3018, max: 3310, avg: 3182, p50: 3200, p90: 3310, p95: 3310, p99: 3310, p999: 3310 });
    expect(statsSummary([81981, 102771, 154120, 188173], true).p50).toBe(128445.5);
  });

  it('has no percentiles without samples or without a histogram', () => {
    expect(statsSummary([], true)).toEqual({ min: 0, max: 0, avg: 0, p50: NaN, p90: NaN, p95: NaN, p99: NaN, p999: NaN });
    expect(statsSummary([84, 141], false)).toEqual({ min: 84, max: 141, avg: 112, p50: NaN, p90: NaN, p95: NaN, p99: NaN, p999: NaN });
  });

  it('leaves negative samples out of checkpoint statistics', () => {
    expect(statsSummary([-1, 10], true)).toMatchObject({ min: 10, max: 10, avg: 10 });
  });

  it('cuts fractions off in statistics over subtasks, as recorded', () => {
    expect(metricStatistics([17350, 17443])).toEqual({ p25: 17350, min: 17350, avg: 17396, median: 17396, max: 17443, sum: 34793, p95: 17443, p75: 17443 });
    expect(metricStatistics([-1, -1])).toMatchObject({ avg: -1, sum: -2, median: -1 });
    expect(Object.keys(metricStatistics([1]))).toEqual(['p25', 'min', 'avg', 'median', 'max', 'sum', 'p95', 'p75']);
  });
});
