import type { TaskManagerState } from '../../simulation/state/cluster-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { memoryOptionBytes } from '../../versions/flink-options.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { metricStoreOf } from '../metrics/metric-store.js';
import { isTerminal } from '../views/task-states.js';
import { resourceProfile } from '../views/resource-profile.js';
import { findTaskManager, knownTaskManagers, unknownTaskExecutor } from '../views/known-task-managers.js';

function memoryConfiguration({ memory }: TaskManagerState) {
  const { frameworkHeapBytes, taskHeapBytes, frameworkOffHeapBytes, taskOffHeapBytes, networkBytes, managedBytes, jvmMetaspaceBytes, jvmOverheadBytes } = memory;
  const totalFlinkMemory = frameworkHeapBytes + taskHeapBytes + frameworkOffHeapBytes + taskOffHeapBytes + networkBytes + managedBytes;
  return {
    frameworkHeap: frameworkHeapBytes,
    taskHeap: taskHeapBytes,
    frameworkOffHeap: frameworkOffHeapBytes,
    taskOffHeap: taskOffHeapBytes,
    networkMemory: networkBytes,
    managedMemory: managedBytes,
    jvmMetaspace: jvmMetaspaceBytes,
    jvmOverhead: jvmOverheadBytes,
    totalFlinkMemory,
    totalProcessMemory: totalFlinkMemory + jvmMetaspaceBytes + jvmOverheadBytes,
  };
}

/** Tasks that are somewhere between deployment and their end, by task manager and slot index. */
type AssignedTasks = ReadonlyMap<string, ReadonlyMap<number, number>>;

function assignedTasks(state: SimulationState): AssignedTasks {
  const assigned = new Map<string, Map<number, number>>();
  for (const job of state.jobs.values()) {
    for (const vertex of job.vertices) {
      for (const { current } of vertex.subtasks) {
        if (current.taskManagerId === null || isTerminal(current.state)) continue;
        let counts = assigned.get(current.taskManagerId);
        if (!counts) assigned.set(current.taskManagerId, (counts = new Map()));
        counts.set(current.slotIndex, (counts.get(current.slotIndex) ?? 0) + 1);
      }
    }
  }
  return assigned;
}

function taskManagerInfo(taskManager: TaskManagerState, assigned: AssignedTasks, { state, features }: EndpointContext) {
  const { slots, host, rpcPort } = taskManager;
  const [before, after] = features.taskManagerRpcPath;
  const freeSlots = slots.filter((slot) => slot.jobId === null).length;
  const tasks = [...(assigned.get(taskManager.id)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  return {
    id: taskManager.id,
    path: `${before}${host}:${rpcPort}${after}`,
    dataPort: taskManager.dataPort,
    jmxPort: taskManager.jmxPort,
    // 0 until the first heartbeat after the registration
    timeSinceLastHeartbeat: taskManager.lastHeartbeatMs > taskManager.registeredMs ? Math.floor(taskManager.lastHeartbeatMs) : 0,
    slotsNumber: slots.length,
    freeSlots,
    assignedTasks: tasks,
    totalResource: resourceProfile(state, taskManager, 1),
    freeResource: resourceProfile(state, taskManager, slots.length === 0 ? 0 : freeSlots / slots.length),
    hardware: {
      cpuCores: taskManager.cpuCores,
      physicalMemory: taskManager.physicalMemoryBytes,
      freeMemory: taskManager.jvm.heapMaxBytes,
      managedMemory: taskManager.memory.managedBytes,
    },
    memoryConfiguration: memoryConfiguration(taskManager),
    blocked: false,
  };
}

function allocatedSlots(taskManager: TaskManagerState, assigned: AssignedTasks, { state, features }: EndpointContext) {
  if (!features.tellsAllocatedSlots) return [];
  const tasks = assigned.get(taskManager.id);
  const resource = resourceProfile(state, taskManager, 1 / taskManager.slots.length);
  return taskManager.slots.filter((slot) => slot.jobId !== null).map((slot) => ({ jobId: slot.jobId, resource, assignedTasks: tasks?.get(slot.index) ?? 0 }));
}

const NO_METRICS = {
  heapUsed: 0, heapCommitted: 0, heapMax: 0, nonHeapUsed: 0, nonHeapCommitted: 0, nonHeapMax: 0,
  directCount: 0, directUsed: 0, directMax: 0, mappedCount: 0, mappedUsed: 0, mappedMax: 0,
  memorySegmentsAvailable: 0, memorySegmentsTotal: 0,
  nettyShuffleMemorySegmentsAvailable: 0, nettyShuffleMemorySegmentsUsed: 0, nettyShuffleMemorySegmentsTotal: 0,
  nettyShuffleMemoryAvailable: 0, nettyShuffleMemoryUsed: 0, nettyShuffleMemoryTotal: 0,
  garbageCollectors: [],
};

/** What the metric fetcher last brought home of the process; zeros before it did. */
function metrics(taskManager: TaskManagerState, context: EndpointContext) {
  const store = metricStoreOf(context).taskManager(taskManager.id);
  if (!store) return NO_METRICS;
  const value = (name: string) => Math.trunc(Number(store.get(name) ?? 0));
  const jvm = (name: string) => value(`Status.JVM.Memory.${name}`);
  const segmentBytes = memoryOptionBytes(context.state.options, 'taskmanager.memory.segment-size');
  const [available, total] = [value('Status.Shuffle.Netty.AvailableMemorySegments'), value('Status.Shuffle.Netty.TotalMemorySegments')];
  return {
    heapUsed: jvm('Heap.Used'),
    heapCommitted: jvm('Heap.Committed'),
    heapMax: jvm('Heap.Max'),
    nonHeapUsed: jvm('NonHeap.Used'),
    nonHeapCommitted: jvm('NonHeap.Committed'),
    nonHeapMax: jvm('NonHeap.Max'),
    directCount: jvm('Direct.Count'),
    directUsed: jvm('Direct.MemoryUsed'),
    directMax: jvm('Direct.TotalCapacity'),
    mappedCount: jvm('Mapped.Count'),
    mappedUsed: jvm('Mapped.MemoryUsed'),
    mappedMax: jvm('Mapped.TotalCapacity'),
    memorySegmentsAvailable: available,
    memorySegmentsTotal: total,
    nettyShuffleMemorySegmentsAvailable: available,
    nettyShuffleMemorySegmentsUsed: total - available,
    nettyShuffleMemorySegmentsTotal: total,
    nettyShuffleMemoryAvailable: available * segmentBytes,
    nettyShuffleMemoryUsed: (total - available) * segmentBytes,
    nettyShuffleMemoryTotal: total * segmentBytes,
    garbageCollectors: taskManager.jvm.collectors.map(({ name }) => ({
      name,
      count: value(`Status.JVM.GarbageCollector.${name}.Count`),
      time: value(`Status.JVM.GarbageCollector.${name}.Time`),
    })),
  };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers',
    handle(_request, context) {
      const assigned = assignedTasks(context.state);
      return { taskmanagers: knownTaskManagers(context.state).map((taskManager) => taskManagerInfo(taskManager, assigned, context)) };
    },
  }),
  defineEndpoint({
    method: 'GET',
    url: '/taskmanagers/:taskmanagerid',
    handle: (request, context) => {
      const id = request.params['taskmanagerid']!;
      const taskManager = findTaskManager(context.state, id);
      if (!taskManager) throw unknownTaskExecutor(id, context.features.logsAreStaticFiles ? 'requestTaskManagerInfo' : 'requestTaskManagerDetailsInfo');
      const assigned = assignedTasks(context.state);
      return { ...taskManagerInfo(taskManager, assigned, context), allocatedSlots: allocatedSlots(taskManager, assigned, context), metrics: metrics(taskManager, context) };
    },
  }),
];
