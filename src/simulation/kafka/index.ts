import type { SimulationModel } from '../model/simulation-model.js';
import type { TimelineAction } from '../model/timeline-event.js';
import type { JobState } from '../state/job-state.js';
import { EXECUTION_STATE_INDEX } from '../state/job-state.js';
import type { KafkaConsumerState, KafkaSourceState, KafkaState } from '../state/kafka-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { NO_WATERMARK } from '../state/subtask-columns.js';
import { tickCommits } from './commits.js';
import { exposeToFlakiness } from './connections.js';
import { answerFetch, EPSILON, runPollLoop } from './poll-loop.js';
import { changeRate } from './rate-schedule.js';
import { consumerOf, initialPositions, kafkaSourceModel, sourceOf, topicOf } from './sources.js';
import { createTopic, growTopic, producedAtMs } from './topics.js';

export { onCheckpointCompleted, snapshotOffsets } from './commits.js';
export { partitionOwner } from './assignment.js';
export { kafkaSourceReading, type KafkaPartitionReading, type KafkaSourceReading } from './readings.js';

/** The brokers and topics as the model describes them at the start. */
export function createKafkaState(model: SimulationModel): KafkaState {
  return {
    atMs: model.startMs,
    brokers: model.kafka.brokers,
    brokerState: 'up',
    brokerStateSinceMs: model.startMs,
    meanTimeBetweenDisconnectsMs: 0,
    topics: new Map(model.kafka.topics.map((topic) => [topic.name, createTopic(topic, model.startMs)])),
    groups: new Map(),
    sources: new Map(),
    clientSequences: new Map(),
  };
}

/** Time passes until state.nowMs: producers offer records, consumers look at their connections. */
export function tickKafka(state: SimulationState): void {
  const { kafka, model } = state;
  const fromMs = kafka.atMs;
  const toMs = state.nowMs;
  if (toMs <= fromMs) return;
  // Producers keep what they cannot send; their clients hand it over when the broker is back.
  for (const topic of kafka.topics.values()) growTopic(topic, model.startMs, fromMs, toMs);
  kafka.atMs = toMs;
  for (const source of kafka.sources.values()) {
    const job = state.jobs.get(source.jobId);
    if (job !== undefined && job.endMs < 0) tickSource(state, job, source, toMs - fromMs);
  }
}

function tickSource(state: SimulationState, job: JobState, source: KafkaSourceState, elapsedMs: number): void {
  for (let subtask = 0; subtask < source.consumers.length; subtask++) {
    if (isRunning(job, source.vertexIndex, subtask)) tickConsumer(state, job, source, consumerOf(state, job, source, subtask), elapsedMs);
  }
}

function tickConsumer(state: SimulationState, job: JobState, source: KafkaSourceState, consumer: KafkaConsumerState, elapsedMs: number): void {
  exposeToFlakiness(state, source, consumer, elapsedMs);
  const topic = source.topicState;
  for (const connection of consumer.connections) if (connection.sentMs >= 0 && connection.answeredMs < 0) answerFetch(state, source, connection, topic);
  runPollLoop(state, source, consumer);
  tickCommits(state, job, source, consumer);
}

function isRunning(job: JobState, vertexIndex: number, subtask: number): boolean {
  const attempt = job.vertices[vertexIndex]?.subtasks[subtask]?.current;
  return attempt !== undefined && attempt.state === 'RUNNING' && attempt.timestamps[EXECUTION_STATE_INDEX.RUNNING] > 0;
}

/** Records that the subtask could emit now: all that is in its partitions while it can fetch, else what its client holds. */
export function availableRecords(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): number {
  const source = sourceOf(state, job, vertexIndex);
  const consumer = consumerOf(state, job, source, subtask);
  const { endOffsets } = source.topicState;
  const brokerCount = Math.max(1, state.kafka.brokers.length);
  const up = state.kafka.brokerState === 'up';
  let records = 0;
  for (const p of consumer.partitions) {
    const connection = consumer.connections.find((candidate) => candidate.broker === p % brokerCount);
    const reachable = up && connection !== undefined && connection.phase === 'connected' && !connection.broken;
    // Of a paused partition come only the polls that are on their way.
    const until = source.paused?.[p] === 1 ? source.polled[p] : reachable ? endOffsets[p] : source.fetched[p];
    records += until - source.emitted[p];
  }
  return records;
}

export interface TakenRecords {
  /** Records that there were: at most what was asked for. */
  readonly records: number;
  /** Event time of the last one; NO_WATERMARK before the first. */
  readonly eventTimeMs: number;
}

/** The source emits so many records: first those that were polled, partition by partition as the client handed them out. */
export function takeRecords(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, records: number): TakenRecords {
  const source = sourceOf(state, job, vertexIndex);
  const consumer = consumerOf(state, job, source, subtask);
  const { batches } = consumer;
  let left = records;
  let lastPartition = -1;
  while (left > EPSILON) {
    if (batches.length === 0) {
      runPollLoop(state, source, consumer);
      if (batches.length === 0) break;
    }
    const { partition, end, closesPoll } = batches[0];
    const count = Math.min(left, end - source.emitted[partition]);
    left -= count;
    lastPartition = partition;
    if (count < end - source.emitted[partition]) {
      source.emitted[partition] += count;
      break;
    }
    source.emitted[partition] = end;
    batches.shift();
    if (closesPoll) {
      consumer.polls--;
      runPollLoop(state, source, consumer);
    }
  }
  const eventTimeMs = lastPartition < 0 ? NO_WATERMARK : producedAtMs(source.topicState, lastPartition, source.emitted[lastPartition]);
  return { records: records - left, eventTimeMs };
}

/** Event times of the last records that came from some partitions; by partition, 0 for the others. */
export function partitionEventTimes(source: KafkaSourceState, partitions: readonly number[]): Float64Array {
  const times = new Float64Array(source.emitted.length);
  for (const p of partitions) times[p] = producedAtMs(source.topicState, p, source.emitted[p]);
  return times;
}

/** Positions of a Kafka source vertex, by partition: the next offset that it emits. */
export function consumedOffsets(state: SimulationState, job: JobState, vertexIndex: number): Float64Array {
  return sourceOf(state, job, vertexIndex).emitted.slice();
}

/**
 * Before the job's subtasks start (again): positions go back to what the checkpoint holds, or to where the source begins without one.
 * `fromJobId` names the job that wrote the checkpoint when it was another.
 */
export function restoreOffsets(state: SimulationState, job: JobState, checkpointId: number | null, fromJobId: string = job.id): void {
  for (let v = 0; v < job.vertices.length; v++) {
    const model = kafkaSourceModel(job, v);
    if (model === null) continue;
    const source = sourceOf(state, job, v);
    const snapshot = checkpointId === null ? undefined : snapshotOf(state, fromJobId, v, model.topic, checkpointId);
    const begin = initialPositions(state.kafka, model);
    source.restored = snapshot !== undefined;
    for (let p = 0; p < source.emitted.length; p++) {
      const restored = snapshot?.[p];
      source.emitted[p] = restored === undefined || Number.isNaN(restored) ? begin[p] : restored;
    }
    source.polled.set(source.emitted);
    source.fetched.set(source.emitted);
    source.initial.set(source.emitted);
  }
}

function snapshotOf(state: SimulationState, jobId: string, vertexIndex: number, topic: string, checkpointId: number): Float64Array | undefined {
  const holders = [...state.kafka.sources.values()].filter((source) => source.jobId === jobId && source.topic === topic && source.snapshots.has(checkpointId));
  return (holders.find((source) => source.vertexIndex === vertexIndex) ?? holders[0])?.snapshots.get(checkpointId);
}

/** What a scenario or the control API does to Kafka; false when the action is not about Kafka. */
export function applyKafkaAction(state: SimulationState, action: TimelineAction): boolean {
  const { kafka } = state;
  switch (action.kind) {
    case 'set-topic-rate': {
      const topic = topicOf(kafka, action.topic);
      changeRate(topic.schedule, state.nowMs, action.recordsPerSecond, action.rampMs);
      return true;
    }
    case 'set-kafka-flakiness':
      kafka.meanTimeBetweenDisconnectsMs = action.meanTimeBetweenDisconnectsMs;
      return true;
    case 'set-kafka-broker':
      setBroker(state, action.state);
      return true;
    default:
      return false;
  }
}

function setBroker(state: SimulationState, brokerState: KafkaState['brokerState']): void {
  const { kafka } = state;
  if (kafka.brokerState === brokerState) return;
  kafka.brokerState = brokerState;
  kafka.brokerStateSinceMs = state.nowMs;
  if (brokerState !== 'down') return;
  for (const { consumers } of kafka.sources.values()) for (const { connections } of consumers) for (const connection of connections) if (connection.phase !== 'waiting') connection.broken = true;
}
