import { since, type ByVersion } from './flink-versions.js';

export type ReporterKind = 'prometheus' | 'pushgateway' | 'influxdb' | 'graphite' | 'statsd' | 'datadog' | 'opentelemetry' | 'slf4j' | 'jmx';

/** A reporter that comes with Flink, by the names of its factory and (in old configurations) of itself. */
export interface ReporterClass {
  readonly kind: ReporterKind;
  readonly factory: string;
  readonly reporter: string;
}

const reporterClass = (kind: ReporterKind, name: string): ReporterClass => ({ kind, factory: `org.apache.flink.metrics.${name}Factory`, reporter: `org.apache.flink.metrics.${name}` });

export const REPORTER_CLASSES: readonly ReporterClass[] = [
  reporterClass('prometheus', 'prometheus.PrometheusReporter'),
  reporterClass('pushgateway', 'prometheus.PrometheusPushGatewayReporter'),
  reporterClass('influxdb', 'influxdb.InfluxdbReporter'),
  reporterClass('graphite', 'graphite.GraphiteReporter'),
  reporterClass('statsd', 'statsd.StatsDReporter'),
  reporterClass('datadog', 'datadog.DatadogHttpReporter'),
  reporterClass('opentelemetry', 'otel.OpenTelemetryMetricReporter'),
  reporterClass('slf4j', 'slf4j.Slf4jReporter'),
  reporterClass('jmx', 'jmx.JMXReporter'),
];

interface ReporterFeatures {
  /** `metrics.reporter.<name>.class` names the reporter itself. */
  readonly classOption: ByVersion<boolean>;
  /** filter.includes and filter.excludes (FLINK-21585). */
  readonly metricFilter: ByVersion<boolean>;
  /** scope.variables.additional (FLINK-26420). */
  readonly additionalVariables: ByVersion<boolean>;
  /** Datadog's reporter sends histograms (FLINK-17260 and following). */
  readonly datadogHistograms: ByVersion<boolean>;
  /** The PushGateway is given as a URL. */
  readonly pushGatewayUrl: ByVersion<boolean>;
}

export const REPORTER_FEATURES: ReporterFeatures = {
  classOption: since('1.9', '2.0'),
  metricFilter: since('1.16'),
  additionalVariables: since('1.16'),
  datadogHistograms: since('1.12'),
  pushGatewayUrl: since('1.16'),
};
