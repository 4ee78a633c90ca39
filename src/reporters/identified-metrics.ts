import type { ReportedMetric } from '../simulation/metrics/index.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { MeterCounts } from './meter-counts.js';
import { MetricCatalog, processOf, scopesOf } from './reported-metrics.js';
import type { ReporterConfig } from './reporter-config.js';
import type { MeterMemory } from './reporter-memory.js';
import { Identifiers, NO_FILTER, type CharacterFilter } from './scope-formats.js';
import { orderedVariables, type Variables } from './variables.js';

export interface IdentifiedMetric {
  readonly process: string;
  /** As the scope formats make it. */
  readonly identifier: string;
  /** By its logical scope: `taskmanager.job.task.numRecordsIn`. */
  readonly logicalIdentifier: string;
  readonly variables: Variables;
  readonly metric: ReportedMetric;
  /** What a meter has counted; null for all others. */
  readonly meterCount: number | null;
}

/** What is reported, with the names and variables that reporters of identifiers or tags need. */
export class IdentifiedMetrics {
  readonly #catalog: MetricCatalog<null>;
  readonly #meters: MeterCounts;

  constructor(
    private readonly config: ReporterConfig,
    memory: MeterMemory,
    private readonly filter: CharacterFilter = NO_FILTER,
  ) {
    this.#meters = new MeterCounts(memory);
    this.#catalog = new MetricCatalog(config.filter, () => null);
  }

  *of(state: SimulationState): Iterable<IdentifiedMetric> {
    const { excludedVariables, additionalVariables, scopeDelimiter } = this.config;
    const identifiers = new Identifiers(state.options, scopeDelimiter, this.filter);
    this.#meters.begin(state.nowMs);
    for (const scope of scopesOf(state, null)) {
      const process = processOf(scope);
      const prefix = identifiers.prefixOf(scope);
      const inScope = { ...additionalVariables, ...scope.variables };
      let labels: ReportedMetric['labels'] | null = null;
      let variables: Variables = [];
      for (const [metric, meterCount] of this.#meters.of(scope)) {
        const descriptor = this.#catalog.of(scope.scope, metric);
        if (!descriptor.isReported) continue;
        if (metric.labels !== labels) {
          labels = metric.labels;
          variables = orderedVariables(inScope, labels, excludedVariables);
        }
        yield { process, identifier: prefix + identifiers.nameOf(metric.name), logicalIdentifier: `${descriptor.scope}.${descriptor.name}`, variables, metric, meterCount };
      }
    }
  }
}
