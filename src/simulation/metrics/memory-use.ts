import { networkOptions } from '../network/network-options.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** What the tasks on a task manager ask of its memory. */
export interface MemoryUse {
  /** Buffers that their pools may take together (NetworkBufferPool#getEstimatedNumberOfRequestedMemorySegments). */
  requestedSegments: number;
  /** Managed memory that state backends hold. */
  managedBytes: number;
}

/** By resource id. */
export function memoryUseOf(state: SimulationState): Map<string, MemoryUse> {
  const uses = new Map<string, MemoryUse>();
  for (const id of state.taskManagers.keys()) uses.set(id, { requestedSegments: 0, managedBytes: 0 });
  for (const job of state.jobs.values()) if (job.endMs < 0) addJob(state, job, uses);
  return uses;
}

function addJob(state: SimulationState, job: JobState, uses: ReadonlyMap<string, MemoryUse>): void {
  const segments = segmentsBySubtask(state, job);
  const nativeState = job.checkpoints !== null && job.checkpoints.config.stateBackend !== 'hashmap';
  const slotsWithState = new Set<string>();
  job.vertices.forEach((vertex, v) => {
    const hasState = nativeState && vertex.model.operators.some((operator) => operator.state !== null);
    for (const { current } of vertex.subtasks) {
      if (current.taskManagerId === null || !HOLDS_BUFFERS.has(current.state)) continue;
      const use = uses.get(current.taskManagerId);
      if (!use) continue;
      use.requestedSegments += segments[v];
      if (hasState) slotsWithState.add(`${current.taskManagerId} ${current.slotIndex}`);
    }
  });
  // A native state backend takes its slot's share at once.
  for (const slot of slotsWithState) {
    const taskManager = state.taskManagers.get(slot.slice(0, slot.lastIndexOf(' ')))!;
    uses.get(taskManager.id)!.managedBytes += Math.floor(taskManager.memory.managedBytes / taskManager.slots.length);
  }
}

const HOLDS_BUFFERS: ReadonlySet<string> = new Set(['DEPLOYING', 'INITIALIZING', 'RUNNING', 'CANCELING']);

/** By vertex: a pool of an output may grow to two buffers a subpartition and the floating ones, a gate's to its floating ones. */
function segmentsBySubtask(state: SimulationState, job: JobState): number[] {
  const { exclusiveBuffersPerChannel, floatingBuffersPerGate } = networkOptions(state, job.model);
  const parallelism = new Map(job.vertices.map((vertex) => [vertex.id, vertex.parallelism]));
  return job.vertices.map((vertex) => {
    let segments = 0;
    for (const { sourceVertexId, targetVertexId, shipStrategy } of job.model.edges) {
      if (targetVertexId === vertex.id) segments += floatingBuffersPerGate;
      if (sourceVertexId !== vertex.id) continue;
      const consumers = parallelism.get(targetVertexId)!;
      const subpartitions = shipStrategy === 'FORWARD' ? 1 : shipStrategy === 'RESCALE' ? Math.max(1, Math.ceil(consumers / vertex.parallelism)) : consumers;
      segments += subpartitions * exclusiveBuffersPerChannel + floatingBuffersPerGate;
    }
    return segments;
  });
}
