import type { ReporterKind } from '../versions/reporter-features.js';
import { DatadogReporter } from './datadog-reporter.js';
import { GraphiteReporter } from './graphite-reporter.js';
import { InfluxdbReporter } from './influxdb/influxdb-reporter.js';
import { OpenTelemetryReporter } from './opentelemetry/opentelemetry-reporter.js';
import { PrometheusReporter } from './prometheus/prometheus-reporter.js';
import { PushGatewayReporter } from './prometheus/pushgateway-reporter.js';
import type { ReporterConfig } from './reporter-config.js';
import type { Reporter, ReporterSurroundings } from './reporter.js';
import { Slf4jReporter } from './slf4j-reporter.js';
import { StatsdReporter } from './statsd-reporter.js';

/** JMX shows metrics inside a Java process: there is none. */
const REPORTERS: Readonly<Record<Exclude<ReporterKind, 'jmx'>, new (config: ReporterConfig, surroundings: ReporterSurroundings) => Reporter>> = {
  prometheus: PrometheusReporter,
  pushgateway: PushGatewayReporter,
  influxdb: InfluxdbReporter,
  graphite: GraphiteReporter,
  statsd: StatsdReporter,
  datadog: DatadogReporter,
  opentelemetry: OpenTelemetryReporter,
  slf4j: Slf4jReporter,
};

/** The reporter that options ask for; null when there is none to make, which is logged as Flink logs it and keeps nobody from running. */
export function createReporter(config: ReporterConfig, surroundings: ReporterSurroundings): Reporter | null {
  if (config.kind === 'jmx') return null;
  try {
    return new REPORTERS[config.kind](config, surroundings);
  } catch (error) {
    surroundings.warn((error as Error).message);
    return null;
  }
}
