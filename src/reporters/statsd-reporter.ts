import { createSocket, type Socket } from 'node:dgram';
import { Histogram, javaText } from '../simulation/metrics/index.js';
import { IdentifiedMetrics, type IdentifiedMetric } from './identified-metrics.js';
import { numberOf, requiredText, type ReporterConfig } from './reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from './reporter.js';
import { histogramStatistics } from './statistics.js';

/** Names and values of a metric; all of them are gauges to StatsD. */
function values({ identifier, metric, meterCount }: IdentifiedMetric): [string, string][] {
  const { value, type } = metric;
  if (value instanceof Histogram) {
    const { min, max, ...others } = histogramStatistics(value);
    return [
      [`${identifier}.count`, String(value.total)],
      [`${identifier}.max`, javaText('long', max)],
      [`${identifier}.min`, javaText('long', min)],
      ...Object.entries(others).map(([name, statistic]): [string, string] => [`${identifier}.${name}`, javaText('double', statistic)]),
    ];
  }
  if (metric.kind === 'meter')
    return [
      [`${identifier}.rate`, javaText('double', Number(value))],
      [`${identifier}.count`, String(meterCount)],
    ];
  return [[identifier, javaText(type, value)]];
}

/** A negative value would be taken for a decrement: it is set from 0. */
function datagrams(name: string, value: string): string[] {
  return value.startsWith('-') ? [`${name}:0|g`, `${name}:${value}|g`] : [`${name}:${value}|g`];
}

/** Flink's StatsDReporter: a datagram for each value. */
export class StatsdReporter implements Reporter {
  readonly #metrics: IdentifiedMetrics;
  readonly #host: string;
  readonly #port: number;
  readonly #socket: Socket;

  constructor(
    config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    this.#metrics = new IdentifiedMetrics(config, surroundings.memory.meters, (text) => text.replaceAll(':', '-'));
    this.#host = requiredText(config, 'host');
    this.#port = numberOf(config, 'port', 8125);
    this.#socket = createSocket('udp4').unref();
  }

  report(): Delivery {
    const lines: string[] = [];
    for (const metric of this.#metrics.of(this.surroundings.state)) for (const [name, value] of values(metric)) lines.push(...datagrams(name, value));
    return async () => {
      for (const line of lines) await new Promise<void>((resolve, reject) => this.#socket.send(line, this.#port, this.#host, (error) => (error ? reject(error) : resolve())));
    };
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
