import { Histogram } from '../../simulation/metrics/index.js';
import { parseDurationMs } from '../../simulation/options.js';
import { httpSend } from '../http-post.js';
import { IdentifiedMetrics, type IdentifiedMetric } from '../identified-metrics.js';
import { ReporterConfigError, requiredText, type ReporterConfig } from '../reporter-config.js';
import type { Delivery, Reporter, ReporterSurroundings } from '../reporter.js';
import { callGrpc } from './grpc.js';
import { encodeOtlpRequest, type OtlpMetric } from './otlp-message.js';

const EXPORT_PATH = '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export';
const SCOPE_NAME = 'org.apache.flink.metrics.otel';
const QUANTILES = [0.5, 0.75, 0.95, 0.99] as const;
const DEFAULT_TIMEOUT_MS = 10_000;

/** Flink's OpenTelemetryMetricReporter: OTLP over gRPC or HTTP. Counters go as what they have grown by. */
export class OpenTelemetryReporter implements Reporter {
  readonly #metrics: IdentifiedMetrics;
  readonly #send: (message: Uint8Array<ArrayBuffer>) => Promise<void>;
  readonly #resource: [string, string][];

  constructor(
    config: ReporterConfig,
    private readonly surroundings: ReporterSurroundings,
  ) {
    this.#metrics = new IdentifiedMetrics(config, surroundings.memory.meters);
    const endpoint = requiredText(config, 'exporter.endpoint');
    const timeoutMs = parseDurationMs(config.options['exporter.timeout'] ?? '') ?? DEFAULT_TIMEOUT_MS;
    const protocol = (config.options['exporter.protocol'] ?? 'gRPC').toLowerCase();
    if (!URL.canParse(endpoint)) throw new ReporterConfigError(`metrics.reporter.${config.name}.exporter.endpoint: found ${JSON.stringify(endpoint)}; allowed: a URL`);
    if (protocol !== 'grpc' && protocol !== 'http') throw new ReporterConfigError(`metrics.reporter.${config.name}.exporter.protocol: found ${JSON.stringify(protocol)}; allowed: gRPC, HTTP`);
    this.#send = protocol === 'grpc' ? (message) => callGrpc(new URL(endpoint).origin, EXPORT_PATH, message, timeoutMs) : (message) => httpSend('POST', endpoint, { 'Content-Type': 'application/x-protobuf' }, message, timeoutMs);
    this.#resource = (['service.name', 'service.version'] as const).flatMap((key): [string, string][] => (config.options[key] === undefined ? [] : [[key, config.options[key]]]));
  }

  report(): Delivery {
    const { state, memory } = this.surroundings;
    const counts = new Map<string, number>();
    const metrics = [...this.#metrics.of(state)].flatMap((metric) => [...this.#convert(metric, counts)]);
    const message = encodeOtlpRequest({ resource: this.#resource, scopeName: SCOPE_NAME, startMs: memory.lastMs, atMs: state.nowMs, metrics });
    memory.counts = counts;
    memory.lastMs = state.nowMs;
    return () => this.#send(message);
  }

  async close(): Promise<void> {}

  *#convert({ identifier, logicalIdentifier, variables, metric, meterCount }: IdentifiedMetric, counts: Map<string, number>): Iterable<OtlpMetric> {
    const { value, type } = metric;
    const one = (suffix: string, data: OtlpMetric['data']): OtlpMetric => ({ name: `flink.${logicalIdentifier}${suffix}`, attributes: variables, data });
    const delta = (count: number): OtlpMetric['data'] => {
      const key = `${identifier}/${variables.map(([, text]) => text).join()}`;
      counts.set(key, count);
      return { kind: 'delta-sum', type: 'int', value: Math.max(0, Math.floor(count) - Math.floor(this.surroundings.memory.counts.get(key) ?? 0)) };
    };
    if (value instanceof Histogram) {
      const quantiles = [[0, value.statistic('min')], ...QUANTILES.map((quantile) => [quantile, value.quantile(quantile)]), [1, value.statistic('max')]] as [number, number][];
      yield one('', { kind: 'summary', count: value.total, sum: value.count === 0 ? 0 : value.statistic('mean') * value.total, quantiles });
    } else if (typeof value === 'number') {
      if (metric.kind === 'counter') yield one('', delta(value));
      else if (metric.kind === 'gauge') yield one('', { kind: 'gauge', type: type === 'long' ? 'int' : 'double', value });
      else {
        yield one('.count', delta(meterCount ?? 0));
        yield one('.rate', { kind: 'gauge', type: 'double', value });
      }
    }
  }
}
