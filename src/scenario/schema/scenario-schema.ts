import { z } from 'zod';
import { clusterSchema } from './cluster-schema.js';
import { jobSchema, templateUseSchema } from './job-schema.js';
import { kafkaSchema } from './kafka-schema.js';
import { httpFaultSchema } from './http-fault-schema.js';
import { durationMs, flinkVersion, instant, isoInstant, name, options } from './scalars.js';
import { timelineEventSchema } from './timeline-schema.js';

const parameterSchema = z.strictObject({
  type: z.enum(['text', 'integer', 'number', 'integers', 'numbers']).default('text'),
  default: z
    .union([z.string(), z.number()])
    .nullable()
    .default(null)
    .meta({ description: 'Value when the argument is not given; null = not set' }),
});

/** The job below is checked after its placeholders are filled in. */
const jarSchema = z
  .strictObject({
    entryClass: name,
    description: z.string().default(''),
    parameters: z.record(z.string().regex(/^-{0,2}[A-Za-z][\w.-]*$/, 'the name of a program argument, such as `--rate`'), parameterSchema).default({}),
    job: z.record(z.string(), z.unknown()).meta({ description: 'A job as under `jobs:`, with placeholders `${…}` over the parameters' }),
  })
  .meta({ description: 'What a jar run of an entry class starts' });

const jobEntry = z.union([z.strictObject({ at: instant.prefault(0), template: templateUseSchema }), jobSchema.extend({ at: instant.prefault(0) })], {
  error: () => 'a job (`name`, `vertices`, `edges`, …), or `{template: {entryClass: …, arguments: […]}}`',
});

export const scenarioSchema = z
  .strictObject({
    title: name.default(''),
    description: z.string().default('').meta({ description: 'A paragraph: what happens, and what to look at' }),
    flink: flinkVersion.prefault('1.20'),
    seed: z.int().min(0).max(4_294_967_295).default(1),
    start: isoInstant.prefault('2024-01-01T00:00:00Z'),
    timeZone: name.optional().meta({ description: "Name of the cluster's time zone; its offset is that of `start`" }),
    openAt: instant.prefault(0).meta({ description: 'What lies before is simulated at start-up' }),
    tick: durationMs.prefault('100 ms'),
    options: options.default({}),
    optionsFor: z
      .array(z.strictObject({ flink: z.string().regex(/^(<|>=)\s*\d+\.\d+$/, 'a range of versions: `< 1.10` or `>= 2.0`'), options }))
      .default([])
      .meta({ description: 'Options of some Flink versions only' }),
    cluster: clusterSchema.prefault({}),
    kafka: kafkaSchema.prefault({}),
    jobs: z.array(jobEntry).max(10_000).default([]),
    jars: z.array(jarSchema).default([]),
    timeline: z.array(timelineEventSchema).max(100_000).default([]),
    httpFaults: z.array(httpFaultSchema).max(1_000).default([]).meta({ description: 'Faults of the HTTP server in front of the REST API' }),
  })
  .meta({ title: 'mock-flink scenario', description: 'A simulated Flink cluster: machines, Kafka, jobs, and what changes over time' });

export type ScenarioInput = z.output<typeof scenarioSchema>;
export type JarInput = ScenarioInput['jars'][number];
