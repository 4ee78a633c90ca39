import { z } from 'zod';
import { name, port, sizeBytes } from './scalars.js';

const memory = z
  .strictObject({
    frameworkHeap: sizeBytes.prefault('128 MiB'),
    taskHeap: sizeBytes.prefault('384 MiB'),
    frameworkOffHeap: sizeBytes.prefault('128 MiB'),
    taskOffHeap: sizeBytes.prefault(0),
    network: sizeBytes.prefault('128 MiB'),
    managed: sizeBytes.prefault('512 MiB'),
    jvmMetaspace: sizeBytes.prefault('256 MiB'),
    jvmOverhead: sizeBytes.prefault('192 MiB'),
  })
  .meta({ description: "A task manager's memory by Flink's components" });

const taskManagerFields = {
  host: name.default('localhost'),
  slots: z.int().min(1).max(1_000).default(4),
  cpuCores: z.number().min(0.1).max(10_000).default(4),
  physicalMemory: sizeBytes.prefault('16 GiB'),
  memory: memory.prefault({}),
};

const jobManager = z.strictObject({
  host: name.default('localhost'),
  rpcPort: port.default(6123),
  heap: sizeBytes.prefault('1 GiB'),
});

const taskManager = z.strictObject({
  id: name.nullable().default(null).meta({ description: 'Resource id; made as the Flink version makes it when left out' }),
  rpcPort: port.nullable().default(null),
  dataPort: port.nullable().default(null),
  ...taskManagerFields,
});

const manyTaskManagers = z.strictObject({ count: z.int().min(0).max(5_000), ...taskManagerFields });

/** A list of task managers, or so many alike. */
export const clusterSchema = z
  .strictObject({
    jobManager: jobManager.prefault({}),
    taskManagers: z
      .union([z.array(taskManager).max(5_000), manyTaskManagers], { error: () => 'a list of task managers (`- {host: h, slots: 4}`), or `{count: 2, slots: 4}`' })
      .prefault({ count: 1 }),
    deployment: z.enum(['session', 'application']).default('session').meta({ description: 'application: the cluster is there for its one job and ends with it' }),
    entryClass: name.default('Main').meta({ description: "Of the program, in application mode" }),
    logFiles: z.strictObject({ maxSize: sizeBytes.prefault('100 MB'), keep: z.int().min(1).max(100).default(10) }).optional().meta({ description: 'When log files roll (from 1.13 on), and how many full ones are kept' }),
    cpuContention: z.boolean().default(false).meta({ description: 'Busy subtasks of a task manager slow each other down when they are more than its cpuCores' }),
    allowTooFewSlots: z.boolean().default(false).meta({ description: 'Let jobs wait for slots instead of refusing the scenario' }),
  })
  .meta({ description: 'Job manager and task managers' });
