import type { JobModel } from './job-model.js';
import type { RateStep } from './job-model.js';
import type { LogRolling } from '../state/log-state.js';
import type { TimelineEvent } from './timeline-event.js';

/** The whole input of a simulation: with the same model the same run comes out, byte for byte. Plain and frozen. */
export interface SimulationModel {
  readonly name: string;
  readonly seed: number;
  /** Full Flink version, such as 1.20.5: it chooses the simulation's own version differences (src/versions). */
  readonly flinkVersion: string;
  /** Virtual instant at which the simulation begins, epoch ms. */
  readonly startMs: number;
  /** Offset of the cluster's time zone (log lines, /config), minutes east of UTC. */
  readonly timeZoneOffsetMinutes: number;
  readonly timeZoneName: string;
  /** Length of a step of the flow model, ms. */
  readonly tickMs: number;
  /** Flink options of the cluster, by Flink's own names; shown in /jobmanager/config and read by the simulation. */
  readonly options: Readonly<Record<string, string>>;
  readonly cluster: ClusterModel;
  readonly kafka: KafkaModel;
  /** Sorted by atMs. Offsets from startMs. */
  readonly jobs: readonly JobSubmissionModel[];
  /** Sorted by atMs. Offsets from startMs. */
  readonly events: readonly TimelineEvent[];
}

export interface JobSubmissionModel {
  readonly atMs: number;
  readonly job: JobModel;
}

export interface ClusterModel {
  /** The cluster is there for one program, whose main method runs in the job manager (application mode); absent = a session. */
  readonly application?: { readonly entryClass: string };
  /** When log files roll and how many are kept, where the version rolls them; absent = as Flink's own configuration says. */
  readonly logFiles?: LogRolling;
  /** Busy subtasks of a task manager share its cores; absent = each has one to itself. */
  readonly cpuContention?: boolean;
  readonly jobManager: JobManagerModel;
  readonly taskManagers: readonly TaskManagerModel[];
  /** The processes start with the simulation instead of being there already: ms until REST answers, and until each task manager is registered. */
  readonly startUp?: { readonly jobManagerMs: number; readonly taskManagersMs: readonly number[] };
}

export interface JobManagerModel {
  readonly host: string;
  readonly rpcPort: number;
  readonly restPort: number;
  readonly heapMaxBytes: number;
}

export interface TaskManagerModel {
  /** Resource id: `container_…` on YARN, `host:port-hex` from 1.13, 32 hex digits before; null = made as the version makes it. */
  readonly id: string | null;
  readonly host: string;
  readonly rpcPort: number;
  readonly dataPort: number;
  readonly slots: number;
  readonly cpuCores: number;
  readonly physicalMemoryBytes: number;
  readonly memory: TaskManagerMemoryModel;
}

/** FLIP-49 memory components, bytes. Before 1.10 only heap, managed and network mean something. */
export interface TaskManagerMemoryModel {
  readonly frameworkHeapBytes: number;
  readonly taskHeapBytes: number;
  readonly frameworkOffHeapBytes: number;
  readonly taskOffHeapBytes: number;
  readonly networkBytes: number;
  readonly managedBytes: number;
  readonly jvmMetaspaceBytes: number;
  readonly jvmOverheadBytes: number;
}

export interface KafkaModel {
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
  readonly topics: readonly KafkaTopicModel[];
}

export interface KafkaTopicModel {
  readonly name: string;
  readonly partitions: number;
  /** Offset of the first record in each partition when the simulation begins. */
  readonly startOffset: number;
  /** Records already in each partition when the simulation begins (behind startOffset). */
  readonly backlogPerPartition: number;
  /** Offered load over all partitions; steps count from the simulation's start. */
  readonly rateSteps: readonly RateStep[];
  /** Shares of the partitions, normalised; null = equal. */
  readonly partitionShares: readonly number[] | null;
  readonly recordBytes: number;
}
