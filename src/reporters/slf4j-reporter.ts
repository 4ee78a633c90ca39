import { Histogram, javaText } from '../simulation/metrics/index.js';
import { IdentifiedMetrics, type IdentifiedMetric } from './identified-metrics.js';
import type { ReporterConfig } from './reporter-config.js';
import type { Reporter, ReporterSurroundings } from './reporter.js';
import { histogramStatistics } from './statistics.js';

const SECTIONS = [
  ['counter', 'Counters'],
  ['gauge', 'Gauges'],
  ['meter', 'Meters'],
  ['histogram', 'Histograms'],
] as const;

const WIDTH = 79;
const banner = (text: string): string => {
  const bar = '='.repeat(27);
  return `${bar} ${text} ${bar}`;
};

function valueText({ metric: { value, type } }: IdentifiedMetric): string {
  if (!(value instanceof Histogram)) return javaText(type, value);
  const { min, max, ...others } = histogramStatistics(value);
  const shown = Object.entries(others).map(([name, statistic]) => `${name}=${javaText('double', statistic)}`);
  return [`count=${value.count}`, `min=${javaText('long', min)}`, `max=${javaText('long', max)}`, ...shown].join(', ');
}

/** A process's metrics as one entry of its log. */
function reportText(metrics: readonly IdentifiedMetric[]): string {
  const lines = ['', banner('Starting metrics report')];
  for (const [kind, title] of SECTIONS) {
    lines.push('', `-- ${title} `.padEnd(WIDTH, '-'));
    for (const metric of metrics) if (metric.metric.kind === kind) lines.push(`${metric.identifier}: ${valueText(metric)}`);
  }
  return [...lines, '', banner('Finished metrics report'), ''].join('\n');
}

/** Flink's Slf4jReporter: writes metrics into the logs of the processes. */
export class Slf4jReporter implements Reporter {
  readonly #metrics: IdentifiedMetrics;

  constructor(
    private readonly config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    this.#metrics = new IdentifiedMetrics(config, surroundings.memory.meters);
  }

  report(): null {
    const { state, logLine } = this.surroundings;
    const byProcess = new Map<string, IdentifiedMetric[]>();
    for (const metric of this.#metrics.of(state)) {
      const own = byProcess.get(metric.process);
      if (own) own.push(metric);
      else byProcess.set(metric.process, [metric]);
    }
    for (const [process, metrics] of byProcess) logLine(process, 'INFO', this.config.reporterClass, reportText(metrics));
    return null;
  }

  async close(): Promise<void> {}
}
