import type { TaskManagerState } from '../../simulation/state/cluster-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';

const MIB = 1024 * 1024;

export interface ResourceProfile {
  readonly cpuCores: number;
  readonly taskHeapMemory: number;
  readonly taskOffHeapMemory: number;
  readonly managedMemory: number;
  readonly networkMemory: number;
  readonly extendedResources: Readonly<Record<string, never>>;
}

/** Flink's ResourceProfileInfo of `share` of the task manager: whole MiB; the processor cores are those it was given, not the machine's. */
export function resourceProfile({ options }: SimulationState, { memory, slots }: TaskManagerState, share: number): ResourceProfile {
  const cores = Number(options['taskmanager.cpu.cores'] ?? slots.length);
  const mebibytes = (bytes: number) => Math.floor((bytes * share) / MIB);
  return {
    cpuCores: cores * share,
    taskHeapMemory: mebibytes(memory.taskHeapBytes),
    taskOffHeapMemory: mebibytes(memory.taskOffHeapBytes),
    managedMemory: mebibytes(memory.managedBytes),
    networkMemory: mebibytes(memory.networkBytes),
    extendedResources: {},
  };
}

/** What is not known or was not asked for. */
export const UNKNOWN_RESOURCES: ResourceProfile = { cpuCores: -1, taskHeapMemory: -1, taskOffHeapMemory: -1, managedMemory: -1, networkMemory: -1, extendedResources: {} };
