import { gauge, under } from './metric-row.js';

const memoryArea = <A extends 'heap' | 'nonHeap' | 'metaspace'>(area: A, group: string, since = '1.9') =>
  under(
    `Status.JVM.Memory.${group}.`,
    [
      { ...gauge('Used', 'long', { since }), quantity: `${area}Used` as const },
      { ...gauge('Committed', 'long', { since }), quantity: `${area}Committed` as const },
      { ...gauge('Max', 'long', { since }), quantity: `${area}Max` as const },
    ],
  );

const bufferPool = <P extends 'direct' | 'mapped'>(pool: P, group: string) =>
  under(`Status.JVM.Memory.${group}.`, [
    { ...gauge('Count', 'long'), quantity: `${pool}Count` as const },
    { ...gauge('MemoryUsed', 'long'), quantity: `${pool}Used` as const },
    { ...gauge('TotalCapacity', 'long'), quantity: `${pool}Capacity` as const },
  ]);

/** Of every Java process of the cluster. */
export const JVM_METRICS = [
  gauge('Status.JVM.CPU.Load', 'double'),
  gauge('Status.JVM.CPU.Time', 'long'),
  gauge('Status.JVM.ClassLoader.ClassesLoaded', 'long'),
  gauge('Status.JVM.ClassLoader.ClassesUnloaded', 'long'),
  gauge('Status.JVM.Threads.Count', 'long'),
  ...memoryArea('heap', 'Heap'),
  ...memoryArea('nonHeap', 'NonHeap'),
  // FLIP-102
  ...memoryArea('metaspace', 'Metaspace', '1.12'),
  ...bufferPool('direct', 'Direct'),
  ...bufferPool('mapped', 'Mapped'),
  // FLINK-37709
  gauge('Status.JVM.FileDescriptor.Max', 'long', { since: '2.1' }),
  gauge('Status.JVM.FileDescriptor.Open', 'long', { since: '2.1' }),
];

/** Of each garbage collector (and of `All` together, where the version has that), below `Status.JVM.GarbageCollector.<collector>.`. */
export const GARBAGE_COLLECTOR_METRICS = [
  gauge('Count', 'long'),
  gauge('Time', 'long'),
  // FLINK-33318
  { ...gauge('TimeMsPerSecond', 'double', { since: '1.19' }), kind: 'meter' as const },
];

export const JOB_MANAGER_METRICS = [gauge('numRegisteredTaskManagers', 'long'), gauge('numRunningJobs', 'long'), gauge('taskSlotsAvailable', 'long'), gauge('taskSlotsTotal', 'long')];

const SEGMENTS = [gauge('AvailableMemorySegments', 'long'), gauge('TotalMemorySegments', 'long')];

export const TASK_MANAGER_METRICS = [
  ...under('Status.Network.', SEGMENTS, { until: '2.0' }),
  ...under('Status.Shuffle.Netty.', [
    ...SEGMENTS,
    // FLINK-14422
    gauge('UsedMemorySegments', 'long', { since: '1.12' }),
    gauge('AvailableMemory', 'long', { since: '1.12' }),
    gauge('TotalMemory', 'long', { since: '1.12' }),
    gauge('UsedMemory', 'long', { since: '1.12' }),
    // FLINK-25590
    gauge('RequestedMemoryUsage', 'long', { since: '1.15' }),
  ]),
  // FLINK-14406
  ...under('Status.Flink.Memory.Managed.', [
    { ...gauge('Total', 'long', { since: '1.12' }), quantity: 'managedTotal' as const },
    { ...gauge('Used', 'long', { since: '1.12' }), quantity: 'managedUsed' as const },
  ]),
];
