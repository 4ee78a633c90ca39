import type { Notes } from './notes.js';
import { rpcAddress, type ClusterSurvey, type TaskManagerSurvey } from './survey.js';
import { writeSize } from './written-values.js';

const DEFAULT_SEGMENT_BYTES = 32 * 1_024;
const UNITS: Readonly<Record<string, number>> = { kb: 1 << 10, k: 1 << 10, mb: 1 << 20, m: 1 << 20, b: 1, '': 1 };

function segmentBytes(survey: ClusterSurvey): number {
  const value = survey.options.find(({ key }) => key === 'taskmanager.memory.segment-size')?.value ?? '';
  const match = /^(\d+)\s*([a-z]*)$/i.exec(value.trim());
  return match ? Number(match[1]) * (UNITS[match[2]!.toLowerCase()] ?? 1) : DEFAULT_SEGMENT_BYTES;
}

/** Memory by components: told from 1.11 on; before, heap, managed memory and buffers are. */
function memoryOf(taskManager: TaskManagerSurvey, segment: number): Record<string, string | number> {
  const told = taskManager.memoryConfiguration;
  if (told) {
    const components = {
      frameworkHeap: told.frameworkHeap,
      taskHeap: told.taskHeap,
      frameworkOffHeap: told.frameworkOffHeap,
      taskOffHeap: told.taskOffHeap,
      network: told.networkMemory,
      managed: told.managedMemory,
      jvmMetaspace: told.jvmMetaspace,
      jvmOverhead: told.jvmOverhead,
    };
    return Object.fromEntries(Object.entries(components).flatMap(([name, bytes]) => (bytes === undefined || bytes === null ? [] : [[name, writeSize(bytes)]])));
  }
  const { freeMemory, managedMemory } = taskManager.hardware;
  return {
    frameworkHeap: 0,
    taskHeap: writeSize(freeMemory),
    managed: writeSize(managedMemory),
    ...(taskManager.networkSegments === null ? {} : { network: writeSize(taskManager.networkSegments * segment) }),
  };
}

function taskManagerEntry(taskManager: TaskManagerSurvey, segment: number): Record<string, unknown> {
  const rpc = rpcAddress(taskManager.path);
  return {
    id: taskManager.id,
    host: rpc?.host ?? 'localhost',
    ...(rpc ? { rpcPort: rpc.port } : {}),
    dataPort: taskManager.dataPort,
    slots: taskManager.slotsNumber,
    cpuCores: taskManager.hardware.cpuCores,
    physicalMemory: writeSize(taskManager.hardware.physicalMemory),
    memory: memoryOf(taskManager, segment),
  };
}

/** Machines as the cluster tells them. */
export function inferCluster(survey: ClusterSurvey, notes: Notes): Record<string, unknown> {
  const option = (key: string): string | undefined => survey.options.find((entry) => entry.key === key)?.value;
  const rpcPort = Number(option('jobmanager.rpc.port'));
  const segment = segmentBytes(survey);
  notes.add(['cluster'], 'Measured: hosts, ports, slots, cores and memory of each process.');
  if (survey.taskManagers.some(({ memoryConfiguration }) => !memoryConfiguration)) {
    notes.add(['cluster', 'taskManagers'], 'This version tells heap, managed memory and buffers; the other parts of the memory are assumed.');
  }
  return {
    jobManager: {
      host: option('jobmanager.rpc.address') ?? 'localhost',
      ...(Number.isInteger(rpcPort) && rpcPort > 0 ? { rpcPort } : {}),
      ...(survey.jobManagerHeapBytes !== null && survey.jobManagerHeapBytes > 0 ? { heap: writeSize(survey.jobManagerHeapBytes) } : {}),
    },
    taskManagers: survey.taskManagers.map((taskManager) => taskManagerEntry(taskManager, segment)),
    // What is not recorded may hold slots there.
    allowTooFewSlots: true,
  };
}
