/** Java's String.hashCode. */
export function javaHashCode(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

/**
 * Subtask that reads a partition: both connectors start at a subtask that depends on the topic's name and deal the partitions out in
 * turn (KafkaTopicPartitionAssigner.assign of the legacy consumer, KafkaSourceEnumerator.getSplitOwner of the new source).
 */
export function partitionOwner(topic: string, partition: number, parallelism: number): number {
  return (startIndex(topic, parallelism) + partition) % parallelism;
}

function startIndex(topic: string, parallelism: number): number {
  return (Math.imul(javaHashCode(topic), 31) & 0x7fffffff) % parallelism;
}

/** Owners of all partitions of a topic. */
export function assignPartitions(topic: string, partitions: number, parallelism: number): Int32Array {
  const start = startIndex(topic, parallelism);
  return Int32Array.from({ length: partitions }, (_, partition) => (start + partition) % parallelism);
}
