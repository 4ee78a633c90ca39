import type { KafkaSourceModel } from '../model/job-model.js';
import type { KafkaConsumerState, KafkaSourceState } from '../state/kafka-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { KAFKA_LOGGERS } from '../../versions/kafka-log-lines.js';
import { clientWording, coordinatorText, logAtClient, logAtConsumer } from './client-log.js';

const START_FROM: Readonly<Record<KafkaSourceModel['startFrom'], string>> = {
  earliest: 'from the earliest offsets',
  latest: 'from the latest offsets',
  'group-offsets': 'from the committed group offsets in Kafka',
};

/** What a consumer says when it begins: its partitions, where it starts, its coordinator. */
export function logStart(state: SimulationState, source: KafkaSourceState, consumer: KafkaConsumerState, startFrom: KafkaSourceModel['startFrom']): void {
  const { partitions, subtask } = consumer;
  const wording = clientWording(state);
  if (source.legacy) {
    const subject = `Consumer subtask ${subtask}`;
    const described = (value: (partition: number) => string) => partitions.map((p) => `KafkaTopicPartition{topic='${source.topic}', partition=${p}}${value(p)}`).join(', ');
    const message = source.restored
      ? `${subject} will start reading ${partitions.length} partitions with offsets in restored state: {${described((p) => `=${Math.floor(source.emitted[p]) - 1}`)}}`
      : `${subject} will start reading the following ${partitions.length} partitions ${START_FROM[startFrom]}: [${described(() => '')}]`;
    logAtConsumer(state, source, consumer, 'INFO', KAFKA_LOGGERS.legacyConsumer, partitions.length === 0 ? `${subject} initially has no partitions to read from.` : message);
  }
  if (partitions.length === 0) return;
  const client = (logger: string, message: string) => logAtClient(state, source, consumer, 'INFO', logger, message);
  client(KAFKA_LOGGERS.consumer, `${wording.assigned} partition(s): ${partitions.map((p) => `${source.topic}-${p}`).join(', ')}`);
  if (!source.legacy) for (const p of partitions) client(KAFKA_LOGGERS.consumer, `Seeking to offset ${Math.floor(source.emitted[p])} for partition ${source.topic}-${p}`);
  client(wording.coordinatorLogger, `Discovered group coordinator ${coordinatorText(state)}`);
}
