import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { recordsLagMax } from './poll-loop.js';
import { consumerOf, sourceOf } from './sources.js';

export interface KafkaPartitionReading {
  readonly topic: string;
  readonly partition: number;
  /** Offset of the last record emitted since the attempt began; -1 = none. */
  readonly currentOffset: number;
  /** Next offset to read, as last committed by this job; -1 = none. */
  readonly committedOffset: number;
  readonly endOffset: number;
  /** Records in the partition that the source has not emitted. */
  readonly lag: number;
  /** records-lag of the client: behind the high watermark as the last poll of the partition saw it; NaN = not polled yet. */
  readonly recordsLag: number;
}

/** What the metrics of a Kafka source subtask are made from. */
export interface KafkaSourceReading {
  readonly legacy: boolean;
  readonly clientId: string;
  readonly groupId: string;
  readonly startedMs: number;
  readonly partitions: readonly KafkaPartitionReading[];
  /** null until a fetch was seen. */
  readonly pendingRecords: number | null;
  /** NaN = no sample. */
  readonly recordsLagMax: number;
  readonly recordsConsumedTotal: number;
  readonly bytesConsumedTotal: number;
  readonly fetchTotal: number;
  readonly commitsSucceeded: number;
  readonly commitsFailed: number;
  readonly lastPollMs: number;
  readonly connectionCount: number;
  readonly disconnects: number;
}

/** Reads a Kafka source subtask. */
export function kafkaSourceReading(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): KafkaSourceReading {
  const source = sourceOf(state, job, vertexIndex);
  const consumer = consumerOf(state, job, source, subtask);
  const { endOffsets } = source.topicState;
  let pendingRecords: number | null = null;
  const partitions = consumer.partitions.map((partition): KafkaPartitionReading => {
    const recordsLag = source.recordsLag[partition];
    if (!Number.isNaN(recordsLag)) pendingRecords = (pendingRecords ?? 0) + Math.floor(recordsLag);
    const emitted = Math.floor(source.emitted[partition]);
    return {
      topic: source.topic,
      partition,
      currentOffset: emitted > Math.floor(source.initial[partition]) ? emitted - 1 : -1,
      committedOffset: source.committed[partition],
      endOffset: Math.floor(endOffsets[partition]),
      lag: Math.max(0, Math.floor(endOffsets[partition]) - emitted),
      recordsLag: Number.isNaN(recordsLag) ? NaN : Math.floor(recordsLag),
    };
  });
  const lagMax = recordsLagMax(state.nowMs, consumer);
  return {
    legacy: source.legacy,
    clientId: consumer.clientId,
    groupId: source.groupId,
    startedMs: consumer.startedMs,
    partitions,
    pendingRecords,
    recordsLagMax: Number.isNaN(lagMax) ? NaN : Math.floor(lagMax),
    recordsConsumedTotal: Math.floor(consumer.recordsConsumedTotal),
    bytesConsumedTotal: Math.floor(consumer.bytesConsumedTotal),
    fetchTotal: consumer.fetchTotal,
    commitsSucceeded: consumer.commitsSucceeded,
    commitsFailed: consumer.commitsFailed,
    lastPollMs: consumer.lastPollMs,
    connectionCount: consumer.connections.filter((connection) => connection.phase === 'connected').length + (consumer.coordinator.known ? 1 : 0) + 1,
    disconnects: consumer.disconnects,
  };
}
