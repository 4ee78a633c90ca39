import type { ClusterModel, TaskManagerModel } from '../simulation/model/simulation-model.js';
import type { Path } from './scenario-error.js';
import type { ScenarioInput } from './schema/scenario-schema.js';

type ClusterInput = ScenarioInput['cluster'];
type MemoryInput = Extract<ClusterInput['taskManagers'], { count: number }>['memory'];

function buildMemory(memory: MemoryInput): TaskManagerModel['memory'] {
  return {
    frameworkHeapBytes: memory.frameworkHeap,
    taskHeapBytes: memory.taskHeap,
    frameworkOffHeapBytes: memory.frameworkOffHeap,
    taskOffHeapBytes: memory.taskOffHeap,
    networkBytes: memory.network,
    managedBytes: memory.managed,
    jvmMetaspaceBytes: memory.jvmMetaspace,
    jvmOverheadBytes: memory.jvmOverhead,
  };
}

/** Ports as the operating system would hand them out: from the ephemeral range, no two alike. */
const FIRST_RPC_PORT = 34_000;
const FIRST_DATA_PORT = 40_000;

export function buildCluster(input: ClusterInput, report: (path: Path, message: string) => void): ClusterModel {
  const given = input.taskManagers;
  const list = Array.isArray(given) ? given : Array.from({ length: given.count }, () => ({ ...given, id: null, rpcPort: null, dataPort: null }));
  const ids = new Map<string, number>();
  const ports = new Map<string, number>();
  const taskManagers = list.map((one, index): TaskManagerModel => {
    const path: Path = ['cluster', 'taskManagers', index];
    const rpcPort = one.rpcPort ?? FIRST_RPC_PORT + ((index * 37) % 5_000);
    const dataPort = one.dataPort ?? FIRST_DATA_PORT + ((index * 53) % 20_000);
    if (one.id !== null) {
      if (ids.has(one.id)) report([...path, 'id'], `found ${JSON.stringify(one.id)} a second time (it is that of taskManagers[${ids.get(one.id)}]); give each task manager its own`);
      else ids.set(one.id, index);
    }
    if (one.dataPort !== null) {
      const address = `${one.host}:${dataPort}`;
      if (ports.has(address)) report([...path, 'dataPort'], `found ${address} a second time (it is that of taskManagers[${ports.get(address)}]); give each task manager on a host its own port`);
      else ports.set(address, index);
    }
    return { id: one.id, host: one.host, rpcPort, dataPort, slots: one.slots, cpuCores: one.cpuCores, physicalMemoryBytes: one.physicalMemory, memory: buildMemory(one.memory) };
  });
  const { host, rpcPort, heap } = input.jobManager;
  return { ...(input.cpuContention ? { cpuContention: true } : {}), ...(input.deployment === 'application' ? { application: { entryClass: input.entryClass } } : {}), ...(input.logFiles ? { logFiles: { maxBytes: input.logFiles.maxSize, files: input.logFiles.keep } } : {}), jobManager: { host, rpcPort, restPort: 8081, heapMaxBytes: heap }, taskManagers };
}
