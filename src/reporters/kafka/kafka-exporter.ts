import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { labelsText, type Family } from '../prometheus/families.js';
import { groupLags } from './group-lags.js';

const HELP = {
  kafka_brokers: 'Number of Brokers in the Kafka Cluster.',
  kafka_topic_partitions: 'Number of partitions for this Topic',
  kafka_topic_partition_current_offset: 'Current Offset of a Broker at Topic/Partition',
  kafka_topic_partition_oldest_offset: 'Oldest Offset of a Broker at Topic/Partition',
  kafka_consumergroup_current_offset: 'Current Offset of a ConsumerGroup at Topic/Partition',
  kafka_consumergroup_current_offset_sum: 'Current Offset of a ConsumerGroup at Topic for all partitions',
  kafka_consumergroup_lag: 'Current Approximate Lag of a ConsumerGroup at Topic/Partition',
  kafka_consumergroup_lag_sum: 'Current Approximate Lag of a ConsumerGroup at Topic for all partitions',
  kafka_consumergroup_members: 'Amount of members in a consumer group',
} as const;
type Name = keyof typeof HELP;

/** What kafka_exporter says of the brokers: offsets of topics and groups, and lags. While no broker answers it has only their number. */
export function kafkaFamilies(state: SimulationState): Family[] {
  const families = new Map<string, Family>();
  const add = (name: Name, labels: Readonly<Record<string, string>>, value: number): void => {
    let family = families.get(name);
    if (!family) families.set(name, (family = { name, help: HELP[name], type: 'gauge', children: new Map() }));
    family.children.set(labelsText(Object.entries(labels), false), value);
  };
  const { brokers, brokerState, topics } = state.kafka;
  add('kafka_brokers', {}, brokerState === 'up' ? brokers.length : 0);
  if (brokerState !== 'up') return [...families.values()];
  for (const topic of topics.values()) {
    add('kafka_topic_partitions', { topic: topic.name }, topic.endOffsets.length);
    for (let partition = 0; partition < topic.endOffsets.length; partition++) {
      const labels = { partition: String(partition), topic: topic.name };
      add('kafka_topic_partition_current_offset', labels, Math.floor(topic.endOffsets[partition]));
      add('kafka_topic_partition_oldest_offset', labels, Math.floor(topic.startOffsets[partition]));
    }
  }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + Math.max(0, value), 0);
  for (const { group, topic, partitions } of groupLags(state)) {
    for (const { partition, offset, lag } of partitions) {
      const labels = { consumergroup: group, partition: String(partition), topic };
      add('kafka_consumergroup_current_offset', labels, offset);
      add('kafka_consumergroup_lag', labels, lag);
    }
    add('kafka_consumergroup_current_offset_sum', { consumergroup: group, topic }, sum(partitions.map(({ offset }) => offset)));
    add('kafka_consumergroup_lag_sum', { consumergroup: group, topic }, sum(partitions.map(({ lag }) => lag)));
  }
  // Flink's sources take their partitions themselves: their groups have no members.
  for (const group of state.kafka.groups.keys()) add('kafka_consumergroup_members', { consumergroup: group }, 0);
  return [...families.values()];
}

/** In the text format as Go's client writes it. */
export function kafkaExposition(state: SimulationState): string {
  let text = '';
  for (const { name, help, type, children } of kafkaFamilies(state)) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const [labels, value] of children) text += `${name}${labels === '' ? '' : `{${labels.slice(0, -1)}}`} ${String(value)}\n`;
  }
  return text;
}
