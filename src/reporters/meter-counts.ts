import type { ReportedMetric, ScopeMetrics } from '../simulation/metrics/index.js';
import type { MeterMemory } from './reporter-memory.js';

/**
 * Counts that belong to meters. A meter of Flink counts what its rate is of: that of `numRecordsInPerSecond` is the value of
 * `numRecordsIn` beside it. One without such a neighbour has counted what its rate was from report to report.
 */
export class MeterCounts {
  #before = new Map<string, number>();
  #elapsedSeconds = 0;

  constructor(private readonly memory: MeterMemory) {}

  /** A report begins: counts of metrics that the last one did not have are forgotten. */
  begin(nowMs: number): void {
    const { memory } = this;
    this.#elapsedSeconds = memory.atMs === null ? 0 : (nowMs - memory.atMs) / 1000;
    memory.atMs = nowMs;
    this.#before = memory.counted;
    memory.counted = new Map();
  }

  /** The scope's metrics, each with the count of a meter (null for what is none). */
  *of(scope: ScopeMetrics): Iterable<readonly [metric: ReportedMetric, count: number | null]> {
    const metrics = [...scope.metrics];
    const numbers = new Map<string, number>();
    for (const { name, kind, value } of metrics) if (kind !== 'meter' && typeof value === 'number') numbers.set(name, value);
    const owner = Object.values(scope.variables).join();
    for (const metric of metrics) yield [metric, metric.kind === 'meter' ? (numbers.get(metric.name.replace(/(Ms)?PerSecond$/, '')) ?? this.#integrate(`${owner}/${metric.name}`, metric.value)) : null];
  }

  #integrate(key: string, rate: ReportedMetric['value']): number {
    const count = (this.#before.get(key) ?? 0) + (typeof rate === 'number' ? rate * this.#elapsedSeconds : 0);
    this.memory.counted.set(key, count);
    return Math.floor(count);
  }
}
