import type { KafkaSourceModel } from '../model/job-model.js';
import type { JobState } from '../state/job-state.js';
import type { KafkaConsumerState, KafkaSourceState, KafkaState, KafkaTopicState } from '../state/kafka-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { exponential } from '../random.js';
import { assignPartitions } from './assignment.js';
import { clientWording } from './client-log.js';
import { createRateSchedule } from './rate-schedule.js';
import { logStart } from './start-log.js';

/** The Kafka part of a vertex's input, null when it does not read from Kafka. */
export function kafkaSourceModel(job: JobState, vertexIndex: number): KafkaSourceModel | null {
  const source = job.vertices[vertexIndex].model.operators[0].source;
  return source !== null && source.kind === 'kafka' ? source : null;
}

/** A topic that nobody described exists all the same, empty, as a broker creates it. */
export function topicOf(kafka: KafkaState, name: string): KafkaTopicState {
  let topic = kafka.topics.get(name);
  if (topic === undefined) {
    topic = {
      name,
      endOffsets: new Float64Array(1),
      startOffsets: new Float64Array(1),
      recordBytes: 1,
      partitionShares: Float64Array.of(1),
      recordsPerSecond: 0,
      backlogPerPartition: 0,
      backlogDurationMs: 0,
      schedule: createRateSchedule(kafka.atMs, []),
      history: { timesMs: [kafka.atMs], offered: [0] },
    };
    kafka.topics.set(name, topic);
  }
  return topic;
}

/** Committed offsets of a group in a topic, -1 where there are none. */
export function groupOffsets(kafka: KafkaState, groupId: string, topic: string): Float64Array {
  let topics = kafka.groups.get(groupId);
  if (topics === undefined) kafka.groups.set(groupId, (topics = new Map()));
  let offsets = topics.get(topic);
  if (offsets === undefined) topics.set(topic, (offsets = new Float64Array(topicOf(kafka, topic).endOffsets.length).fill(-1)));
  return offsets;
}

/** Where the source's model says that reading begins without a checkpoint. */
export function initialPositions(kafka: KafkaState, model: KafkaSourceModel): Float64Array {
  const topic = topicOf(kafka, model.topic);
  if (model.startFrom === 'earliest') return topic.startOffsets.slice();
  if (model.startFrom === 'latest') return topic.endOffsets.map(Math.floor);
  const committed = groupOffsets(kafka, model.groupId, model.topic);
  return topic.endOffsets.map((end, p) => (committed[p] >= 0 ? committed[p] : Math.floor(end)));
}

/** The reading state of a Kafka source vertex; made at the first look. */
export function sourceOf(state: SimulationState, job: JobState, vertexIndex: number): KafkaSourceState {
  const vertex = job.vertices[vertexIndex];
  const { parallelism } = vertex;
  const existing = vertex.kafkaSource ?? state.kafka.sources.get(`${job.id}/${vertexIndex}`);
  if (existing !== undefined && existing.consumers.length === parallelism) return existing;
  const model = kafkaSourceModel(job, vertexIndex)!;
  const source = createSource(state, job, vertexIndex, model, parallelism, existing?.emitted ?? initialPositions(state.kafka, model));
  if (existing !== undefined) {
    source.snapshots = existing.snapshots;
    source.completedSnapshots = existing.completedSnapshots;
    source.committed = existing.committed;
  }
  state.kafka.sources.set(`${job.id}/${vertexIndex}`, source);
  vertex.kafkaSource = source;
  return source;
}

function createSource(state: SimulationState, job: JobState, vertexIndex: number, model: KafkaSourceModel, parallelism: number, positions: Float64Array): KafkaSourceState {
  const partitions = positions.length;
  const owners = assignPartitions(model.topic, partitions, parallelism);
  return {
    jobId: job.id,
    vertexIndex,
    topic: model.topic,
    topicState: topicOf(state.kafka, model.topic),
    groupId: model.groupId,
    legacy: model.legacy,
    owners,
    emitted: positions.slice(),
    restored: false,
    initial: positions.slice(),
    polled: positions.slice(),
    fetched: positions.slice(),
    fetchedHighWatermark: positions.slice(),
    responseEnd: positions.slice(),
    responseHighWatermark: positions.slice(),
    recordsLag: new Float64Array(partitions).fill(NaN),
    committed: new Float64Array(partitions).fill(-1),
    consumers: Array.from({ length: parallelism }, (_, subtask) => createConsumer(state, job, vertexIndex, model, subtask, '', owners)),
    snapshots: new Map(),
    completedSnapshots: [],
  };
}

function createConsumer(
  state: SimulationState,
  job: JobState,
  vertexIndex: number,
  model: KafkaSourceModel,
  subtask: number,
  attemptId: string,
  owners: Int32Array,
): KafkaConsumerState {
  const { kafka } = state;
  const partitions: number[] = [];
  for (let p = 0; p < owners.length; p++) if (owners[p] === subtask) partitions.push(p);
  const leaders = [...new Set(partitions.map((p) => p % Math.max(1, kafka.brokers.length)))].sort((a, b) => a - b);
  return {
    subtask,
    attemptId,
    clientId: clientId(state, job, vertexIndex, model, subtask, attemptId),
    startedMs: state.nowMs,
    partitions,
    inLine: -1,
    ready: [],
    batches: [],
    polls: 0,
    blockedSinceMs: -1,
    connections: leaders.map((broker) => ({
      broker,
      phase: 'waiting',
      phaseMs: state.nowMs,
      failures: 0,
      sessionId: 0,
      sessions: 0,
      epoch: 0,
      sentMs: -1,
      inFlight: [],
      answeredMs: -1,
      responseBytes: 0,
      broken: false,
    })),
    coordinator: { known: true, pending: [] },
    exposure: 0,
    exposureLimit: exponential(1, state.model.seed, 'kafka-disconnect', job.id, vertexIndex, subtask, attemptId, 0),
    disconnects: 0,
    correlationId: 0,
    fetchTotal: 0,
    recordsConsumedTotal: 0,
    bytesConsumedTotal: 0,
    commitsSucceeded: 0,
    commitsFailed: 0,
    lastPollMs: state.nowMs,
    lastAutoCommitMs: state.nowMs,
    lagWindowStartMs: state.nowMs,
    lagWindowMax: NaN,
    previousLagWindowMax: NaN,
  };
}

/**
 * KafkaSource names its consumers `<group>-<subtask>`; the legacy consumer lets the client number them within its process, where each
 * subtask's partition discovery took a number before.
 */
function clientId(state: SimulationState, job: JobState, vertexIndex: number, model: KafkaSourceModel, subtask: number, attemptId: string): string {
  if (!model.legacy) return `${model.groupId}-${subtask}`;
  if (attemptId === '') return '';
  const processId = job.vertices[vertexIndex].subtasks[subtask].current.taskManagerId ?? '';
  const here = job.vertices[vertexIndex].subtasks.filter((other) => other.current.taskManagerId === processId).map((other) => other.index);
  const { clientSequences } = state.kafka;
  const created = (clientSequences.get(processId) ?? 0) + 1;
  clientSequences.set(processId, created);
  const deploymentsBefore = Math.floor((created - 1) / here.length);
  const number = deploymentsBefore * 2 * here.length + here.length + ((created - 1) % here.length) + 1;
  return clientWording(state).generatedIdHasGroup ? `consumer-${model.groupId}-${number}` : `consumer-${number}`;
}

/** The consumer of a subtask's current attempt: a new attempt has a new one, with empty buffers, at the source's positions. */
export function consumerOf(state: SimulationState, job: JobState, source: KafkaSourceState, subtask: number): KafkaConsumerState {
  const existing = source.consumers[subtask];
  const { attemptId } = job.vertices[source.vertexIndex].subtasks[subtask].current;
  if (existing.attemptId === attemptId) return existing;
  const model = kafkaSourceModel(job, source.vertexIndex)!;
  const consumer = createConsumer(state, job, source.vertexIndex, model, subtask, attemptId, source.owners);
  source.consumers[subtask] = consumer;
  for (const p of consumer.partitions) {
    const at = source.emitted[p];
    source.polled[p] = at;
    source.fetched[p] = at;
    source.fetchedHighWatermark[p] = at;
    source.initial[p] = at;
    source.recordsLag[p] = NaN;
  }
  logStart(state, source, consumer, model.startFrom);
  return consumer;
}
