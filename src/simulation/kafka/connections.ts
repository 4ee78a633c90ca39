import type { KafkaConnectionState, KafkaConsumerState, KafkaSourceState } from '../state/kafka-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { exponential, uniform } from '../random.js';
import { DISCONNECT_EXCEPTION, KAFKA_LOGGERS } from '../../versions/kafka-log-lines.js';
import { clientWording, logAtClient, sessionText } from './client-log.js';
import { sinceStartMs } from '../since-start.js';

/** reconnect.backoff.ms doubling to reconnect.backoff.max.ms, a fifth more or less. */
const RECONNECT_BACKOFF_MS = 50;
const RECONNECT_BACKOFF_MAX_MS = 1_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** The client finds its connection gone (or gives it up): what is in flight fails, the fetch session starts anew. */
export function breakConnection(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, connection: KafkaConnectionState, reason: 'lost' | 'timeout'): void {
  const wording = clientWording(state);
  const node = brokerOf(state, connection).id;
  const log = (logger: string, message: string) => logAtClient(state, source, consumer, 'INFO', logger, message);
  const inFlight = connection.sentMs >= 0;
  if (wording.logsDisconnects) {
    log(KAFKA_LOGGERS.networkClient, reason === 'timeout' ? `Disconnecting from node ${node} due to request timeout.` : `Node ${node} disconnected.`);
    if (inFlight) log(KAFKA_LOGGERS.networkClient, cancelledRequest(state, 'FETCH', consumer.correlationId, node, state.nowMs - connection.sentMs));
  }
  if (inFlight) log(KAFKA_LOGGERS.fetchSession, `Error sending fetch request ${sessionText(connection)} to node ${node}:${wording.fetchErrorTail(DISCONNECT_EXCEPTION)}`);
  if (wording.rebootstraps) log(KAFKA_LOGGERS.metadata, `Rebootstrapping with [${addressOf(state, connection)}]`);
  consumer.disconnects++;
  consumer.correlationId++;
  connection.epoch = 0;
  connection.sentMs = -1;
  connection.answeredMs = -1;
  connection.inFlight.length = 0;
  connection.broken = false;
  connection.failures = 0;
  waitToReconnect(state, consumer, connection);
}

/** A step towards a connection: one look of the poll loop finds the back-off over and begins, a later one finds it done. */
export function connect(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, connection: KafkaConnectionState): void {
  if (state.nowMs < connection.phaseMs) return;
  const { brokerState } = state.kafka;
  if (connection.phase === 'waiting') {
    if (brokerState === 'down') {
      refuse(state, source, consumer, connection);
      return;
    }
    connection.phase = 'connecting';
    connection.phaseMs = state.nowMs;
    // A poll loop that spins needs no second look of ours.
    if (consumer.polls > 0) return;
  }
  if (brokerState === 'up') {
    connection.phase = 'connected';
    connection.phaseMs = state.nowMs;
    connection.failures = 0;
  } else if (brokerState === 'down') refuse(state, source, consumer, connection);
  else if (state.nowMs - connection.phaseMs >= REQUEST_TIMEOUT_MS) breakConnection(state, source, consumer, connection, 'timeout');
}

function refuse(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, connection: KafkaConnectionState): void {
  const wording = clientWording(state);
  const node = brokerOf(state, connection).id;
  if (wording.logsDisconnects) logAtClient(state, source, consumer, 'INFO', KAFKA_LOGGERS.networkClient, `Node ${node} disconnected.`);
  logAtClient(state, source, consumer, 'WARN', KAFKA_LOGGERS.networkClient, `Connection to node ${node} (${addressOf(state, connection)}) could not be established. ${wording.unavailableNode}`);
  connection.failures++;
  waitToReconnect(state, consumer, connection);
}

function waitToReconnect(state: SimulationState, consumer: KafkaConsumerState, connection: KafkaConnectionState): void {
  const backoffMs = Math.min(RECONNECT_BACKOFF_MAX_MS, RECONNECT_BACKOFF_MS * 2 ** connection.failures);
  const jitter = 0.8 + 0.4 * uniform(state.model.seed, 'kafka-reconnect', consumer.attemptId, connection.broker, sinceStartMs(state), connection.failures);
  connection.phase = 'waiting';
  connection.phaseMs = state.nowMs + backoffMs * jitter;
}

/**
 * The network between consumer and brokers is bad: connections break while a fetch is under way, after an exponentially distributed
 * exposure. `elapsedMs` is the time since the last look.
 */
export function exposeToFlakiness(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, elapsedMs: number): void {
  const meanMs = state.kafka.meanTimeBetweenDisconnectsMs;
  if (meanMs <= 0) return;
  const exposed = consumer.connections.filter((connection) => connection.sentMs >= 0 && !connection.broken);
  if (exposed.length === 0) return;
  consumer.exposure += elapsedMs / meanMs;
  if (consumer.exposure < consumer.exposureLimit) return;
  consumer.exposure = 0;
  consumer.exposureLimit = exponential(1, state.model.seed, 'kafka-disconnect', source.jobId, source.vertexIndex, consumer.subtask, consumer.attemptId, consumer.disconnects + 1);
  exposed[Math.floor(uniform(state.model.seed, 'kafka-victim', consumer.attemptId, sinceStartMs(state)) * exposed.length)].broken = true;
}

function brokerOf(state: SimulationState, connection: KafkaConnectionState): { id: number; host: string; port: number } {
  return state.kafka.brokers[connection.broker] ?? { id: connection.broker + 1, host: 'localhost', port: 9092 };
}

function addressOf(state: SimulationState, connection: KafkaConnectionState): string {
  const { host, port } = brokerOf(state, connection);
  return `${host}/${hostAddress(state, host)}:${port}`;
}

/** A host's address, as a resolver in the cluster would give it: made up, but always the same. */
function hostAddress(state: SimulationState, host: string): string {
  if (host === 'localhost') return '127.0.0.1';
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return host;
  const part = (name: string) => Math.floor(uniform(state.model.seed, 'address', host, name) * 253) + 1;
  return `10.${part('a')}.${part('b')}.${part('c')}`;
}

/** The client's line for a request that a lost connection takes with it. */
export function cancelledRequest(state: SimulationState, api: string, correlationId: number, node: number, elapsedMs: number): string {
  const elapsed = Math.max(0, Math.round(elapsedMs));
  return `Cancelled in-flight ${api} request with correlation id ${correlationId} due to node ${node} being disconnected (elapsed time since creation: ${elapsed}ms, elapsed time since send: ${elapsed}ms, ${clientWording(state).throttleTime}request timeout: ${REQUEST_TIMEOUT_MS}ms)`;
}
