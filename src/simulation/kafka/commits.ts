import type { JobState } from '../state/job-state.js';
import type { KafkaConsumerState, KafkaSourceState } from '../state/kafka-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { KAFKA_LOGGERS, RETRIABLE_COMMIT_TRACE } from '../../versions/kafka-log-lines.js';
import { clientWording, coordinatorNodeId, coordinatorText, logAtClient, logAtConsumer } from './client-log.js';
import { cancelledRequest } from './connections.js';
import { lookAtNetwork } from './poll-loop.js';
import { consumerOf, groupOffsets, kafkaSourceModel, sourceOf } from './sources.js';

const AUTO_COMMIT_INTERVAL_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Without data the fetcher looks at new commits only when its poll of 10 s returns. */
const IDLE_POLL_MS = 10_000;
/** Completed checkpoints whose positions are kept, for restores. */
const KEPT_SNAPSHOTS = 200;
/** Checkpoints that have not completed whose positions are kept, the oldest go first (FlinkKafkaConsumerBase.MAX_NUM_PENDING_CHECKPOINTS). */
const PENDING_SNAPSHOTS = 100;

/** The subtask's part of a checkpoint: the offsets that it would go on from. */
export function snapshotOffsets(state: SimulationState, job: JobState, checkpointId: number, vertexIndex: number, subtask: number): void {
  if (kafkaSourceModel(job, vertexIndex) === null) return;
  const source = sourceOf(state, job, vertexIndex);
  let snapshot = source.snapshots.get(checkpointId);
  if (snapshot === undefined) {
    source.snapshots.set(checkpointId, (snapshot = new Float64Array(source.owners.length).fill(NaN)));
    if (source.snapshots.size - source.completedSnapshots.length > PENDING_SNAPSHOTS) dropOldestPending(source);
  }
  for (const p of consumerOf(state, job, source, subtask).partitions) snapshot[p] = source.emitted[p];
}

function dropOldestPending({ snapshots, completedSnapshots }: KafkaSourceState): void {
  for (const id of snapshots.keys()) {
    if (completedSnapshots.includes(id)) continue;
    snapshots.delete(id);
    return;
  }
}

/** A checkpoint of the job is complete: its offsets go to Kafka, for others to see (Flink itself restores from the checkpoint). */
export function onCheckpointCompleted(state: SimulationState, job: JobState, checkpointId: number): void {
  for (let v = 0; v < job.vertices.length; v++) {
    if (kafkaSourceModel(job, v) === null) continue;
    const source = sourceOf(state, job, v);
    if (!source.snapshots.has(checkpointId)) continue;
    source.completedSnapshots.push(checkpointId);
    for (const id of source.snapshots.keys()) {
      if (id < checkpointId && !source.completedSnapshots.includes(id)) source.snapshots.delete(id);
    }
    while (source.completedSnapshots.length > KEPT_SNAPSHOTS) source.snapshots.delete(source.completedSnapshots.shift()!);
    for (let subtask = 0; subtask < source.consumers.length; subtask++) {
      const consumer = consumerOf(state, job, source, subtask);
      if (consumer.partitions.length > 0) commit(state, source, consumer, checkpointId);
    }
  }
}

function commit(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, checkpointId: number): void {
  const { pending } = consumer.coordinator;
  // A commit wakes the poll loop's thread, which looks at its sockets to send it.
  lookAtNetwork(state, source, consumer, source.topicState);
  if (state.kafka.brokerState === 'up' && pending.length === 0) {
    writeCommit(state, source, consumer, source.snapshots.get(checkpointId)!);
    return;
  }
  if (source.legacy && pending.length > 0) {
    // One commit at a time: a newer checkpoint takes the place of the one that waits behind it.
    logAtConsumer(
      state,
      source,
      consumer,
      'WARN',
      KAFKA_LOGGERS.legacyFetcher,
      "Committing offsets to Kafka takes longer than the checkpoint interval. Skipping commit of previous offsets because newer complete checkpoint offsets are available. This does not compromise Flink's checkpoint integrity.",
    );
    pending.length = 1;
  }
  pending.push({ checkpointId, sentMs: source.legacy ? state.nowMs : Math.ceil(state.nowMs / IDLE_POLL_MS) * IDLE_POLL_MS });
}

function writeCommit(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, positions: Float64Array): void {
  const offsets = groupOffsets(state.kafka, source.groupId, source.topic);
  for (const p of consumer.partitions) {
    if (Number.isNaN(positions[p])) continue;
    offsets[p] = source.committed[p] = Math.floor(positions[p]);
  }
  consumer.commitsSucceeded++;
}

/** Commits that wait: answered when the broker is there again, failed when they have waited too long. */
export function tickCommits(state: SimulationState, job: JobState, source: KafkaSourceState, consumer: KafkaConsumerState): void {
  const { brokerState } = state.kafka;
  if (source.legacy && job.checkpoints === null && brokerState === 'up' && state.nowMs - consumer.lastAutoCommitMs >= AUTO_COMMIT_INTERVAL_MS) {
    consumer.lastAutoCommitMs = state.nowMs;
    if (consumer.partitions.length > 0) writeCommit(state, source, consumer, source.polled);
  }
  const { coordinator } = consumer;
  if (brokerState === 'up') {
    if (!coordinator.known) {
      coordinator.known = true;
      logAtClient(state, source, consumer, 'INFO', clientWording(state).coordinatorLogger, `Discovered group coordinator ${coordinatorText(state)}`);
    }
    while (coordinator.pending.length > 0) {
      const snapshot = source.snapshots.get(coordinator.pending.shift()!.checkpointId);
      if (snapshot !== undefined) writeCommit(state, source, consumer, snapshot);
    }
    return;
  }
  // A dead broker is noticed at the next look at its socket, one that only stays silent when the request has waited too long.
  const patienceMs = brokerState === 'down' ? IDLE_POLL_MS : REQUEST_TIMEOUT_MS;
  const oldest = coordinator.pending[0];
  if (oldest !== undefined && state.nowMs - oldest.sentMs >= patienceMs) failCommits(state, source, consumer);
}

function failCommits(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState): void {
  const wording = clientWording(state);
  const { coordinator } = consumer;
  const node = coordinatorNodeId(state.kafka.brokers[0]?.id ?? 1);
  const sent = coordinator.pending.filter((commit) => commit.sentMs <= coordinator.pending[0].sentMs);
  if (coordinator.known) {
    if (wording.logsDisconnects && state.kafka.brokerState === 'stalled') {
      logAtClient(state, source, consumer, 'INFO', KAFKA_LOGGERS.networkClient, `Disconnecting from node ${node} due to request timeout.`);
      for (const commit of sent) {
        logAtClient(state, source, consumer, 'INFO', KAFKA_LOGGERS.networkClient, cancelledRequest(state, 'OFFSET_COMMIT', ++consumer.correlationId, node, state.nowMs - commit.sentMs));
      }
    }
    logAtClient(state, source, consumer, 'INFO', wording.coordinatorLogger, wording.coordinatorLost(coordinatorText(state)));
    coordinator.known = false;
  }
  const failed = source.legacy ? coordinator.pending.splice(0, 1) : coordinator.pending.splice(0);
  for (const { checkpointId } of failed) {
    consumer.commitsFailed++;
    if (source.legacy) {
      logAtConsumer(state, source, consumer, 'WARN', KAFKA_LOGGERS.legacyFetcher, `Committing offsets to Kafka failed. This does not compromise Flink's checkpoints.\n${RETRIABLE_COMMIT_TRACE}`);
      logAtConsumer(state, source, consumer, 'WARN', KAFKA_LOGGERS.legacyConsumer, `Consumer subtask ${consumer.subtask} failed async Kafka commit.\n${RETRIABLE_COMMIT_TRACE}`);
    } else logAtConsumer(state, source, consumer, 'WARN', KAFKA_LOGGERS.sourceReader, `Failed to commit consumer offsets for checkpoint ${checkpointId}\n${RETRIABLE_COMMIT_TRACE}`);
  }
  for (const commit of coordinator.pending) commit.sentMs = state.nowMs;
}
