import { PbfWriter } from 'pbf';

/** A metric as OpenTelemetry's protocol has it, one data point each. */
export interface OtlpMetric {
  readonly name: string;
  readonly attributes: Iterable<readonly [string, string]>;
  readonly data:
    | { readonly kind: 'gauge' | 'delta-sum'; readonly type: 'int' | 'double'; readonly value: number }
    | { readonly kind: 'summary'; readonly count: number; readonly sum: number; readonly quantiles: readonly (readonly [quantile: number, value: number])[] };
}

export interface OtlpRequest {
  readonly resource: Iterable<readonly [string, string]>;
  readonly scopeName: string;
  readonly startMs: number;
  readonly atMs: number;
  readonly metrics: readonly OtlpMetric[];
}

/** Field numbers of opentelemetry/proto/metrics/v1 and what it uses. */
const FIELDS = {
  request: { resourceMetrics: 1 },
  resourceMetrics: { resource: 1, scopeMetrics: 2 },
  resource: { attributes: 1 },
  scopeMetrics: { scope: 1, metrics: 2 },
  scope: { name: 1 },
  metric: { name: 1, gauge: 5, sum: 7, summary: 11 },
  data: { dataPoints: 1, aggregationTemporality: 2, isMonotonic: 3 },
  point: { startTime: 2, time: 3, asDouble: 4, asInt: 6, attributes: 7 },
  summaryPoint: { startTime: 2, time: 3, count: 4, sum: 5, quantileValues: 6, attributes: 7 },
  valueAtQuantile: { quantile: 1, value: 2 },
  keyValue: { key: 1, value: 2 },
  anyValue: { stringValue: 1 },
} as const;

const DELTA = 1;
const FIXED64 = 1;

/** 64 bits: numbers above 2⁵³ (nanoseconds) must not lose their last ones. */
function writeFixed64(pbf: PbfWriter, field: number, value: bigint): void {
  const bits = BigInt.asUintN(64, value);
  pbf.writeTag(field, FIXED64);
  pbf.writeFixed32(Number(bits & 0xffffffffn));
  pbf.writeFixed32(Number(bits >> 32n));
}

function writeAttributes(pbf: PbfWriter, field: number, attributes: Iterable<readonly [string, string]>): void {
  for (const [key, value] of attributes) {
    pbf.writeMessage(field, (_, inner) => {
      inner.writeStringField(FIELDS.keyValue.key, key);
      inner.writeMessage(FIELDS.keyValue.value, (_any, any) => any.writeStringField(FIELDS.anyValue.stringValue, value), null);
    }, null);
  }
}

function writeMetric({ name, attributes, data }: OtlpMetric, startNs: bigint, atNs: bigint, pbf: PbfWriter): void {
  pbf.writeStringField(FIELDS.metric.name, name);
  const times = (point: PbfWriter): void => {
    writeFixed64(point, FIELDS.point.startTime, startNs);
    writeFixed64(point, FIELDS.point.time, atNs);
  };
  if (data.kind === 'summary') {
    const { summaryPoint, valueAtQuantile } = FIELDS;
    const writePoint = (_: unknown, point: PbfWriter): void => {
      times(point);
      writeFixed64(point, summaryPoint.count, BigInt(data.count));
      point.writeDoubleField(summaryPoint.sum, data.sum);
      for (const [quantile, value] of data.quantiles) {
        point.writeMessage(summaryPoint.quantileValues, (_quantile, inner) => {
          inner.writeDoubleField(valueAtQuantile.quantile, quantile);
          inner.writeDoubleField(valueAtQuantile.value, value);
        }, null);
      }
      writeAttributes(point, summaryPoint.attributes, attributes);
    };
    pbf.writeMessage(FIELDS.metric.summary, (_, summary) => summary.writeMessage(FIELDS.data.dataPoints, writePoint, null), null);
    return;
  }
  const writePoint = (_: unknown, point: PbfWriter): void => {
    times(point);
    if (data.type === 'int') writeFixed64(point, FIELDS.point.asInt, BigInt(Math.floor(data.value)));
    else point.writeDoubleField(FIELDS.point.asDouble, data.value);
    writeAttributes(point, FIELDS.point.attributes, attributes);
  };
  pbf.writeMessage(data.kind === 'gauge' ? FIELDS.metric.gauge : FIELDS.metric.sum, (_, inner) => {
    inner.writeMessage(FIELDS.data.dataPoints, writePoint, null);
    if (data.kind === 'gauge') return;
    inner.writeVarintField(FIELDS.data.aggregationTemporality, DELTA);
    inner.writeBooleanField(FIELDS.data.isMonotonic, true);
  }, null);
}

/** An ExportMetricsServiceRequest in protocol buffers. */
export function encodeOtlpRequest({ resource, scopeName, startMs, atMs, metrics }: OtlpRequest): Uint8Array<ArrayBuffer> {
  const pbf = new PbfWriter();
  const startNs = BigInt(startMs) * 1_000_000n;
  const atNs = BigInt(atMs) * 1_000_000n;
  pbf.writeMessage(FIELDS.request.resourceMetrics, (_, resourceMetrics) => {
    resourceMetrics.writeMessage(FIELDS.resourceMetrics.resource, (_resource, inner) => writeAttributes(inner, FIELDS.resource.attributes, resource), null);
    resourceMetrics.writeMessage(FIELDS.resourceMetrics.scopeMetrics, (_scope, inner) => {
      inner.writeMessage(FIELDS.scopeMetrics.scope, (_name, scope) => scope.writeStringField(FIELDS.scope.name, scopeName), null);
      for (const metric of metrics) inner.writeMessage(FIELDS.scopeMetrics.metrics, (each: OtlpMetric, message) => writeMetric(each, startNs, atNs, message), metric);
    }, null);
  }, null);
  return pbf.finish() as Uint8Array<ArrayBuffer>;
}
