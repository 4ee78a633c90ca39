import { since, valueIn, type FlinkVersion } from '../../versions/flink-versions.js';
import { KAFKA_CONSUMER_METRICS, KAFKA_PARTITION_METRICS, KAFKA_SOURCE_READER_METRICS, LEGACY_KAFKA_METRICS } from '../../versions/metrics/kafka-consumer-metrics.js';
import { rowsIn } from '../../versions/metrics/metric-row.js';
import type { KafkaPartitionReading, KafkaSourceReading } from '../kafka/readings.js';
import { consumerValue } from './kafka-consumer-values.js';
import { sanitize } from './metric-names.js';
import { createMetric, metricGroup, type Metric, type MetricGroup } from './metric.js';
import type { OperatorView } from './vertex-view.js';

/** KafkaTopicPartitionStateSentinel.OFFSET_NOT_SET of the FlinkKafkaConsumer. */
const OFFSET_NOT_SET = -915623761776;

/** Up to 1.13 the KafkaSource does not hand its consumer's metrics on. */
const READER_HAS_METRICS = since('1.14');

const COMMITS: Readonly<Record<'commitsSucceeded' | 'commitsFailed', (view: OperatorView) => number>> = {
  commitsSucceeded: (view) => readingOf(view).commitsSucceeded,
  commitsFailed: (view) => readingOf(view).commitsFailed,
};

function readingOf({ vertex, subtask }: OperatorView): KafkaSourceReading {
  return vertex.kafka!.reading(subtask);
}

/** Records behind the high watermark as the last polls saw it; null before the first. */
export function pendingRecords(view: OperatorView): number | null {
  return view.vertex.kafka === null ? null : readingOf(view).pendingRecords;
}

/** What every KafkaSource's reader has. */
export function kafkaReaderMetrics(version: FlinkVersion): Metric<OperatorView>[] {
  const group = metricGroup('KafkaSourceReader');
  return rowsIn(KAFKA_SOURCE_READER_METRICS, version).map((row) => createMetric<OperatorView>(row, COMMITS[row.quantity], group));
}

/** Metrics of a Kafka source's subtask that depend on its consumer and partitions; none for other sources. */
export function kafkaMetrics(view: OperatorView): Metric<OperatorView>[] {
  const { vertex } = view;
  const { source } = vertex.model.operators[view.operator];
  if (vertex.kafka === null || source?.kind !== 'kafka') return [];
  if (source.legacy) return legacyMetrics(view);
  return valueIn(READER_HAS_METRICS, vertex.version) ? readerMetrics(view) : [];
}

function readerMetrics(view: OperatorView): Metric<OperatorView>[] {
  const { version } = view.vertex;
  const rows = rowsIn(KAFKA_PARTITION_METRICS, version);
  const partitions = readingOf(view).partitions.flatMap((partition, index) => {
    const group = partitionGroup('KafkaSourceReader', partition);
    const offsets = {
      currentOffset: (at: OperatorView) => readingOf(at).partitions[index].currentOffset,
      committedOffset: (at: OperatorView) => readingOf(at).partitions[index].committedOffset,
    };
    return rows.map((row) => createMetric<OperatorView>(row, offsets[row.quantity], group));
  });
  return [...consumerMetrics(version, metricGroup('KafkaSourceReader', 'KafkaConsumer')), ...partitions];
}

function legacyMetrics(view: OperatorView): Metric<OperatorView>[] {
  const { version } = view.vertex;
  const partitions = readingOf(view).partitions.flatMap((partition, index) => {
    const current = (at: OperatorView): number => {
      const offset = readingOf(at).partitions[index].currentOffset;
      return offset < 0 ? OFFSET_NOT_SET : offset;
    };
    const committed = (at: OperatorView): number => {
      const offset = readingOf(at).partitions[index].committedOffset;
      return offset < 0 ? OFFSET_NOT_SET : offset;
    };
    const labelled = partitionGroup('KafkaConsumer', partition);
    const name = sanitize(`${partition.topic}-${partition.partition}`);
    return [
      offsetGauge('currentOffsets', current, labelled),
      offsetGauge('committedOffsets', committed, labelled),
      offsetGauge(name, current, metricGroup('KafkaConsumer', 'current-offsets')),
      offsetGauge(name, committed, metricGroup('KafkaConsumer', 'committed-offsets')),
    ];
  });
  const commits = rowsIn(LEGACY_KAFKA_METRICS, version).map((row) => createMetric<OperatorView>(row, COMMITS[row.quantity]));
  // Registered twice: in a group, and in their old place.
  return [...commits, ...consumerMetrics(version, metricGroup('KafkaConsumer')), ...consumerMetrics(version, metricGroup()), ...partitions];
}

function partitionGroup(reader: string, { topic, partition }: KafkaPartitionReading): MetricGroup {
  return metricGroup(reader, ['topic', sanitize(topic)], ['partition', String(partition)]);
}

function offsetGauge(name: string, value: (view: OperatorView) => number, group: MetricGroup): Metric<OperatorView> {
  return createMetric<OperatorView>({ name, kind: 'gauge', type: 'long' }, value, group);
}

const CONSUMER_METRICS = new Map<string, Metric<OperatorView>[]>();

function consumerMetrics(version: FlinkVersion, group: MetricGroup): Metric<OperatorView>[] {
  const key = `${version.index}/${group.prefix}`;
  let metrics = CONSUMER_METRICS.get(key);
  if (!metrics) {
    metrics = rowsIn(KAFKA_CONSUMER_METRICS, version).map((row) => createMetric<OperatorView>(row, (view) => consumerValue(view, row.quantity), group));
    CONSUMER_METRICS.set(key, metrics);
  }
  return metrics;
}
