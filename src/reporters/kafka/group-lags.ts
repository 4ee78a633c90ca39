import type { SimulationState } from '../../simulation/state/simulation-state.js';

/** A consumer group's place in a partition, as the brokers know it. */
export interface PartitionLag {
  readonly partition: number;
  /** Committed offset (next to read); -1 = none. */
  readonly offset: number;
  readonly endOffset: number;
  /** -1 = nothing is committed. */
  readonly lag: number;
}

export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  readonly partitions: readonly PartitionLag[];
}

/** Where groups that have committed anything stand in the topics they read. */
export function groupLags(state: SimulationState): GroupLag[] {
  return [...state.kafka.groups].flatMap(([group, topics]) =>
    [...topics].flatMap(([topic, committed]): GroupLag[] => {
      const known = state.kafka.topics.get(topic);
      if (!known || committed.every((offset) => offset < 0)) return [];
      const partitions = Array.from(committed, (raw, partition): PartitionLag => {
        const offset = Math.floor(raw);
        const endOffset = Math.floor(known.endOffsets[partition]);
        return { partition, offset, endOffset, lag: offset < 0 ? -1 : Math.max(0, endOffset - offset) };
      });
      return [{ group, topic, partitions }];
    }),
  );
}
