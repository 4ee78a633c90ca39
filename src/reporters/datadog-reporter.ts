import { Histogram } from '../simulation/metrics/index.js';
import { valueIn } from '../versions/flink-versions.js';
import { REPORTER_FEATURES } from '../versions/reporter-features.js';
import { httpSend } from './http-post.js';
import { IdentifiedMetrics, type IdentifiedMetric } from './identified-metrics.js';
import { booleanOf, numberOf, ReporterConfigError, requiredText, type ReporterConfig } from './reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from './reporter.js';

const DOMAINS: Readonly<Record<string, string>> = { US: 'com', EU: 'eu' };

/** An entry of Datadog's series. */
interface Series {
  readonly metric: string;
  readonly type: 'gauge' | 'count';
  readonly host?: string;
  readonly tags: readonly string[];
  readonly points: readonly [readonly [epochSeconds: number, value: number]];
}

function histogramGauges(histogram: Histogram): [string, number][] {
  return [
    ['avg', histogram.statistic('mean')],
    ['count', histogram.total],
    ['median', histogram.quantile(0.5)],
    ['95percentile', histogram.quantile(0.95)],
    ['min', histogram.statistic('min')],
    ['max', histogram.statistic('max')],
  ];
}

/** Flink's DatadogHttpReporter: series as JSON. `url` sends them elsewhere than to Datadog. */
export class DatadogReporter implements Reporter {
  readonly #metrics: IdentifiedMetrics;
  readonly #url: string;
  readonly #configTags: readonly string[];
  readonly #logicalIdentifier: boolean;
  readonly #batchSize: number;
  readonly #histograms: boolean;

  constructor(
    config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    const { dataCenter = 'US', tags = '', url } = config.options;
    const domain = DOMAINS[dataCenter];
    if (domain === undefined) throw new ReporterConfigError(`metrics.reporter.${config.name}.dataCenter: found ${JSON.stringify(dataCenter)}; allowed: ${Object.keys(DOMAINS).join(', ')}`);
    this.#url = `${url ?? `https://app.datadoghq.${domain}`}/api/v1/series?api_key=${encodeURIComponent(requiredText(config, 'apikey'))}`;
    this.#configTags = tags === '' ? [] : tags.split(',');
    this.#logicalIdentifier = booleanOf(config, 'useLogicalIdentifier', false);
    this.#batchSize = numberOf(config, 'maxMetricsPerRequest', 2000);
    this.#histograms = valueIn(REPORTER_FEATURES.datadogHistograms, surroundings.version);
    this.#metrics = new IdentifiedMetrics(config, surroundings.memory.meters);
  }

  report(): Delivery {
    const { state, memory } = this.surroundings;
    const counts = new Map<string, number>();
    const series: Series[] = [];
    for (const metric of this.#metrics.of(state)) series.push(...this.#seriesOf(metric, Math.floor(state.nowMs / 1000), counts));
    memory.counts = counts;
    return async () => {
      for (let from = 0; from < series.length; from += this.#batchSize) await httpSend('POST', this.#url, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify({ series: series.slice(from, from + this.#batchSize) }));
    };
  }

  async close(): Promise<void> {}

  *#seriesOf(reported: IdentifiedMetric, seconds: number, counts: Map<string, number>): Iterable<Series> {
    const { identifier, logicalIdentifier, variables, metric } = reported;
    const { value } = metric;
    const name = this.#logicalIdentifier ? `flink.${logicalIdentifier}` : identifier;
    const host = variables.find(([variable]) => variable === 'host')?.[1];
    const tags = [...this.#configTags, ...variables.filter(([variable]) => variable !== 'host').map(([variable, text]) => `${variable}:${text}`)];
    const one = (type: Series['type'], suffix: string, number: number): Series => ({ metric: name + suffix, type, ...(host === undefined ? {} : { host }), tags, points: [[seconds, number]] });
    if (value instanceof Histogram) {
      if (this.#histograms) for (const [suffix, number] of histogramGauges(value)) if (Number.isFinite(number)) yield one('gauge', `.${suffix}`, number);
    } else if (typeof value === 'number' && Number.isFinite(value)) {
      if (metric.kind !== 'counter') {
        yield one('gauge', '', value);
        return;
      }
      // Datadog counts what has come since the last report.
      const key = `${identifier}/${tags.join()}`;
      counts.set(key, value);
      yield one('count', '', Math.floor(value - (this.surroundings.memory.counts.get(key) ?? 0)));
    }
  }
}
