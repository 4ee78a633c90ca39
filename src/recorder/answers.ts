import { z } from 'zod';
import type { Answer, RestClient } from './rest-client.js';
import { RecorderError } from './recorder-error.js';

/** What the recorder reads of Flink's answers, in all versions from 1.9 on; fields that only some have are optional. */

const size = z.number().optional();

export const configAnswer = z.looseObject({ 'flink-version': z.string(), 'timezone-name': z.string().optional(), 'timezone-offset': z.number().optional() });

export const optionsAnswer = z.array(z.looseObject({ key: z.string(), value: z.string() }));

export const jobsAnswer = z.looseObject({ jobs: z.array(z.looseObject({ jid: z.string(), name: z.string(), state: z.string(), 'start-time': z.number() })) });

export const taskManagersAnswer = z.looseObject({
  taskmanagers: z.array(
    z.looseObject({
      id: z.string(),
      path: z.string(),
      dataPort: z.number(),
      slotsNumber: z.number(),
      hardware: z.looseObject({ cpuCores: z.number(), physicalMemory: z.number(), freeMemory: z.number(), managedMemory: z.number() }),
      totalResource: z.looseObject({ cpuCores: z.number().optional(), networkMemory: size }).optional(),
      memoryConfiguration: z
        .looseObject({ frameworkHeap: size, taskHeap: size, frameworkOffHeap: size, taskOffHeap: size, networkMemory: size, managedMemory: size, jvmMetaspace: size.nullable(), jvmOverhead: size.nullable() })
        .optional(),
    }),
  ),
});

export const taskManagerAnswer = z.looseObject({ metrics: z.looseObject({ memorySegmentsTotal: size, nettyShuffleMemorySegmentsTotal: size }).optional() });

export const jobAnswer = z.looseObject({
  jid: z.string(),
  name: z.string(),
  state: z.string(),
  now: z.number().optional(),
  'job-type': z.string().optional(),
  'start-time': z.number(),
  maxParallelism: z.number().optional(),
  vertices: z.array(z.looseObject({ id: z.string(), name: z.string(), parallelism: z.number(), maxParallelism: z.number().optional(), slotSharingGroupId: z.string().optional(), status: z.string() })),
});

export const planAnswer = z.looseObject({
  plan: z.looseObject({
    type: z.string().optional(),
    nodes: z.array(
      z.looseObject({
        id: z.string(),
        parallelism: z.number(),
        description: z.string().default(''),
        inputs: z.array(z.looseObject({ id: z.string(), ship_strategy: z.string().optional(), exchange: z.string().optional() })).default([]),
      }),
    ),
  }),
});

export const jobConfigAnswer = z.looseObject({
  'execution-config': z
    .looseObject({ 'restart-strategy': z.string().default(''), 'job-parallelism': z.number().default(1), 'object-reuse-mode': z.boolean().default(false), 'user-config': z.record(z.string(), z.string()).default({}) })
    .optional(),
});

export const checkpointConfigAnswer = z.looseObject({
  mode: z.string(),
  interval: z.number(),
  timeout: z.number(),
  min_pause: z.number(),
  max_concurrent: z.number(),
  externalization: z.looseObject({ enabled: z.boolean(), delete_on_cancellation: z.boolean() }).optional(),
  state_backend: z.string().optional(),
  unaligned_checkpoints: z.boolean().default(false),
  aligned_checkpoint_timeout: z.number().default(0),
  tolerable_failed_checkpoints: z.number().default(0),
  checkpoints_after_tasks_finish: z.boolean().default(true),
});

const checkpointSize = { state_size: z.number(), checkpointed_size: z.number().optional() };

export const checkpointsAnswer = z.looseObject({
  counts: z.looseObject({ completed: z.number(), failed: z.number() }).optional(),
  history: z.array(z.looseObject({ id: z.number(), status: z.string(), is_savepoint: z.boolean().optional(), trigger_timestamp: z.number(), end_to_end_duration: z.number(), ...checkpointSize })).default([]),
});

export const checkpointDetailsAnswer = z.looseObject({ tasks: z.record(z.string(), z.looseObject({ ...checkpointSize })).default({}) });

export const vertexAnswer = z.looseObject({
  subtasks: z.array(z.looseObject({ subtask: z.number(), host: z.string().optional(), endpoint: z.string().optional(), 'taskmanager-id': z.string().optional() })),
});

export const metricNamesAnswer = z.array(z.looseObject({ id: z.string() }));
export const metricValuesAnswer = z.array(z.looseObject({ id: z.string(), value: z.string() }));

export const backPressureAnswer = z.looseObject({
  status: z.string(),
  subtasks: z.array(z.looseObject({ subtask: z.number(), ratio: z.union([z.number(), z.string()]).optional(), busyRatio: z.union([z.number(), z.string()]).optional(), idleRatio: z.union([z.number(), z.string()]).optional() })).default([]),
});

/** The answer of a form; null when it is none (another status, or something else than was asked for). */
export function tryRead<T extends z.ZodType>(answer: Answer, form: T): z.output<T> | null {
  if (answer.status !== 200) return null;
  try {
    return form.safeParse(JSON.parse(answer.body)).data ?? null;
  } catch {
    return null;
  }
}

/** Asks for something that every Flink has. */
export async function ask<T extends z.ZodType>(client: RestClient, path: string, form: T): Promise<z.output<T>> {
  const answer = await client.get(path);
  const read = tryRead(answer, form);
  if (read !== null) return read;
  if (answer.status === 401 || answer.status === 403) throw new RecorderError(`${path} was refused with ${answer.status}; give credentials with --token or --header`);
  throw new RecorderError(`${path} was answered with ${answer.status} and not as a Flink job manager does; is this the address of Flink's REST API?`);
}
