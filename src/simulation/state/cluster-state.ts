import type { TaskManagerMemoryModel } from '../model/simulation-model.js';
import type { LogState } from './log-state.js';

/** What a client meets at the REST address. */
export type JobManagerAvailability =
  | 'LEADING'
  /** No process: nobody listens. */
  | 'DOWN'
  /** With high availability: a job manager that stands by answers, the leader that it asks is gone. */
  | 'LEADER_LOST'
  /** A process is there, but it knows no leader (yet). */
  | 'ELECTING'
  /** The dispatcher leads, the resource manager does not yet. */
  | 'NO_RESOURCE_MANAGER';

export interface JobManagerState {
  availability: JobManagerAvailability;
  /** Job managers that have led before this one. */
  predecessors: number;
  host: string;
  rpcPort: number;
  restPort: number;
  startMs: number;
  jvm: JvmState;
  log: LogState;
  stdout: LogState;
}

export type TaskManagerStatus =
  /** Process starts; not known to the job manager yet. */
  | 'STARTING'
  | 'REGISTERED'
  /** The process is gone, the job manager does not know it yet: still listed until the heartbeat times out. */
  | 'LOST';

export interface TaskManagerState {
  /** Resource id as the version forms it. */
  id: string;
  host: string;
  rpcPort: number;
  dataPort: number;
  jmxPort: number;
  status: TaskManagerStatus;
  /** Epoch ms. */
  startMs: number;
  registeredMs: number;
  lastHeartbeatMs: number;
  /** Epoch ms until which it neither works nor answers; absent = it does. */
  silentUntilMs?: number;
  cpuCores: number;
  physicalMemoryBytes: number;
  memory: TaskManagerMemoryModel;
  slots: TaskSlotState[];
  /** NetworkBufferPool: segments of 32 KiB. */
  totalMemorySegments: number;
  /** Taken by the buffers in flight of the tasks here; written each tick. */
  usedMemorySegments: number;
  jvm: JvmState;
  log: LogState;
  stdout: LogState;
}

export interface TaskSlotState {
  index: number;
  /** null = free. */
  jobId: string | null;
  /** Slot sharing group of what runs in it. */
  slotSharingGroup: string | null;
  allocationId: string | null;
}

/** A Java process as Status.JVM.* shows it. Written by src/simulation/jvm. */
export interface JvmState {
  heapUsedBytes: number;
  heapCommittedBytes: number;
  heapMaxBytes: number;
  nonHeapUsedBytes: number;
  nonHeapCommittedBytes: number;
  nonHeapMaxBytes: number;
  metaspaceUsedBytes: number;
  metaspaceCommittedBytes: number;
  metaspaceMaxBytes: number;
  directCount: number;
  directUsedBytes: number;
  mappedCount: number;
  mappedUsedBytes: number;
  threads: number;
  classesLoaded: number;
  classesUnloaded: number;
  cpuLoad: number;
  cpuTimeNs: number;
  collectors: { name: string; count: number; timeMs: number }[];
  /** Bytes allocated since the last collection of the young generation. */
  allocatedSinceGcBytes: number;
  readonly kind: 'jobmanager' | 'taskmanager';
  /** Epoch ms up to which all of this is. */
  atMs: number;
  /** Garbage that survived into the old generation, bytes. */
  oldGarbageBytes: number;
  /** Sums over the process's tasks at atMs: records in and out, bytes in and out, ms of processors. */
  seenRecords: number;
  seenBytes: number;
  seenCpuMs: number;
  /** Jobs whose classes were loaded. */
  jobsSeen: number;
  /** Readings every 5 s of each collector's timeMs, oldest first, at most 13 (a minute); absent before the first. Written by readJvmMeters. */
  gcTimeReadings?: number[][];
}

export const APPLICATION_STATES = ['CREATED', 'RUNNING', 'FAILING', 'FAILED', 'CANCELING', 'CANCELED', 'FINISHED'] as const;
export type ApplicationStateName = (typeof APPLICATION_STATES)[number];

/** What runs in a cluster in application mode. */
export interface ApplicationState {
  /** 32 hex digits. */
  readonly id: string;
  /** Entry class. */
  readonly name: string;
  status: ApplicationStateName;
  /** Epoch ms at which each state was entered, 0 = never. */
  timestamps: Record<ApplicationStateName, number>;
}
