import type { KafkaConnectionState, KafkaConsumerState, KafkaSourceState, KafkaTopicState } from '../state/kafka-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { hash32, uniform } from '../random.js';
import { breakConnection, connect } from './connections.js';

/** The client's defaults: max.partition.fetch.bytes, max.poll.records, request.timeout.ms, receive.buffer.bytes, fetch.max.wait.ms. */
export const MAX_PARTITION_FETCH_BYTES = 1_048_576;
export const MAX_POLL_RECORDS = 500;
export const REQUEST_TIMEOUT_MS = 30_000;
const RECEIVE_BUFFER_BYTES = 65_536;
const FETCH_MAX_WAIT_MS = 500;
/** A fetch that is answered at once takes about so long from one to the next (measured: 20 fetches a second while data flows). */
const FETCH_INTERVAL_MS = 50;
const LAG_WINDOW_MS = 30_000;
/** Records are real numbers: less than this is none. */
export const EPSILON = 1e-6;

/**
 * Polls that may be under way at once, the one being emitted included. Legacy: emitted, in the Handover, in the hand of the thread that
 * waits for it. KafkaSource: emitted, two in the element queue, in the hand of the fetcher.
 */
const polls = (source: KafkaSourceState): number => (source.legacy ? 3 : 4);

/**
 * Runs the consumer's poll loop until it is stuck with records that nobody takes, or has nothing to do. The client touches its sockets
 * only here: answers and broken connections wait while the loop is stuck.
 */
export function runPollLoop(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState): void {
  const topic = source.topicState;
  const room = polls(source);
  while (consumer.polls < room) {
    lookAtNetwork(state, source, consumer, topic);
    consumer.blockedSinceMs = -1;
    const polled = poll(state, source, consumer);
    sendFetches(state, source, consumer, topic);
    if (!polled) return;
  }
  if (consumer.blockedSinceMs < 0) consumer.blockedSinceMs = state.nowMs;
}

/** What the client finds on its sockets. */
export function lookAtNetwork(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, topic: KafkaTopicState): void {
  for (const connection of consumer.connections) {
    if (connection.broken) {
      breakConnection(state, source, consumer, connection, 'lost');
      continue;
    }
    if (connection.phase !== 'connected') {
      connect(state, source, consumer, connection);
      continue;
    }
    if (connection.sentMs < 0) continue;
    if (connection.answeredMs < 0) answerFetch(state, source, connection, topic);
    const waitedMs = state.nowMs - connection.sentMs;
    // The client reads one socket buffer's worth and looks at the clock before it reads on: a large answer that lay there for
    // longer than the request may take is thrown away with its connection.
    const late = waitedMs >= REQUEST_TIMEOUT_MS && (connection.answeredMs < 0 || connection.responseBytes > RECEIVE_BUFFER_BYTES);
    if (late) breakConnection(state, source, consumer, connection, 'timeout');
    else if (connection.answeredMs >= 0) completeFetch(state, source, consumer, connection);
  }
}

/** The broker answers a waiting fetch as soon as there is a record, with up to a megabyte of each partition. */
export function answerFetch(state: SimulationState, source: KafkaSourceState, connection: KafkaConnectionState, topic: KafkaTopicState): void {
  if (state.kafka.brokerState !== 'up') return;
  const limit = MAX_PARTITION_FETCH_BYTES / topic.recordBytes;
  let records = 0;
  for (const p of connection.inFlight) {
    const there = topic.endOffsets[p] - source.fetched[p];
    // Records are not all of the same length: so many of them are a megabyte, more or less.
    const room = there < 0.9 * limit ? there : Math.max(1, Math.floor(limit * (0.9 + 0.2 * uniform(state.model.seed, 'fetch', source.jobId, p, Math.floor(source.fetched[p])))));
    const end = source.fetched[p] + Math.min(there, room);
    source.responseEnd[p] = end;
    source.responseHighWatermark[p] = topic.endOffsets[p];
    records += end - source.fetched[p];
  }
  if (records <= 0 && state.nowMs - connection.sentMs < FETCH_MAX_WAIT_MS) return;
  connection.answeredMs = state.nowMs;
  connection.responseBytes = records * topic.recordBytes;
}

function completeFetch(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, connection: KafkaConnectionState): void {
  const elapsedMs = state.nowMs - connection.sentMs;
  const turnMs = connection.responseBytes > 0 ? FETCH_INTERVAL_MS : FETCH_MAX_WAIT_MS;
  const fetches = consumer.blockedSinceMs >= 0 ? 1 : Math.max(1, Math.round(elapsedMs / turnMs));
  if (connection.epoch === 0) {
    connection.sessions++;
    connection.sessionId = 1 + (hash32(state.model.seed, 'fetch-session', consumer.attemptId, connection.broker, connection.sessions) & 0x7ffffffe);
  }
  connection.epoch += fetches;
  connection.sentMs = -1;
  connection.answeredMs = -1;
  consumer.fetchTotal += fetches;
  consumer.correlationId += fetches;
  consumer.bytesConsumedTotal += connection.responseBytes;
  for (const p of connection.inFlight) {
    if (source.responseEnd[p] > source.fetched[p]) {
      source.fetched[p] = source.responseEnd[p];
      consumer.ready.push(p);
    }
  }
  connection.inFlight.length = 0;
}

/** One poll: up to 500 records of what was fetched, the partition in line first. */
function poll(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState): boolean {
  let room = MAX_POLL_RECORDS;
  const before = consumer.batches.length;
  consumer.lastPollMs = state.nowMs;
  if (consumer.inLine >= 0 && source.paused?.[consumer.inLine] === 1) {
    consumer.ready.push(consumer.inLine);
    consumer.inLine = -1;
  }
  while (room > EPSILON) {
    if (consumer.inLine < 0) {
      const at = consumer.ready.findIndex((candidate) => source.paused?.[candidate] !== 1);
      if (at < 0) break;
      const [next] = consumer.ready.splice(at, 1);
      consumer.inLine = next;
      source.fetchedHighWatermark[next] = source.responseHighWatermark[next];
    }
    const p = consumer.inLine;
    const end = Math.min(source.fetched[p], source.polled[p] + room);
    const records = end - source.polled[p];
    room -= records;
    consumer.recordsConsumedTotal += records;
    source.polled[p] = end;
    consumer.batches.push({ partition: p, end, closesPoll: false });
    recordLag(state, consumer, (source.recordsLag[p] = Math.max(0, source.fetchedHighWatermark[p] - end)));
    if (end >= source.fetched[p]) consumer.inLine = -1;
  }
  const { batches } = consumer;
  if (batches.length === before) return false;
  const last = batches[batches.length - 1];
  batches[batches.length - 1] = { partition: last.partition, end: last.end, closesPoll: true };
  consumer.polls++;
  return true;
}

/** Asks each connected broker for the partitions of which nothing is held; one request a broker at a time. */
function sendFetches(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, topic: KafkaTopicState): void {
  const brokerCount = Math.max(1, state.kafka.brokers.length);
  for (const connection of consumer.connections) {
    if (connection.phase !== 'connected' || connection.broken || connection.sentMs >= 0) continue;
    for (const p of consumer.partitions) {
      if (p % brokerCount === connection.broker && p !== consumer.inLine && source.polled[p] === source.fetched[p] && !consumer.ready.includes(p) && source.paused?.[p] !== 1) connection.inFlight.push(p);
    }
    if (connection.inFlight.length === 0) continue;
    connection.sentMs = state.nowMs;
    connection.answeredMs = -1;
    answerFetch(state, source, connection, topic);
  }
}

/** Keeps the largest lag of the client's two sample windows. */
function recordLag(state: SimulationState, consumer: KafkaConsumerState, lag: number): void {
  if (state.nowMs - consumer.lagWindowStartMs >= LAG_WINDOW_MS) {
    const passed = Math.floor((state.nowMs - consumer.lagWindowStartMs) / LAG_WINDOW_MS);
    consumer.previousLagWindowMax = passed === 1 ? consumer.lagWindowMax : NaN;
    consumer.lagWindowStartMs += passed * LAG_WINDOW_MS;
    consumer.lagWindowMax = lag;
  } else consumer.lagWindowMax = Number.isNaN(consumer.lagWindowMax) ? lag : Math.max(consumer.lagWindowMax, lag);
}

/** records-lag-max of the client: NaN when nothing was polled in the last two windows. */
export function recordsLagMax(nowMs: number, consumer: KafkaConsumerState): number {
  const sinceMs = nowMs - consumer.lagWindowStartMs;
  const current = sinceMs < 2 * LAG_WINDOW_MS ? consumer.lagWindowMax : NaN;
  const previous = sinceMs < LAG_WINDOW_MS ? consumer.previousLagWindowMax : NaN;
  if (Number.isNaN(current)) return previous;
  return Number.isNaN(previous) ? current : Math.max(current, previous);
}
