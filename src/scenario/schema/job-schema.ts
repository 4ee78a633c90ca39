import { z } from 'zod';
import { count, durationMs, durationUs, hexId, name, options, parallelism, ratePerSecond, share, sizeBytes } from './scalars.js';

const hotKeys = z
  .array(z.strictObject({ key: name, share }))
  .min(1)
  .refine((keys) => keys.reduce((sum, key) => sum + key.share, 0) <= 1 + 1e-9, 'shares that add up to at most 1');

export const skewSchema = z
  .union(
    [
      z.strictObject({ hotKeys }),
      z.strictObject({ zipf: z.number().min(0).max(10), keys: z.int().min(1).max(10_000_000).default(1_000_000) }),
      z.strictObject({ shares: z.array(z.number().min(0)).min(1) }),
    ],
    { error: () => 'a skew: `{hotKeys: [{key: de, share: 0.6}]}`, `{zipf: 1.1, keys: 100000}`, or `{shares: [3, 1]}` by consumer subtask' },
  )
  .meta({ description: 'How unevenly records are spread over the consumer' });

const GENERATOR_RATE_ALLOWED = 'a rate such as `50/s`, steps `- {after: 40 s, rate: 1600/s}`, or `rate:seconds,rate:seconds,…`';

const generatorRate = z.union([ratePerSecond, z.array(z.strictObject({ after: durationMs, rate: ratePerSecond, ramp: durationMs.prefault(0) })).min(1), z.string().regex(/^\d+(\.\d+)?(:\d+(\.\d+)?)?(,\d+(\.\d+)?(:\d+(\.\d+)?)?)*$/, GENERATOR_RATE_ALLOWED)], {
  error: () => GENERATOR_RATE_ALLOWED,
});

const watermarkStrategy = {
  maxOutOfOrderness: durationMs.nullable().default(null).meta({ description: 'By how much records may be late; null = no watermarks' }),
  idleAfter: durationMs.optional().meta({ description: 'A partition or subtask without a record for so long stops holding the watermark back (1.11 and later)' }),
  alignment: z
    .strictObject({ group: name, maxDrift: durationMs, updateInterval: durationMs.prefault('1 s') })
    .optional()
    .meta({ description: 'Sources of the group whose watermark is further ahead than maxDrift wait for the others (1.15 and later)' }),
};

const kafkaSource = z.strictObject({
  topic: name,
  group: name,
  startFrom: z.enum(['earliest', 'latest', 'group-offsets']).default('group-offsets'),
  legacy: z.boolean().default(false).meta({ description: 'FlinkKafkaConsumer (a SourceFunction) instead of KafkaSource' }),
  ...watermarkStrategy,
});

const generatorSource = z.strictObject({
  rate: generatorRate,
  limit: z.int().min(1).nullable().default(null).meta({ description: 'The source ends after so many records' }),
  legacy: z.boolean().default(false),
  ...watermarkStrategy,
});

const sourceSchema = z.union([kafkaSource, generatorSource], { error: () => 'a source: `{topic: t, group: g}` (Kafka) or `{rate: 50/s}` (generator)' });

const operatorFields = {
  name,
  id: hexId.optional(),
  uid: name.optional().meta({ description: "The operator's uid; Flink makes its id from it" }),
  serviceTime: durationUs.prefault(0).meta({ description: "Mean time of the task's thread for a record" }),
  cpu: share.default(1).meta({ description: 'Part of the service time in which the thread computes; the rest it waits' }),
  selectivity: z.number().min(0).max(100_000).default(1).meta({ description: 'Records out for a record in' }),
  recordSize: sizeBytes.prefault(256).meta({ description: 'Serialized size of a record that it emits' }),
  state: z
    .strictObject({ perRecord: sizeBytes.prefault(0), max: sizeBytes.prefault('1 TiB'), initial: sizeBytes.prefault(0) })
    .nullable()
    .default(null),
  source: sourceSchema.optional(),
  sink: z.strictObject({ capacity: ratePerSecond.nullable().default(null), commit: durationMs.prefault(0) }).optional(),
  window: z.strictObject({ size: durationMs, slide: durationMs.optional() }).optional(),
  async: z.strictObject({ capacity: z.int().min(1).max(1_000_000).default(100), latency: durationMs }).optional(),
  failure: z
    .strictObject({
      afterRecords: count.meta({ description: '0 = never' }),
      exception: name.default('java.lang.RuntimeException'),
      message: z.string().default('synthetic failure'),
    })
    .optional(),
};

export const operatorSchema = z.strictObject(operatorFields).meta({ description: 'One operator of a chain; exactly one of source, sink, window, async, or none of them (a map)' });

export const vertexSchema = z
  .strictObject({
    name: name.optional().meta({ description: "Made from the operators' names when left out" }),
    id: hexId.optional(),
    parallelism: z
      .union([parallelism, z.literal('auto')], { error: () => 'a number from 1 to 32768, or `auto`: decided at run time by the adaptive batch scheduler' })
      .optional()
      .meta({ description: '`auto` (batch jobs): the adaptive batch scheduler decides, from the size of the inputs' }),
    maxParallelism: parallelism.optional(),
    slotSharingGroup: name.default('default'),
    description: z.string().nullable().default(null),
    operators: z.array(operatorSchema).min(1),
  })
  .meta({ description: 'A vertex of the job graph: operators chained into one task' });

export const edgeSchema = z.strictObject({
  from: name.meta({ description: 'Name or id of a vertex, or of an operator in it' }),
  to: name,
  ship: z.enum(['FORWARD', 'REBALANCE', 'RESCALE', 'HASH', 'BROADCAST', 'GLOBAL', 'SHUFFLE', 'CUSTOM']),
  exchange: z.enum(['pipelined_bounded', 'blocking']).optional(),
  fraction: share.default(1),
  skew: skewSchema.nullable().default(null),
});

export const checkpointingSchema = z
  .strictObject({
    interval: durationMs.meta({ description: '0 = off' }),
    timeout: durationMs.prefault('10 min'),
    minPause: durationMs.prefault(0),
    maxConcurrent: z.int().min(1).max(1_000).default(1),
    mode: z.enum(['EXACTLY_ONCE', 'AT_LEAST_ONCE']).default('EXACTLY_ONCE'),
    unaligned: z.boolean().default(false),
    alignedTimeout: durationMs.prefault(0),
    retention: z.enum(['RETAIN_ON_CANCELLATION', 'DELETE_ON_CANCELLATION', 'NO_EXTERNALIZED_CHECKPOINTS']).default('NO_EXTERNALIZED_CHECKPOINTS'),
    tolerableFailures: z.int().min(0).default(0),
    afterTasksFinish: z.boolean().default(true),
    stateBackend: z.enum(['hashmap', 'rocksdb', 'forst']).default('hashmap'),
    incremental: z.boolean().default(false),
  })
  .meta({ description: 'Checkpointing of the job; leave it out for none' });

export const restartStrategySchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('fixed-delay'), attempts: count.default(1), delay: durationMs.prefault('1 s') }),
    z.strictObject({ kind: z.literal('failure-rate'), maxFailures: z.int().min(1).default(1), interval: durationMs.prefault('1 min'), delay: durationMs.prefault('1 s') }),
    z.strictObject({
      kind: z.literal('exponential-delay'),
      initialBackoff: durationMs.prefault('1 s'),
      maxBackoff: durationMs.prefault('1 min'),
      multiplier: z.number().min(1).default(1.5),
      resetThreshold: durationMs.prefault('1 h'),
      jitter: share.default(0.1),
    }),
  ])
  .meta({ description: "Restart strategy of the job; the cluster's options decide when left out" });

export const jobSchema = z
  .strictObject({
    name,
    id: hexId.nullable().default(null),
    type: z.enum(['STREAMING', 'BATCH']).default('STREAMING'),
    parallelism: parallelism.default(1),
    maxParallelism: parallelism.nullable().default(null),
    placement: z
      .record(name, z.array(name.nullable()).max(32_768))
      .optional()
      .meta({ description: 'Ids of the task managers on which the slots are taken, by slot sharing group; in the order of the cluster when left out' }),
    vertices: z.array(vertexSchema).min(1).max(10_000),
    edges: z.array(edgeSchema).max(50_000).default([]),
    checkpointing: checkpointingSchema.nullable().default(null),
    restartStrategy: restartStrategySchema.nullable().default(null),
    userConfig: options.default({}),
    objectReuse: z.boolean().default(false),
    bufferTimeout: durationMs.prefault('100 ms'),
    options: options.default({}),
  })
  .meta({ description: 'A job: vertices with their chains of operators, and edges' });

/** A job taken from one of the scenario's jar templates. */
export const templateUseSchema = z.strictObject({ entryClass: name, arguments: z.array(z.string()).default([]), parallelism: parallelism.default(1) });

export type JobInput = z.output<typeof jobSchema>;
export type SkewInput = z.output<typeof skewSchema>;
