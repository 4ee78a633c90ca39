import type { ByVersion } from './flink-versions.js';

/** How the Kafka connector's client of a release words what happens to it. Recorded with 1.9.3, 1.20.5 and 2.3.0. */
export interface KafkaClientWording {
  /** kafka-clients that the release's connector brings. */
  readonly clientVersion: string;
  /** `consumer-4` or, since kafka-clients 2.4, `consumer-<group>-4` for consumers that were given no id. */
  readonly generatedIdHasGroup: boolean;
  /** NetworkClient logs disconnects and cancelled requests at INFO (kafka-clients 2.8 and later; DEBUG before). */
  readonly logsDisconnects: boolean;
  /** How the failed fetch line ends: text after `to node N:`; a line break puts the exception below. */
  readonly fetchErrorTail: (exception: string) => string;
  /** Between the elapsed times and the request timeout. */
  readonly throttleTime: string;
  /** What follows the rack in a node's text. */
  readonly nodeSuffix: string;
  readonly unavailableNode: string;
  /** How a consumer reports the partitions that it was given. */
  readonly assigned: string;
  readonly coordinatorLogger: string;
  readonly coordinatorLost: (node: string) => string;
  /** Clients 4 forget the brokers that they know and start from the bootstrap list. */
  readonly rebootstraps: boolean;
}

const KAFKA_2_2: KafkaClientWording = {
  clientVersion: '2.2.0',
  generatedIdHasGroup: false,
  logsDisconnects: false,
  fetchErrorTail: (exception) => ` ${exception}.`,
  throttleTime: '',
  nodeSuffix: '',
  unavailableNode: 'Broker may not be available.',
  assigned: 'Subscribed to',
  coordinatorLogger: 'org.apache.kafka.clients.consumer.internals.AbstractCoordinator',
  coordinatorLost: (node) => `Group coordinator ${node} is unavailable or invalid, will attempt rediscovery`,
  rebootstraps: false,
};

const KAFKA_2_4: KafkaClientWording = {
  ...KAFKA_2_2,
  clientVersion: '2.4.1',
  generatedIdHasGroup: true,
  fetchErrorTail: (exception) => ` {}.\n${exception}`,
};

const KAFKA_3: KafkaClientWording = {
  ...KAFKA_2_4,
  clientVersion: '3.4.0',
  logsDisconnects: true,
  fetchErrorTail: (exception) => `\n${exception}: null`,
  assigned: 'Assigned to',
  coordinatorLogger: 'org.apache.kafka.clients.consumer.internals.ConsumerCoordinator',
  coordinatorLost: (node) => `Group coordinator ${node} is unavailable or invalid due to cause: null. isDisconnected: true. Rediscovery will be attempted.`,
};

const KAFKA_4: KafkaClientWording = {
  ...KAFKA_3,
  clientVersion: '4.2.0',
  fetchErrorTail: (exception) => `\n${exception}`,
  throttleTime: 'throttle time: 0ms, ',
  nodeSuffix: ' isFenced: false',
  unavailableNode: 'Node may not be available.',
  rebootstraps: true,
};

/** By Flink release, as the connector built for it brings the client. */
export const KAFKA_CLIENT: ByVersion<KafkaClientWording> = [
  ['1.9', KAFKA_2_2],
  ['1.11', KAFKA_2_4],
  ['1.15', { ...KAFKA_3, clientVersion: '2.8.1' }],
  ['1.16', { ...KAFKA_3, clientVersion: '3.2.3' }],
  ['1.19', KAFKA_3],
  ['2.0', { ...KAFKA_4, clientVersion: '3.9.0', rebootstraps: false, unavailableNode: KAFKA_3.unavailableNode, throttleTime: '', nodeSuffix: ' isFenced: false' }],
  ['2.1', { ...KAFKA_4, clientVersion: '4.0.0' }],
  ['2.2', KAFKA_4],
];

export const KAFKA_LOGGERS = {
  fetchSession: 'org.apache.kafka.clients.FetchSessionHandler',
  networkClient: 'org.apache.kafka.clients.NetworkClient',
  metadata: 'org.apache.kafka.clients.Metadata',
  consumer: 'org.apache.kafka.clients.consumer.KafkaConsumer',
  legacyFetcher: 'org.apache.flink.streaming.connectors.kafka.internal.KafkaFetcher',
  legacyConsumer: 'org.apache.flink.streaming.connectors.kafka.FlinkKafkaConsumerBase',
  sourceReader: 'org.apache.flink.connector.kafka.source.reader.KafkaSourceReader',
} as const;

export const DISCONNECT_EXCEPTION = 'org.apache.kafka.common.errors.DisconnectException';

/** Below a failed commit. */
export const RETRIABLE_COMMIT_TRACE =
  'org.apache.kafka.clients.consumer.RetriableCommitFailedException: Offset commit failed with a retriable exception. You should retry committing the latest consumed offsets.\n' +
  `Caused by: ${DISCONNECT_EXCEPTION}`;
