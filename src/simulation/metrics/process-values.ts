import type { FlinkVersion } from '../../versions/flink-versions.js';
import { rowsIn } from '../../versions/metrics/metric-row.js';
import { GARBAGE_COLLECTOR_METRICS, JOB_MANAGER_METRICS, JVM_METRICS, TASK_MANAGER_METRICS } from '../../versions/metrics/process-metrics.js';
import type { JvmState, TaskManagerState } from '../state/cluster-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';
import { networkOptions } from '../network/network-options.js';
import { gcTimePerSecond } from './jvm-meters.js';
import { sanitize } from './metric-names.js';
import { createMetric, metricGroup, type Metric } from './metric.js';
import { memoryUseOf, type MemoryUse } from './memory-use.js';

/** Limit of open files that the processes run with. */
const MAX_FILE_DESCRIPTORS = 20_000;
/** Open files of a process that does nothing: its jars, logs and sockets; more come with its threads. */
const BASE_FILE_DESCRIPTORS = 65;

type JvmQuantity = (typeof JVM_METRICS)[number]['quantity'];

const JVM: Readonly<Record<JvmQuantity, (jvm: JvmState) => number>> = {
  'Status.JVM.CPU.Load': (jvm) => jvm.cpuLoad,
  'Status.JVM.CPU.Time': (jvm) => jvm.cpuTimeNs,
  'Status.JVM.ClassLoader.ClassesLoaded': (jvm) => jvm.classesLoaded,
  'Status.JVM.ClassLoader.ClassesUnloaded': (jvm) => jvm.classesUnloaded,
  'Status.JVM.Threads.Count': (jvm) => jvm.threads,
  heapUsed: (jvm) => jvm.heapUsedBytes,
  heapCommitted: (jvm) => jvm.heapCommittedBytes,
  heapMax: (jvm) => jvm.heapMaxBytes,
  nonHeapUsed: (jvm) => jvm.nonHeapUsedBytes,
  nonHeapCommitted: (jvm) => jvm.nonHeapCommittedBytes,
  nonHeapMax: (jvm) => jvm.nonHeapMaxBytes,
  metaspaceUsed: (jvm) => jvm.metaspaceUsedBytes,
  metaspaceCommitted: (jvm) => jvm.metaspaceCommittedBytes,
  metaspaceMax: (jvm) => jvm.metaspaceMaxBytes,
  directCount: (jvm) => jvm.directCount,
  directUsed: (jvm) => jvm.directUsedBytes,
  // The JVM rounds the memory of its own temporary buffer up, its capacity not.
  directCapacity: (jvm) => Math.max(0, jvm.directUsedBytes - 1),
  mappedCount: (jvm) => jvm.mappedCount,
  mappedUsed: (jvm) => jvm.mappedUsedBytes,
  mappedCapacity: (jvm) => jvm.mappedUsedBytes,
  'Status.JVM.FileDescriptor.Max': () => MAX_FILE_DESCRIPTORS,
  'Status.JVM.FileDescriptor.Open': (jvm) => BASE_FILE_DESCRIPTORS + Math.floor(jvm.threads / 2),
};

function jvmMetrics(version: FlinkVersion, jvm: JvmState): Metric<JvmState>[] {
  const collectorRows = rowsIn(GARBAGE_COLLECTOR_METRICS, version);
  return [
    ...rowsIn(JVM_METRICS, version).map((row) => createMetric<JvmState>(row, JVM[row.quantity])),
    ...jvm.collectors.flatMap((collector, index) => {
      const group = metricGroup('Status', 'JVM', 'GarbageCollector', sanitize(collector.name));
      const values = {
        Count: (at: JvmState) => at.collectors[index].count,
        Time: (at: JvmState) => at.collectors[index].timeMs,
        TimeMsPerSecond: (at: JvmState) => gcTimePerSecond(at, index),
      };
      return collectorRows.map((row) => createMetric<JvmState>(row, values[row.quantity], group));
    }),
  ];
}

/** The job manager process with what it knows of the cluster. */
export function jobManagerMetrics(state: SimulationState): Metric<SimulationState>[] {
  const version = versionOf(state);
  const values: Readonly<Record<(typeof JOB_MANAGER_METRICS)[number]['quantity'], (at: SimulationState) => number>> = {
    numRegisteredTaskManagers: (at) => registeredTaskManagers(at).length,
    numRunningJobs: (at) => [...at.jobs.values()].filter(isRunning).length,
    taskSlotsAvailable: (at) => registeredTaskManagers(at).reduce((sum, { slots }) => sum + slots.filter((slot) => slot.jobId === null).length, 0),
    taskSlotsTotal: (at) => registeredTaskManagers(at).reduce((sum, { slots }) => sum + slots.length, 0),
  };
  return [
    ...rowsIn(JOB_MANAGER_METRICS, version).map((row) => createMetric<SimulationState>(row, values[row.quantity])),
    ...jvmMetrics(version, state.jobManager.jvm).map((metric): Metric<SimulationState> => ({ ...metric, value: (at) => metric.value(at.jobManager.jvm) })),
  ];
}

/** Those that the job manager knows, a dead one included until its heartbeat times out. */
export function registeredTaskManagers(state: SimulationState): TaskManagerState[] {
  return [...state.taskManagers.values()].filter((taskManager) => taskManager.status !== 'STARTING');
}

function isRunning(job: JobState): boolean {
  return job.endMs < 0;
}

export interface TaskManagerView {
  readonly taskManager: TaskManagerState;
  readonly segmentBytes: number;
  readonly memory: MemoryUse;
}

/** Views of the task managers' processes; made together, as their memory use comes out of one pass over the jobs. */
export function taskManagerViews(state: SimulationState): TaskManagerView[] {
  const use = memoryUseOf(state);
  const { segmentBytes } = networkOptions(state, { options: {} });
  return registeredTaskManagers(state).map((taskManager) => ({ taskManager, segmentBytes, memory: use.get(taskManager.id) ?? { requestedSegments: 0, managedBytes: 0 } }));
}

type TaskManagerQuantity = (typeof TASK_MANAGER_METRICS)[number]['quantity'];

const availableSegments = ({ totalMemorySegments, usedMemorySegments }: TaskManagerState): number => totalMemorySegments - Math.floor(usedMemorySegments);

const TASK_MANAGER: Readonly<Record<TaskManagerQuantity, (view: TaskManagerView) => number>> = {
  AvailableMemorySegments: ({ taskManager }) => availableSegments(taskManager),
  TotalMemorySegments: ({ taskManager }) => taskManager.totalMemorySegments,
  UsedMemorySegments: ({ taskManager }) => taskManager.usedMemorySegments,
  AvailableMemory: ({ taskManager, segmentBytes }) => availableSegments(taskManager) * segmentBytes,
  TotalMemory: ({ taskManager, segmentBytes }) => taskManager.totalMemorySegments * segmentBytes,
  UsedMemory: ({ taskManager, segmentBytes }) => Math.floor(taskManager.usedMemorySegments) * segmentBytes,
  RequestedMemoryUsage: ({ taskManager, memory }) => (taskManager.totalMemorySegments > 0 ? (100 * memory.requestedSegments) / taskManager.totalMemorySegments : 0),
  managedTotal: ({ taskManager }) => taskManager.memory.managedBytes,
  managedUsed: ({ memory }) => memory.managedBytes,
};

const TASK_MANAGER_METRIC_LISTS = new Map<string, readonly Metric<TaskManagerView>[]>();

/** A task manager's process; the same list for all that have the same garbage collectors. */
export function taskManagerMetrics(version: FlinkVersion, view: TaskManagerView): readonly Metric<TaskManagerView>[] {
  const shape = JSON.stringify([version.index, view.taskManager.jvm.collectors.map(({ name }) => name)]);
  let metrics = TASK_MANAGER_METRIC_LISTS.get(shape);
  if (!metrics) TASK_MANAGER_METRIC_LISTS.set(shape, (metrics = createTaskManagerMetrics(version, view)));
  return metrics;
}

function createTaskManagerMetrics(version: FlinkVersion, view: TaskManagerView): Metric<TaskManagerView>[] {
  return [
    ...rowsIn(TASK_MANAGER_METRICS, version).map((row) => createMetric<TaskManagerView>(row, TASK_MANAGER[row.quantity])),
    ...jvmMetrics(version, view.taskManager.jvm).map((metric): Metric<TaskManagerView> => ({ ...metric, value: (at) => metric.value(at.taskManager.jvm) })),
  ];
}
