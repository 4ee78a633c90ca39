import type { ReporterKind } from '../versions/reporter-features.js';
import type { ReporterConfig } from './reporter-config.js';
import type { Reporter, ReporterSurroundings } from './reporter.js';

type ReporterConstructor = new (config: ReporterConfig, surroundings: ReporterSurroundings) => Reporter;

/** Loaded when one is asked for: a server without reporters starts without their clients. JMX shows metrics inside a Java process: there is none. */
const REPORTERS: Readonly<Record<Exclude<ReporterKind, 'jmx'>, () => Promise<ReporterConstructor>>> = {
  prometheus: async () => (await import('./prometheus/prometheus-reporter.js')).PrometheusReporter,
  pushgateway: async () => (await import('./prometheus/pushgateway-reporter.js')).PushGatewayReporter,
  influxdb: async () => (await import('./influxdb/influxdb-reporter.js')).InfluxdbReporter,
  graphite: async () => (await import('./graphite-reporter.js')).GraphiteReporter,
  statsd: async () => (await import('./statsd-reporter.js')).StatsdReporter,
  datadog: async () => (await import('./datadog-reporter.js')).DatadogReporter,
  opentelemetry: async () => (await import('./opentelemetry/opentelemetry-reporter.js')).OpenTelemetryReporter,
  slf4j: async () => (await import('./slf4j-reporter.js')).Slf4jReporter,
};

/** The reporter that options ask for; null when there is none to make, which is logged as Flink logs it and keeps nobody from running. */
export async function createReporter(config: ReporterConfig, surroundings: ReporterSurroundings): Promise<Reporter | null> {
  if (config.kind === 'jmx') return null;
  const Constructor = await REPORTERS[config.kind]();
  try {
    return new Constructor(config, surroundings);
  } catch (error) {
    surroundings.warn((error as Error).message);
    return null;
  }
}
