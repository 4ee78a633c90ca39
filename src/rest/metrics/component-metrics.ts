/** The metrics of one component as the metric fetcher last brought them home. */
export interface ComponentMetrics {
  /** The value as text; undefined = there is no such metric. */
  get(name: string): string | undefined;
  /** Components with the same names may give the same array. */
  names(): readonly string[];
}

/** Few metrics, kept as they were printed. */
export class PrintedMetrics implements ComponentMetrics {
  readonly #values: Map<string, string>;

  constructor(values: ReadonlyMap<string, string> = new Map()) {
    this.#values = new Map(values);
  }

  /** Plain data to go on from. */
  toPlain(): ReadonlyMap<string, string> {
    return this.#values;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  names(): readonly string[] {
    return [...this.#values.keys()];
  }
}
