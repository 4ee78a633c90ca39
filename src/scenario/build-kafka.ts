import type { KafkaModel, KafkaTopicModel } from '../simulation/model/simulation-model.js';
import type { Path } from './scenario-error.js';
import type { ScenarioInput } from './schema/scenario-schema.js';
import type { WrittenInstant } from './units.js';

/** Offset from the start in ms; null when it is wrong (and reported). */
export type ResolveInstant = (instant: WrittenInstant, path: Path) => number;

export function buildKafka(input: ScenarioInput['kafka'], resolve: ResolveInstant, report: (path: Path, message: string) => void): KafkaModel {
  const names = new Set<string>();
  const topics = input.topics.map((topic, t): KafkaTopicModel => {
    const path: Path = ['kafka', 'topics', t];
    if (names.has(topic.name)) report([...path, 'name'], `found the topic ${JSON.stringify(topic.name)} a second time; give each its own name`);
    names.add(topic.name);
    if (topic.shares && topic.shares.length !== topic.partitions) report([...path, 'shares'], `found ${topic.shares.length} shares; allowed: one for each of the ${topic.partitions} partitions`);
    if (topic.shares?.every((share) => share === 0)) report([...path, 'shares'], 'are all 0; give at least one partition a share');
    let lastMs = 0;
    const rateSteps =
      typeof topic.rate === 'number'
        ? [{ afterMs: 0, recordsPerSecond: topic.rate, rampMs: 0 }]
        : topic.rate.map((step, s) => {
            const afterMs = resolve(step.at, [...path, 'rate', s, 'at']);
            if (afterMs < lastMs) report([...path, 'rate', s, 'at'], 'lies before the step above it; put the steps in order of time');
            lastMs = Math.max(lastMs, afterMs);
            return { afterMs, recordsPerSecond: step.rate, rampMs: step.ramp };
          });
    return {
      name: topic.name,
      partitions: topic.partitions,
      startOffset: topic.startOffset,
      backlogPerPartition: topic.backlog,
      rateSteps,
      partitionShares: topic.shares,
      recordBytes: topic.recordSize,
    };
  });
  return { brokers: input.brokers, topics };
}
