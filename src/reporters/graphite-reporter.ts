import { createSocket } from 'node:dgram';
import { createConnection } from 'node:net';
import { Histogram, javaText } from '../simulation/metrics/index.js';
import { IdentifiedMetrics, type IdentifiedMetric } from './identified-metrics.js';
import { numberOf, ReporterConfigError, requiredText, type ReporterConfig } from './reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from './reporter.js';
import { histogramStatistics } from './statistics.js';

/** Seconds of a rate's time unit, by the names of Java's TimeUnit. */
const RATE_SECONDS: Readonly<Record<string, number>> = { NANOSECONDS: 1e-9, MICROSECONDS: 1e-6, MILLISECONDS: 1e-3, SECONDS: 1, MINUTES: 60, HOURS: 3600, DAYS: 86_400 };
const TIMEOUT_MS = 10_000;

const fixed = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : String(value));

/** A metric as lines of Graphite's plain text protocol, without prefix and time. */
function values({ identifier, metric, meterCount }: IdentifiedMetric, rateFactor: number): [string, string][] {
  const { value, type } = metric;
  if (value instanceof Histogram) {
    const statistics = histogramStatistics(value);
    const shown = (['max', 'mean', 'min', 'stddev', 'p50', 'p75', 'p95', 'p98', 'p99', 'p999'] as const).map((name): [string, string] => [`${identifier}.${name}`, name === 'max' || name === 'min' ? javaText('long', statistics[name]) : fixed(statistics[name])]);
    return [[`${identifier}.count`, String(value.total)], ...shown];
  }
  if (metric.kind === 'meter') {
    const rate = fixed(Number(value) * rateFactor);
    return [[`${identifier}.count`, String(meterCount)], ...['m1_rate', 'm5_rate', 'm15_rate', 'mean_rate'].map((name): [string, string] => [`${identifier}.${name}`, rate])];
  }
  if (metric.kind === 'counter') return [[`${identifier}.count`, javaText('long', Number(value))]];
  // A text is nothing that Graphite could draw; neither are booleans before they are numbers.
  if (typeof value === 'string') return [];
  if (typeof value === 'boolean') return [[identifier, value ? '1' : '0']];
  return [[identifier, type === 'long' ? javaText('long', value) : fixed(value)]];
}

/** Dropwizard's filter: points within a part would split it. */
const dropwizardName = (text: string): string => text.replaceAll('.', '-').replaceAll('"', '');

/** Flink's GraphiteReporter (over Dropwizard): plain text over TCP, or over UDP with `protocol: UDP`. */
export class GraphiteReporter implements Reporter {
  readonly #metrics: IdentifiedMetrics;
  readonly #host: string;
  readonly #port: number;
  readonly #prefix: string;
  readonly #rateFactor: number;
  readonly #send: (lines: readonly string[]) => Promise<void>;

  constructor(
    config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    const { prefix, rateConversion = 'SECONDS', protocol = 'TCP' } = config.options;
    const factor = RATE_SECONDS[rateConversion];
    if (factor === undefined) throw new ReporterConfigError(`metrics.reporter.${config.name}.rateConversion: found ${JSON.stringify(rateConversion)}; allowed: ${Object.keys(RATE_SECONDS).join(', ')}`);
    if (protocol !== 'TCP' && protocol !== 'UDP') throw new ReporterConfigError(`metrics.reporter.${config.name}.protocol: found ${JSON.stringify(protocol)}; allowed: TCP, UDP`);
    this.#metrics = new IdentifiedMetrics(config, surroundings.memory.meters, dropwizardName);
    this.#host = requiredText(config, 'host');
    this.#port = numberOf(config, 'port', 2003);
    this.#prefix = prefix === undefined || prefix === '' ? '' : `${prefix}.`;
    this.#rateFactor = factor;
    this.#send = protocol === 'TCP' ? (lines) => this.#sendStream(lines) : (lines) => this.#sendDatagrams(lines);
  }

  report(): Delivery {
    const { state } = this.surroundings;
    const seconds = Math.floor(state.nowMs / 1000);
    const lines: string[] = [];
    for (const metric of this.#metrics.of(state)) for (const [name, value] of values(metric, this.#rateFactor)) lines.push(`${this.#prefix}${name.replace(/\s+/g, '-')} ${value} ${seconds}\n`);
    return () => this.#send(lines);
  }

  async close(): Promise<void> {}

  #sendStream(lines: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: this.#host, port: this.#port }, () => socket.end(lines.join('')));
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`${this.#host}:${this.#port} does not take the metrics`)));
      socket.once('close', (hadError) => hadError || resolve()).once('error', reject).resume();
    });
  }

  async #sendDatagrams(lines: readonly string[]): Promise<void> {
    const socket = createSocket('udp4');
    try {
      for (const line of lines) await new Promise<void>((resolve, reject) => socket.send(line, this.#port, this.#host, (error) => (error ? reject(error) : resolve())));
    } finally {
      socket.close();
    }
  }
}
