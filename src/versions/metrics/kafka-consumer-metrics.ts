import { counter, gauge, type JavaType, type MetricRow, type Range } from './metric-row.js';

const values = <Q extends string>(names: readonly Q[], range: Range = {}, type: JavaType = 'double'): MetricRow<Q, 'value'>[] => names.map((name) => gauge(name, type, range));

/**
 * Of the consumer itself, with the minors whose connector brings a client that has them: kafka-clients 2.2 up to 1.10, 2.4 from 1.11,
 * 3.x from 1.16, 4.x from 2.1 on.
 */
export const KAFKA_CONSUMER_METRICS = [
  ...values(['assigned-partitions', 'bytes-consumed-rate', 'bytes-consumed-total', 'records-consumed-rate', 'records-consumed-total', 'records-lag-max', 'records-lead-min', 'records-per-request-avg'] as const),
  ...values(['commit-latency-avg', 'commit-latency-max', 'commit-rate', 'commit-total'] as const),
  ...values(['connection-close-rate', 'connection-close-total', 'connection-count', 'connection-creation-rate', 'connection-creation-total', 'count'] as const),
  ...values(['failed-authentication-rate', 'failed-authentication-total', 'failed-reauthentication-rate', 'failed-reauthentication-total'] as const),
  ...values(['successful-authentication-no-reauth-total', 'successful-authentication-rate', 'successful-authentication-total', 'successful-reauthentication-rate', 'successful-reauthentication-total'] as const),
  ...values(['reauthentication-latency-avg', 'reauthentication-latency-max'] as const),
  ...values(['fetch-latency-avg', 'fetch-latency-max', 'fetch-rate', 'fetch-size-avg', 'fetch-size-max', 'fetch-throttle-time-avg', 'fetch-throttle-time-max', 'fetch-total'] as const),
  ...values(['heartbeat-rate', 'heartbeat-response-time-max', 'heartbeat-total', 'last-heartbeat-seconds-ago'] as const),
  ...values(['join-rate', 'join-time-avg', 'join-time-max', 'join-total', 'sync-rate', 'sync-time-avg', 'sync-time-max', 'sync-total'] as const),
  ...values(['incoming-byte-rate', 'incoming-byte-total', 'outgoing-byte-rate', 'outgoing-byte-total', 'network-io-rate', 'network-io-total'] as const),
  ...values(['request-rate', 'request-size-avg', 'request-size-max', 'request-total', 'response-rate', 'response-total', 'select-rate', 'select-total'] as const),
  ...values(['io-ratio', 'io-time-ns-avg', 'io-wait-ratio', 'io-wait-time-ns-avg'] as const),
  ...values(['io-waittime-total', 'iotime-total'] as const, { until: '2.1' }),
  // KIP-429, KIP-517
  ...values(['failed-rebalance-rate-per-hour', 'failed-rebalance-total', 'last-rebalance-seconds-ago', 'rebalance-latency-avg', 'rebalance-latency-max', 'rebalance-latency-total', 'rebalance-rate-per-hour', 'rebalance-total'] as const, { since: '1.11' }),
  ...values(['partition-assigned-latency-avg', 'partition-assigned-latency-max', 'partition-lost-latency-avg', 'partition-lost-latency-max', 'partition-revoked-latency-avg', 'partition-revoked-latency-max'] as const, { since: '1.11' }),
  ...values(['last-poll-seconds-ago', 'poll-idle-ratio-avg', 'time-between-poll-avg', 'time-between-poll-max'] as const, { since: '1.11' }),
  // KIP-773, KIP-789
  ...values(['commit-sync-time-ns-total', 'committed-time-ns-total', 'io-time-ns-total', 'io-wait-time-ns-total'] as const, { since: '1.16' }),
  ...values(['start-time-ms'] as const, { since: '1.11' }, 'long'),
  ...values(['commit-id', 'version'] as const, {}, 'text'),
];

/** Commit that a client's release was built from (`commit-id`). */
export const KAFKA_CLIENT_COMMITS: Readonly<Record<string, string>> = {
  '2.2.0': '05fcfde8f69b0349',
  '2.4.1': 'c57222ae8cd7866b',
  '2.8.1': '839b886f9b732b15',
  '3.2.3': '50029d3ed8ba576f',
  '3.4.0': '2e1947d240607d53',
  '3.9.0': 'a60e31147e6b01ee',
  '4.0.0': '985bc99521dd22bb',
  '4.2.0': 'a18251bae0b825c6',
};

/** Of the KafkaSource's reader, below `KafkaSourceReader.`. */
export const KAFKA_SOURCE_READER_METRICS = [counter('commitsSucceeded', { since: '1.14' }), counter('commitsFailed', { since: '1.14' })];

/** Of each partition that a KafkaSource's subtask reads, below `KafkaSourceReader.topic.<topic>.partition.<partition>.`. */
export const KAFKA_PARTITION_METRICS = [gauge('currentOffset', 'long', { since: '1.14' }), gauge('committedOffset', 'long', { since: '1.14' })];

/** Of the FlinkKafkaConsumer, directly below the operator. */
export const LEGACY_KAFKA_METRICS = [counter('commitsSucceeded'), counter('commitsFailed')];
