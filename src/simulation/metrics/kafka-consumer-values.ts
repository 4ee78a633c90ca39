import { valueIn } from '../../versions/flink-versions.js';
import { KAFKA_CLIENT } from '../../versions/kafka-log-lines.js';
import { KAFKA_CLIENT_COMMITS, type KAFKA_CONSUMER_METRICS } from '../../versions/metrics/kafka-consumer-metrics.js';
import type { KafkaSourceReading } from '../kafka/readings.js';
import type { MetricValue } from './java-text.js';
import { minuteIncrease } from './meter-view.js';
import type { OperatorView } from './vertex-view.js';

type Quantity = (typeof KAFKA_CONSUMER_METRICS)[number]['quantity'];

/** A fetch waits for data at the broker for so long at most (fetch.max.wait.ms). */
const FETCH_MAX_WAIT_MS = 500;
const MAX_PARTITION_FETCH_BYTES = 1_048_576;
/** Bytes around the records of a response, of a fetch request and of its header (kafka-clients, one topic). */
const RESPONSE_OVERHEAD_BYTES = 120;
const REQUEST_BYTES = 132;
const REQUEST_MAX_BYTES = 153;
/** Requests with which a consumer begins: versions, metadata, coordinator. */
const FIRST_REQUESTS = 6;
/** Calls of select for a request: it is written, answered, and waited for. */
const SELECTS_A_REQUEST = 2.5;
/** What a pass through select costs, and what it waits at most, ns. */
const SELECT_NS = 65_000;

/** What the simulated consumer gives the client's metrics from. */
interface Consumer extends KafkaSourceReading {
  readonly ageS: number;
  readonly atMs: number;
  readonly recordsPerSecond: number;
  readonly bytesPerRecord: number;
  readonly commitTotal: number;
  readonly requestTotal: number;
  readonly minLead: number;
  readonly clientVersion: string;
}

const average = (sum: number, count: number): number => (count > 0 ? sum / count : NaN);
const perSecond = (total: number, { ageS }: Consumer): number => (ageS > 0 ? total / ageS : 0);
const none = (): number => 0;
const noSample = (): number => NaN;
const never = (): number => -1;
const fetchLatencyMs = (consumer: Consumer): number => Math.min(FETCH_MAX_WAIT_MS, average(consumer.ageS * 1000, consumer.fetchTotal));
const incomingBytes = ({ bytesConsumedTotal, fetchTotal }: Consumer): number => bytesConsumedTotal + fetchTotal * RESPONSE_OVERHEAD_BYTES;
const selects = ({ requestTotal }: Consumer): number => Math.round(requestTotal * SELECTS_A_REQUEST);
const ioTimeNs = (consumer: Consumer): number => selects(consumer) * SELECT_NS;
const ioWaitNs = (consumer: Consumer): number => Math.max(0, consumer.fetchTotal * fetchLatencyMs(consumer) * 1e6 - ioTimeNs(consumer));

/** A fetch brings what has piled up, up to a megabyte a partition (max.partition.fetch.bytes). */
function fetchSizeMax({ partitions, bytesPerRecord, recordsLagMax, recordsPerSecond, fetchTotal, bytesConsumedTotal }: Consumer): number {
  if (fetchTotal === 0) return NaN;
  const waiting = Math.max(Number.isNaN(recordsLagMax) ? 0 : recordsLagMax, (recordsPerSecond * FETCH_MAX_WAIT_MS) / 1000);
  const largest = Math.max(bytesConsumedTotal / fetchTotal, bytesPerRecord * waiting);
  return Math.floor(Math.min(bytesConsumedTotal, largest, MAX_PARTITION_FETCH_BYTES * partitions.length));
}

/** Metrics without an entry count what this consumer never does: it is alone in its group, assigns its partitions and does not log in. */
const VALUES: Partial<Record<Quantity, (consumer: Consumer) => MetricValue>> = {
  'assigned-partitions': ({ partitions }) => partitions.length,
  'bytes-consumed-rate': ({ recordsPerSecond, bytesPerRecord }) => recordsPerSecond * bytesPerRecord,
  'bytes-consumed-total': ({ bytesConsumedTotal }) => bytesConsumedTotal,
  'records-consumed-rate': ({ recordsPerSecond }) => recordsPerSecond,
  'records-consumed-total': ({ recordsConsumedTotal }) => recordsConsumedTotal,
  'records-lag-max': ({ recordsLagMax }) => recordsLagMax,
  'records-lead-min': ({ minLead }) => minLead,
  'records-per-request-avg': ({ recordsConsumedTotal, fetchTotal }) => average(recordsConsumedTotal, fetchTotal),
  'commit-latency-avg': ({ commitTotal, clientVersion }) => (commitTotal > 0 ? (clientVersion === '2.2.0' ? 6 : 4) : NaN),
  'commit-latency-max': ({ commitTotal }) => (commitTotal > 0 ? 12 : NaN),
  'commit-rate': (consumer) => perSecond(consumer.commitTotal, consumer),
  'commit-total': ({ commitTotal }) => commitTotal,
  'connection-close-rate': (consumer) => perSecond(consumer.disconnects, consumer),
  'connection-close-total': ({ disconnects }) => disconnects,
  'connection-count': ({ connectionCount }) => connectionCount,
  'connection-creation-rate': (consumer) => perSecond(consumer.disconnects, consumer),
  'connection-creation-total': ({ connectionCount, disconnects }) => connectionCount + disconnects,
  'fetch-latency-avg': fetchLatencyMs,
  'fetch-latency-max': (consumer) => (consumer.fetchTotal > 0 ? FETCH_MAX_WAIT_MS : NaN),
  'fetch-rate': (consumer) => perSecond(consumer.fetchTotal, consumer),
  'fetch-size-avg': ({ bytesConsumedTotal, fetchTotal }) => average(bytesConsumedTotal, fetchTotal),
  'fetch-size-max': fetchSizeMax,
  'fetch-throttle-time-avg': ({ fetchTotal }) => (fetchTotal > 0 ? 0 : NaN),
  'fetch-throttle-time-max': ({ fetchTotal }) => (fetchTotal > 0 ? 0 : NaN),
  'fetch-total': ({ fetchTotal }) => fetchTotal,
  'incoming-byte-rate': (consumer) => consumer.recordsPerSecond * consumer.bytesPerRecord + perSecond(consumer.fetchTotal * RESPONSE_OVERHEAD_BYTES, consumer),
  'incoming-byte-total': incomingBytes,
  'outgoing-byte-rate': (consumer) => perSecond(consumer.requestTotal * REQUEST_BYTES, consumer),
  'outgoing-byte-total': ({ requestTotal }) => requestTotal * REQUEST_BYTES,
  'network-io-rate': (consumer) => perSecond(2 * consumer.requestTotal, consumer),
  'network-io-total': ({ requestTotal }) => 2 * requestTotal,
  'request-rate': (consumer) => perSecond(consumer.requestTotal, consumer),
  'request-size-avg': () => REQUEST_BYTES,
  'request-size-max': () => REQUEST_MAX_BYTES,
  'request-total': ({ requestTotal }) => requestTotal,
  'response-rate': (consumer) => perSecond(consumer.requestTotal - 1, consumer),
  'response-total': ({ requestTotal }) => requestTotal - 1,
  'select-rate': (consumer) => perSecond(selects(consumer), consumer),
  'select-total': selects,
  'io-ratio': (consumer) => perSecond(ioTimeNs(consumer) / 1e9, consumer),
  'io-time-ns-avg': () => SELECT_NS,
  'io-time-ns-total': ioTimeNs,
  'iotime-total': ioTimeNs,
  'io-wait-ratio': (consumer) => Math.min(1, perSecond(ioWaitNs(consumer) / 1e9, consumer)),
  'io-wait-time-ns-avg': (consumer) => average(ioWaitNs(consumer), selects(consumer)),
  'io-wait-time-ns-total': ioWaitNs,
  'io-waittime-total': ioWaitNs,
  'last-poll-seconds-ago': ({ atMs, lastPollMs }) => (lastPollMs > 0 ? Math.max(0, Math.floor((atMs - lastPollMs) / 1000)) : -1),
  'poll-idle-ratio-avg': (consumer) => Math.min(1, perSecond((consumer.fetchTotal * fetchLatencyMs(consumer)) / 1000, consumer)),
  'time-between-poll-avg': fetchLatencyMs,
  'time-between-poll-max': ({ atMs, lastPollMs }) => Math.max(FETCH_MAX_WAIT_MS, lastPollMs > 0 ? atMs - lastPollMs : 0),
  'start-time-ms': ({ startedMs }) => startedMs,
  'last-heartbeat-seconds-ago': ({ atMs, clientVersion }) => (clientVersion === '2.2.0' ? Math.floor(atMs / 1000) : -1),
  'last-rebalance-seconds-ago': never,
  version: ({ legacy, clientVersion }) => (legacy ? 0 : clientVersion),
  'commit-id': ({ legacy, clientVersion }) => (legacy ? 0 : KAFKA_CLIENT_COMMITS[clientVersion]),
};

/** A value of Kafka's own consumer metrics. */
export function consumerValue(view: OperatorView, quantity: Quantity): MetricValue {
  // The client's own count of its metrics: those that Flink shows, and as many again by topic, partition and node.
  if (quantity === 'count') return 2 * Object.keys(VALUES).length + 8 * view.vertex.kafka!.reading(view.subtask).partitions.length;
  const read = VALUES[quantity] ?? (/-(avg|max)$/.test(quantity) ? noSample : none);
  return read(consumerOf(view));
}

function consumerOf({ vertex, subtask }: OperatorView): Consumer {
  const { reading: readingOf, startOffsets, recordBytes } = vertex.kafka!;
  const reading = readingOf(subtask);
  const ageS = Math.max(0, (vertex.atMs - reading.startedMs) / 1000);
  const commitTotal = reading.commitsSucceeded + reading.commitsFailed;
  const leads = reading.partitions.filter(({ currentOffset }) => currentOffset >= 0).map(({ partition, currentOffset }) => currentOffset + 1 - startOffsets[partition]);
  return {
    ...reading,
    ageS,
    atMs: vertex.atMs,
    recordsPerSecond: Math.max(0, minuteIncrease(vertex.windows, 'sourceRecordsIn', subtask)) / Math.min(60, Math.max(1, ageS)),
    bytesPerRecord: reading.recordsConsumedTotal > 0 ? reading.bytesConsumedTotal / reading.recordsConsumedTotal : recordBytes,
    commitTotal,
    requestTotal: reading.fetchTotal + commitTotal + FIRST_REQUESTS,
    minLead: leads.length === 0 ? NaN : Math.min(...leads),
    clientVersion: valueIn(KAFKA_CLIENT, vertex.version).clientVersion,
  };
}
