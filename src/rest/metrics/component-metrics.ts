import { javaText, restNames, restReading, type Metric, type MetricName, type RestReading } from '../../simulation/metrics/index.js';

/** The metrics of one component as the metric fetcher last brought them home. */
export interface ComponentMetrics {
  /** The value as text; undefined = there is no such metric. */
  get(name: string): string | undefined;
  /** Components with the same names may give the same array. */
  names(): readonly string[];
}

/** Few metrics, read once and printed when they are asked for. */
export class ReadMetrics implements ComponentMetrics {
  readonly #values = new Map<string, string | RestReading>();

  static fromPlain(values: ReadonlyMap<string, string>): ReadMetrics {
    const metrics = new ReadMetrics();
    for (const [name, value] of values) metrics.#values.set(name, value);
    return metrics;
  }

  static of<View>(metrics: readonly Metric<View>[], view: View): ReadMetrics {
    const store = new ReadMetrics();
    store.read(metrics, view);
    return store;
  }

  /** Plain data to go on from. */
  toPlain(): ReadonlyMap<string, string> {
    return new Map(this.names().map((name) => [name, this.get(name)!]));
  }

  /** Takes the values of more metrics, or newer ones. */
  read<View>(metrics: readonly Metric<View>[], view: View): void {
    for (const name of namesOf(metrics)) {
      const value = restReading(name, view);
      if (value !== null) this.#values.set(name.name, value);
    }
  }

  get(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === undefined || typeof value === 'string' ? value : javaText(value.type, value.value);
  }

  names(): readonly string[] {
    return [...this.#values.keys()];
  }
}

/** Of lists that components share. */
const NAMES = new WeakMap<readonly object[], unknown>();

function namesOf<View>(metrics: readonly Metric<View>[]): readonly MetricName<View>[] {
  const known = NAMES.get(metrics) as readonly MetricName<View>[] | undefined;
  if (known) return known;
  const names = metrics.flatMap(restNames);
  NAMES.set(metrics, names);
  return names;
}
