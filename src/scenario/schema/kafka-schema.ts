import { z } from 'zod';
import { count, durationMs, instant, name, port, ratePerSecond, sizeBytes } from './scalars.js';

/** An offered load: a rate, or steps. */
export const topicRate = z.union(
  [ratePerSecond, z.array(z.strictObject({ at: instant, rate: ratePerSecond, ramp: durationMs.prefault(0) })).min(1)],
  { error: () => 'a rate such as `50/s`, or a list of steps `- {at: 08:00, rate: 120/s, ramp: 5 min}`' },
);

const topic = z.strictObject({
  name,
  partitions: z.int().min(1).max(10_000).default(1),
  rate: topicRate.prefault(0),
  startOffset: count.default(0),
  backlog: count.default(0).meta({ description: 'Records in each partition when the simulation begins' }),
  shares: z.array(z.number().min(0)).min(1).nullable().default(null).meta({ description: 'Shares of the partitions; equal when left out' }),
  recordSize: sizeBytes.prefault('1 KiB'),
});

export const kafkaSchema = z
  .strictObject({
    brokers: z
      .array(z.strictObject({ id: count, host: name, port: port.default(9092) }))
      .min(1)
      .default([{ id: 1, host: 'localhost', port: 9092 }]),
    topics: z.array(topic).default([]),
  })
  .meta({ description: 'Brokers and topics' });
