import type { InferredJob } from './infer-job.js';
import type { Notes } from './notes.js';
import { writeDuration, writeRate } from './written-values.js';

type Topic = InferredJob['topics'][number];

/** Topics of the scenario: offered load, and so much backlog that the lag is the measured one when the scenario opens. */
export function inferTopics(topics: readonly Topic[], startMs: number, openAtMs: number, notes: Notes): Record<string, unknown>[] {
  const byName = new Map(topics.map((topic) => [topic.topic, topic]));
  return [...byName.values()].map((topic, t) => {
    const warmUpSeconds = openAtMs / 1_000;
    const lagAtStart = Math.max(0, (topic.lag ?? 0) - topic.lagPerSecond * warmUpSeconds);
    const consumed = (topic.consumedPerSecond / topic.partitions) * warmUpSeconds;
    notes.add([t], 'Assumed: the name, in which metrics write dots and the like as _. Measured: partitions, offsets.');
    notes.add([t, 'rate'], topic.lag === null ? 'Assumed: what was consumed; there is no lag metric.' : `Measured: what was consumed, and by how much the lag (${topic.lagSource}) grew.`);
    if (topic.lag !== null) notes.add([t, 'backlog'], `Measured: a lag of ${Math.round(topic.lag)} when the watch began.`);
    notes.add([t, 'recordSize'], 'Assumed: that of the records that the source emits.');
    const [only] = topic.offered;
    return {
      name: topic.topic,
      partitions: topic.partitions,
      startOffset: Math.max(0, Math.round(topic.offset - consumed)),
      backlog: Math.round(lagAtStart / topic.partitions),
      rate:
        topic.offered.length <= 1
          ? writeRate(only?.recordsPerSecond ?? 0)
          : topic.offered.map(({ fromMs, recordsPerSecond }, i) => ({ at: i === 0 ? 0 : writeDuration(Math.round(fromMs - startMs)), rate: writeRate(recordsPerSecond) })),
      recordSize: topic.recordBytes,
    };
  });
}
