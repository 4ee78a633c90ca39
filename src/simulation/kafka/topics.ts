import type { KafkaTopicModel } from '../model/simulation-model.js';
import type { KafkaTopicState, OfferHistoryState } from '../state/kafka-state.js';
import { advanceSchedule, createRateSchedule, rateAt } from './rate-schedule.js';

/** While the rate changes, a point of the history at most so often. */
const HISTORY_INTERVAL_MS = 1_000;

export function createTopic(model: KafkaTopicModel, startMs: number): KafkaTopicState {
  const { partitions } = model;
  const shares = Float64Array.from(model.partitionShares ?? new Array<number>(partitions).fill(1));
  const sum = shares.reduce((a, b) => a + b, 0);
  const schedule = createRateSchedule(startMs, model.rateSteps);
  advanceSchedule(schedule, startMs, startMs, startMs);
  const firstRate = rateAt(schedule, startMs);
  return {
    name: model.name,
    endOffsets: new Float64Array(partitions).fill(model.startOffset + model.backlogPerPartition),
    startOffsets: new Float64Array(partitions).fill(model.startOffset),
    recordBytes: model.recordBytes,
    partitionShares: shares.map((share) => (sum > 0 ? share / sum : 1 / partitions)),
    recordsPerSecond: firstRate,
    backlogPerPartition: model.backlogPerPartition,
    backlogDurationMs: firstRate > 0 ? (model.backlogPerPartition * partitions * 1000) / firstRate : 0,
    schedule,
    history: { timesMs: [startMs], offered: [0] },
  };
}

/** Lets the producers offer what they do in (fromMs, toMs]. */
export function growTopic(topic: KafkaTopicState, originMs: number, fromMs: number, toMs: number): void {
  const records = advanceSchedule(topic.schedule, originMs, fromMs, toMs);
  topic.recordsPerSecond = rateAt(topic.schedule, toMs);
  const { endOffsets, partitionShares } = topic;
  for (let p = 0; p < endOffsets.length; p++) endOffsets[p] += records * partitionShares[p];
  extend(topic.history, toMs, records);
}

/** Adds what was offered since the last point; a constant rate moves that point on instead of adding one. */
function extend(history: OfferHistoryState, toMs: number, records: number): void {
  const { timesMs, offered } = history;
  const last = timesMs.length - 1;
  const total = offered[last] + records;
  if (last >= 1) {
    const before = (offered[last] - offered[last - 1]) / (timesMs[last] - timesMs[last - 1]);
    const now = records / (toMs - timesMs[last]);
    if (Math.abs(now - before) <= 1e-9 * Math.max(before, now) || toMs - timesMs[last - 1] <= HISTORY_INTERVAL_MS) {
      timesMs[last] = toMs;
      offered[last] = total;
      return;
    }
  }
  timesMs.push(toMs);
  offered.push(total);
}

/** Epoch ms at which the record that ends at `offset` was produced. */
export function producedAtMs(topic: KafkaTopicState, partition: number, offset: number): number {
  const { timesMs, offered } = topic.history;
  const first = topic.startOffsets[partition];
  const since = offset - first - topic.backlogPerPartition;
  if (since <= 0) {
    if (topic.backlogPerPartition === 0) return timesMs[0];
    return timesMs[0] + (topic.backlogDurationMs * since) / topic.backlogPerPartition;
  }
  const share = topic.partitionShares[partition];
  if (share === 0) return timesMs[0];
  const target = since / share;
  let high = offered.length - 1;
  if (target >= offered[high]) return timesMs[high];
  // Most readers are near the end: the search widens from there.
  let width = 1;
  let low = high - 1;
  while (low > 0 && offered[low] > target) {
    high = low;
    low = Math.max(0, low - width);
    width *= 2;
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (offered[middle] < target) low = middle;
    else high = middle;
  }
  const span = offered[high] - offered[low];
  return span <= 0 ? timesMs[low] : timesMs[low] + ((timesMs[high] - timesMs[low]) * (target - offered[low])) / span;
}
