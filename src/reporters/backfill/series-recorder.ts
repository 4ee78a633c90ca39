import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { kafkaFamilies } from '../kafka/kafka-exporter.js';
import { metricFilter } from '../metric-filter.js';
import { FamilyCollector, labelsText, prometheusName, SUMMARY_QUANTILES, type ExpositionConfig, type Family } from '../prometheus/families.js';
import { processOf, scopesOf } from '../reported-metrics.js';

/** Values of a series over time; `steps` are the numbers of the samples that it was in. */
export interface RecordedSeries {
  /** With `_count` where it is a summary's. */
  readonly name: string;
  /** `a="b",c="d"` */
  readonly labels: string;
  readonly steps: number[];
  readonly values: number[];
}

export interface RecordedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: Family['type'];
  readonly series: Map<string, RecordedSeries>;
}

/** Which metrics are wanted, by the names they have in Prometheus. */
export type NameFilter = (prometheusName: string) => boolean;

/** What a Prometheus that scrapes `_mock/metrics` would have stored: the same names, the same labels. */
export class SeriesRecorder {
  readonly families = new Map<string, RecordedFamily>();
  readonly timesMs: number[] = [];
  readonly #collectors = new Map<string, FamilyCollector>();
  readonly #config: ExpositionConfig;

  constructor(private readonly isWanted: NameFilter) {
    const all = metricFilter('*:*:*', '');
    this.#config = {
      filter: (name, scope, kind) => all(name, scope, kind) && isWanted(`flink_${prometheusName(scope)}_${prometheusName(name)}`),
      excludedVariables: new Set(),
      additionalVariables: {},
      filterLabelValueCharacters: true,
    };
  }

  /** Takes a sample of everything there is now. */
  sample(state: SimulationState): void {
    const step = this.timesMs.push(state.nowMs) - 1;
    for (const collector of this.#collectors.values()) collector.clear();
    for (const scope of scopesOf(state, null)) {
      const process = processOf(scope);
      let collector = this.#collectors.get(process);
      if (!collector) this.#collectors.set(process, (collector = new FamilyCollector(this.#config)));
      collector.add(scope);
    }
    for (const [process, { families }] of this.#collectors) for (const family of families.values()) this.#record(family, labelsText(Object.entries({ job: 'flink', instance: process }), false), step);
    for (const family of kafkaFamilies(state)) if (this.isWanted(family.name)) this.#record(family, labelsText(Object.entries({ job: 'kafka', instance: 'kafka' }), false), step);
  }

  #record({ name, help, type, children }: Family, target: string, step: number): void {
    let family = this.families.get(name);
    if (!family) this.families.set(name, (family = { name, help, type, series: new Map() }));
    for (const [labels, value] of children) {
      const text = (labels + target).slice(0, -1);
      if (typeof value === 'number') {
        append(family, name, text, step, value);
        continue;
      }
      append(family, `${name}_count`, text, step, value.count);
      value.quantiles.forEach((quantile, i) => append(family, name, `${text},quantile="${SUMMARY_QUANTILES[i]}"`, step, quantile));
    }
  }
}

function append(family: RecordedFamily, name: string, labels: string, step: number, value: number): void {
  const key = `${name}{${labels}`;
  let series = family.series.get(key);
  if (!series) family.series.set(key, (series = { name, labels, steps: [], values: [] }));
  series.steps.push(step);
  series.values.push(value);
}

/** A number as Prometheus reads it. */
export function numberText(value: number): string {
  return value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : String(value);
}
