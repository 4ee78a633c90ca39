import { appendLog } from '../logs/index.js';
import { uniform } from '../random.js';
import type { KafkaConnectionState, KafkaConsumerState, KafkaSourceState } from '../state/kafka-state.js';
import type { LogEntry } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { valueIn } from '../../versions/flink-versions.js';
import { versionOf } from '../version.js';
import { KAFKA_CLIENT, type KafkaClientWording } from '../../versions/kafka-log-lines.js';
import { sinceStartMs } from '../since-start.js';

/** The wording of the simulated release's Kafka client. */
export function clientWording(state: SimulationState): KafkaClientWording {
  return valueIn(KAFKA_CLIENT, versionOf(state));
}

/** A line in the log of the task manager that the subtask runs on. */
export function logAtConsumer(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, level: LogEntry['level'], logger: string, message: string): void {
  const attempt = state.jobs.get(source.jobId)?.vertices[source.vertexIndex]?.subtasks[consumer.subtask]?.current;
  const taskManager = attempt?.taskManagerId == null ? undefined : state.taskManagers.get(attempt.taskManagerId);
  if (taskManager !== undefined && taskManager.status !== 'LOST') appendLog(taskManager.log, lineTimeMs(state, consumer), level, logger, message);
}

/** Clients do not wake up at the ends of ticks: somewhere in the tick, the same for all lines of one consumer. */
function lineTimeMs(state: SimulationState, consumer: KafkaConsumerState): number {
  return state.nowMs - Math.floor(uniform(state.model.seed, 'client-log', consumer.attemptId, sinceStartMs(state)) * state.model.tickMs);
}

/** The same for a line of the Kafka client, which names the consumer in front. */
export function logAtClient(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, level: LogEntry['level'], logger: string, message: string): void {
  logAtConsumer(state, source, consumer, level, logger, `[Consumer clientId=${consumer.clientId}, groupId=${source.groupId}] ${message}`);
}

/** How a fetch session's place is printed. */
export function sessionText(connection: KafkaConnectionState): string {
  return `(sessionId=${connection.sessionId === 0 ? 'INVALID' : connection.sessionId}, epoch=${connection.epoch === 0 ? 'INITIAL' : connection.epoch})`;
}

/** Node id under which a client keeps its connection to the group coordinator. */
export function coordinatorNodeId(brokerId: number): number {
  return 2147483647 - brokerId;
}

/** How a client names the broker that keeps its group's offsets. */
export function coordinatorText(state: SimulationState): string {
  const broker = state.kafka.brokers[0] ?? { id: 1, host: 'localhost', port: 9092 };
  return `${broker.host}:${broker.port} (id: ${coordinatorNodeId(broker.id)} rack: null${clientWording(state).nodeSuffix})`;
}
