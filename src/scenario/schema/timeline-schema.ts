import { z } from 'zod';
import { count, durationMs, durationUs, instant, name, parallelism, positiveDurationMs, ratePerSecond, sizeBytes } from './scalars.js';
import { skewSchema } from './job-schema.js';

const job = name.optional().meta({ description: 'Name or id of the job; may be left out where there is one' });
const target = { job, operator: name.meta({ description: 'Name or id of an operator or vertex' }) };

const taskManager = z.union([name, z.int().min(0)]).transform(String).meta({ description: 'Resource id, or position counted from 0' });
const checkpoint = z.int().min(1).nullable().default(null).meta({ description: 'Its number; the next one when left out' });

const labels = z.record(z.string().min(1).max(500), z.string().max(500)).optional().meta({ description: 'What failure enrichers say of it (from 1.18 on)' });

/** Every action by its readable name. */
export const ACTIONS = {
  setTopicRate: z.strictObject({ topic: name, rate: ratePerSecond, ramp: durationMs.prefault(0) }),
  setSourceRate: z.strictObject({ ...target, rate: ratePerSecond, ramp: durationMs.prefault(0) }),
  setServiceTime: z.strictObject({ ...target, serviceTime: durationUs }),
  setSelectivity: z.strictObject({ ...target, selectivity: z.number().min(0).max(100_000) }),
  setRecordSize: z.strictObject({ ...target, recordSize: sizeBytes }),
  setSinkCapacity: z.strictObject({ ...target, capacity: ratePerSecond.nullable() }),
  setSkew: z.strictObject({ ...target, skew: skewSchema.nullable() }),
  setKafkaFlakiness: z.strictObject({ meanTimeBetweenDisconnects: durationMs.meta({ description: 'Of one consumer; 0 = healthy' }) }),
  setKafkaBroker: z.strictObject({ state: z.enum(['up', 'stalled', 'down']) }),
  setCheckpointStorage: z.strictObject({ bytesPerSecond: sizeBytes.nullable().default(null), latency: durationMs.prefault(0), failing: z.boolean().default(false) }),
  failSubtask: z.strictObject({ ...target, subtask: count.default(0), exception: name.default('java.lang.RuntimeException'), message: z.string().default('synthetic failure'), labels }),
  failJob: z.strictObject({ job, exception: name.default('org.apache.flink.util.FlinkException'), message: z.string().default('synthetic failure'), labels }).meta({ description: 'A global failure: it belongs to no task' }),
  killTaskManager: z.strictObject({ taskManager }),
  addTaskManagers: z.strictObject({ count: z.int().min(1).max(5_000) }),
  pauseTaskManager: z.strictObject({ taskManager, for: positiveDurationMs }).meta({ description: 'The process is stopped (as by SIGSTOP) for a while' }),
  partitionTaskManager: z.strictObject({ taskManager, for: positiveDurationMs }).meta({ description: 'It is cut off from everybody for a while' }),
  collectGarbage: z.strictObject({ taskManager, for: positiveDurationMs }).meta({ description: 'A full collection stops its threads' }),
  disconnectTaskManagers: z.strictObject({ first: taskManager, second: taskManager, for: positiveDurationMs }).meta({ description: 'The network between two task managers is gone' }),
  outOfMemory: z.strictObject({ taskManager, memory: z.enum(['heap', 'metaspace']).default('heap') }),
  setFailure: z.strictObject({ ...target, afterRecords: count.nullable().meta({ description: 'null = it no longer fails' }), exception: name.default('java.lang.RuntimeException'), message: z.string().default('synthetic failure') }),
  burst: z.strictObject({ topic: name, rate: ratePerSecond, for: positiveDurationMs }),
  declineCheckpoint: z.strictObject({ job, checkpoint }),
  failCheckpoint: z.strictObject({ job, checkpoint }),
  delayCheckpoint: z.strictObject({ job, checkpoint, by: positiveDurationMs }),
  expireCheckpoints: z.strictObject({ job }),
  jumpClock: z.strictObject({ by: positiveDurationMs }),
  crashJobManager: z.strictObject({ restartAfter: durationMs.prefault('10 s') }),
  failOverJobManager: z.strictObject({}),
  revokeLeadership: z.strictObject({ for: durationMs.prefault('5 s') }).meta({ description: 'Its process stays, but nobody leads for a while: jobs are SUSPENDED, then recovered' }),
  submitJob: z.record(z.string(), z.unknown()).meta({ description: 'A job as under `jobs:`, or `{template: {entryClass, arguments}}`' }),
  cancelJob: z.strictObject({ job }),
  triggerSavepoint: z.strictObject({ job, cancelJob: z.boolean().default(false) }),
  rescaleJob: z.strictObject({ job, parallelism }),
} as const;

export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

/** `{at: 08:00, setTopicRate: {…}}`: an instant and exactly one action (which one is checked after parsing). */
export const timelineEventSchema = z
  .strictObject({ at: instant, ...(Object.fromEntries(ACTION_NAMES.map((action) => [action, ACTIONS[action].optional()])) as { [K in ActionName]: z.ZodOptional<(typeof ACTIONS)[K]> }) })
  .meta({ description: 'What changes at an instant: `at` and exactly one action' });

export type TimelineInput = z.output<typeof timelineEventSchema>;
