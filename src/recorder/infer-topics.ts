import type { InferredJob } from './infer-job.js';
import type { Notes } from './notes.js';
import { writeDuration, writeRate } from './written-values.js';

type Topic = InferredJob['topics'][number];

/** Growth of the lag, as a part of what is consumed, that is no growth. */
const LAG_STANDS = 0.02;

/** Topics of the scenario: offered load, and so much backlog that the lag is the measured one when the scenario opens. */
export function inferTopics(topics: readonly Topic[], startMs: number, openAtMs: number, notes: Notes): Record<string, unknown>[] {
  const byName = new Map(topics.map((topic) => [topic.topic, topic]));
  return [...byName.values()].map((topic, t) => {
    const consumed = (topic.consumedPerSecond / topic.partitions) * (openAtMs / 1_000);
    const steps = topic.offered.map(({ fromMs, recordsPerSecond }, i) => ({ at: writeDuration(i === 0 ? openAtMs : Math.round(fromMs - startMs)), rate: writeRate(recordsPerSecond) }));
    // Before the watch the lag stays what it was when it began.
    const keepsLag = topic.lag !== null && Math.abs(topic.lagPerSecond) > LAG_STANDS * topic.consumedPerSecond;
    notes.add([t], 'Assumed: the name, in which metrics write dots and the like as _. Measured: partitions, offsets.');
    notes.add([t, 'rate'], topic.lag === null ? 'Assumed: what was consumed; there is no lag metric.' : `Measured: what was consumed, and by how much the lag (${topic.lagSource}) grew.`);
    if (topic.lag !== null) notes.add([t, 'backlog'], `Measured: a lag of ${Math.round(topic.lag)} when the watch began.`);
    notes.add([t, 'recordSize'], 'Assumed: that of the records that the source emits.');
    return {
      name: topic.topic,
      partitions: topic.partitions,
      startOffset: Math.max(0, Math.round(topic.offset - consumed)),
      backlog: Math.round((topic.lag ?? 0) / topic.partitions),
      rate: steps.length <= 1 && !keepsLag ? writeRate(topic.offered[0]?.recordsPerSecond ?? 0) : [{ at: 0, rate: writeRate(keepsLag ? topic.consumedPerSecond : topic.offered[0]!.recordsPerSecond) }, ...steps],
      recordSize: topic.recordBytes,
    };
  });
}
