/** The brokers, as a client could see them. Records are counted as real numbers inside; offsets shown are their floor. */
export interface KafkaState {
  brokerState: 'up' | 'stalled' | 'down';
  /** Mean time between fetch failures of one consumer, ms; 0 = none. */
  meanTimeBetweenDisconnectsMs: number;
  topics: Map<string, KafkaTopicState>;
  /** Committed offsets (next to read) by group id, then topic, then partition; -1 = none. */
  groups: Map<string, Map<string, Float64Array>>;
}

export interface KafkaTopicState {
  name: string;
  /** Offset behind the last record, by partition. */
  endOffsets: Float64Array;
  startOffsets: Float64Array;
  recordBytes: number;
  /** Normalised. */
  partitionShares: Float64Array;
  /** Offered now, all partitions, records/s. */
  recordsPerSecond: number;
}
