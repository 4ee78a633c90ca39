import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { IdentifiedMetrics } from '../identified-metrics.js';
import { createMeterMemory } from '../reporter-memory.js';
import { influxPoint } from '../influxdb/influx-lines.js';
import { prometheusName } from '../prometheus/families.js';
import type { ReporterConfig } from '../reporter-config.js';
import type { NameFilter } from './series-recorder.js';

/** What `influx -import` wants before the lines. */
export function importHeader(database: string): string {
  return `# DDL\nCREATE DATABASE ${database}\n# DML\n# CONTEXT-DATABASE: ${database}\n# CONTEXT-RETENTION-POLICY: autogen\n`;
}

/** Points as Flink's InfluxDB reporter writes them. */
export class InfluxImport {
  readonly #metrics: IdentifiedMetrics;

  constructor(isWanted: NameFilter) {
    const config: ReporterConfig = {
      name: 'import',
      kind: 'influxdb',
      reporterClass: '',
      intervalMs: 0,
      excludedVariables: new Set(),
      additionalVariables: {},
      filter: (name, scope) => isWanted(`flink_${prometheusName(scope)}_${prometheusName(name)}`),
      scopeDelimiter: '.',
      options: {},
    };
    this.#metrics = new IdentifiedMetrics(config, createMeterMemory());
  }

  lines(state: SimulationState): string {
    let text = '';
    for (const metric of this.#metrics.of(state)) {
      const line = influxPoint(metric, state.nowMs)?.toLineProtocol();
      if (line !== undefined) text += `${line}\n`;
    }
    return text;
  }
}
