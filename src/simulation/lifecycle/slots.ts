import { hex } from '../random.js';
import { logLine } from '../logs/index.js';
import { findOption } from '../options.js';
import type { TaskManagerState } from '../state/cluster-state.js';
import type { AllocatedSlotState, JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { hasStages } from './batch.js';
import { logValues } from './names.js';
import { placedSlots } from './placed-slots.js';

const MIB = 1024 * 1024;

function memoryText(bytes: number): string {
  return bytes === 0 ? '0 bytes' : `${(bytes / MIB).toFixed(3)}mb (${bytes} bytes)`;
}

/** A slot's part of its task manager, as ResourceProfile prints itself. */
export function slotProfile(state: SimulationState, taskManager: TaskManagerState): string {
  if (!lifecycleOf(state).declaresRequirements) {
    return 'ResourceProfile{cpuCores=1.7976931348623157E308, heapMemoryInMB=2147483647, directMemoryInMB=2147483647, nativeMemoryInMB=2147483647, networkMemoryInMB=2147483647, managedMemoryInMB=0}';
  }
  const { memory, slots } = taskManager;
  const part = (bytes: number): string => memoryText(Math.floor(bytes / slots.length));
  const cpu = lifecycleOf(state).rpcSystem === 'akka' ? '1.0000000000000000' : '1';
  return `ResourceProfile{cpuCores=${cpu}, taskHeapMemory=${part(memory.taskHeapBytes)}, taskOffHeapMemory=${part(memory.taskOffHeapBytes)}, managedMemory=${part(memory.managedBytes)}, networkMemory=${part(memory.networkBytes)}}`;
}

const UNKNOWN_PROFILE = 'ResourceProfile{cpuCores=-1.0, heapMemoryInMB=-1, directMemoryInMB=-1, nativeMemoryInMB=-1, networkMemoryInMB=-1, managedMemoryInMB=-1}';

/** Slots that the subtasks of the job need which are scheduled and have not finished: indices by slot sharing group. */
export function requiredSlots(job: JobState): Map<string, Set<number>> {
  const required = new Map<string, Set<number>>();
  for (const vertex of job.vertices) {
    vertex.subtasks.forEach(({ current }, s) => {
      if (current.state === 'CREATED' || current.state === 'FINISHED') return;
      const { slotSharingGroup } = vertex.model;
      const indices = required.get(slotSharingGroup) ?? new Set();
      required.set(slotSharingGroup, indices.add(s));
    });
  }
  return required;
}

export function countRequiredSlots(job: JobState): number {
  return [...requiredSlots(job).values()].reduce((sum, indices) => sum + indices.size, 0);
}

/** The job's slot for a subtask; undefined when it has none. */
export function slotFor(job: JobState, vertexIndex: number, subtask: number): AllocatedSlotState | undefined {
  const group = job.vertices[vertexIndex].model.slotSharingGroup;
  return job.slots.find((slot) => slot.slotSharingGroup === group && slot.groupIndex === subtask);
}

/** Slots that nobody holds, on task managers that are known and, where that is noticed, alive; in the order in which they are given out. */
function* freeSlots(state: SimulationState): Generator<[TaskManagerState, number]> {
  const spread = findOption(state.options, 'taskmanager.load-balance.mode')?.toUpperCase() === 'SLOTS' || findOption(state.options, 'cluster.evenly-spread-out-slots') === 'true';
  if (!spread) {
    for (const taskManager of state.taskManagers.values()) {
      if (taskManager.status !== 'REGISTERED') continue;
      for (const slot of taskManager.slots) if (slot.jobId === null) yield [taskManager, slot.index];
    }
    return;
  }
  for (;;) {
    let best: TaskManagerState | null = null;
    let bestFree = 0;
    for (const taskManager of state.taskManagers.values()) {
      const free = taskManager.status === 'REGISTERED' ? taskManager.slots.filter((slot) => slot.jobId === null).length / taskManager.slots.length : 0;
      if (free > bestFree) [best, bestFree] = [taskManager, free];
    }
    if (best === null) return;
    yield [best, best.slots.find((slot) => slot.jobId === null)!.index];
  }
}

/** Takes as many of the missing slots as there are; a batch job uses those first whose tasks have finished. Returns how many are still missing. */
export function allocateSlots(state: SimulationState, job: JobState): number {
  for (const [taskManager, slotIndex, group, groupIndex] of placedSlots(state, job)) take(state, job, taskManager, slotIndex, group, groupIndex);
  const free = freeSlots(state);
  const required = requiredSlots(job);
  const idle = hasStages(job) ? job.slots.filter((slot) => !required.get(slot.slotSharingGroup)?.has(slot.groupIndex)) : [];
  let missing = 0;
  for (const [group, indices] of required) {
    const held = new Set(job.slots.filter((slot) => slot.slotSharingGroup === group).map((slot) => slot.groupIndex));
    for (const groupIndex of [...indices].sort((a, b) => a - b)) {
      if (held.has(groupIndex)) continue;
      const reused = idle.shift();
      if (reused) {
        job.slots = job.slots.map((slot) => (slot === reused ? { ...slot, slotSharingGroup: group, groupIndex } : slot));
        state.taskManagers.get(reused.taskManagerId)!.slots[reused.slotIndex].slotSharingGroup = group;
        continue;
      }
      const next = free.next();
      if (next.done) missing++;
      else take(state, job, next.value[0], next.value[1], group, groupIndex);
    }
  }
  return missing;
}

function take(state: SimulationState, job: JobState, taskManager: TaskManagerState, slotIndex: number, group: string, groupIndex: number): void {
  const allocationId = hex(32, state.model.seed, 'allocation', job.id, state.idSequence++);
  const firstOfJob = !job.slots.some((slot) => slot.taskManagerId === taskManager.id);
  const slot = taskManager.slots[slotIndex];
  slot.jobId = job.id;
  slot.slotSharingGroup = group;
  slot.allocationId = allocationId;
  job.slots.push({ taskManagerId: taskManager.id, slotIndex, slotSharingGroup: group, groupIndex, allocationId });
  state.revision++;
  const values = {
    ...logValues(state, job),
    allocation: allocationId,
    request: hex(32, state.model.seed, 'slot-request', allocationId),
    unknownProfile: UNKNOWN_PROFILE,
    taskManager: taskManager.id,
    profile: slotProfile(state, taskManager),
  };
  const { log } = state.jobManager;
  logLine(state, log, 'requestingSlot', values);
  logLine(state, log, 'requestSlot', values);
  logLine(state, log, 'startingAllocation', values);
  logLine(state, taskManager.log, 'receiveSlotRequest', values);
  logLine(state, taskManager.log, 'allocatedSlot', values);
  logLine(state, taskManager.log, 'addJobMonitoring', values);
  if (firstOfJob) {
    for (const line of ['tryRegisterJobManager', 'resolvedJobManager', 'successfulJobRegistration', 'establishJobManager', 'offerSlots'] as const) logLine(state, taskManager.log, line, values);
  }
  logLine(state, taskManager.log, 'activateSlot', values);
}

/** Numbers the slots that a job holds anew, without gaps, group by group. */
export function renumberSlots(job: JobState): void {
  const next = new Map<string, number>();
  job.slots = [...job.slots]
    .sort((a, b) => a.groupIndex - b.groupIndex)
    .map((slot) => {
      const groupIndex = next.get(slot.slotSharingGroup) ?? 0;
      next.set(slot.slotSharingGroup, groupIndex + 1);
      return { ...slot, groupIndex };
    });
}

/** Gives up slots of a job: all, or those that `isGivenUp` picks. */
export function releaseSlots(state: SimulationState, job: JobState, isGivenUp: (slot: AllocatedSlotState) => boolean = () => true): void {
  const released = job.slots.filter(isGivenUp);
  if (released.length === 0) return;
  job.slots = job.slots.filter((slot) => !released.includes(slot));
  state.revision++;
  const touched = new Set<TaskManagerState>();
  for (const held of released) {
    const taskManager = state.taskManagers.get(held.taskManagerId);
    const slot = taskManager?.slots[held.slotIndex];
    // Nobody tells the resource manager that a slot of a process that is gone was freed.
    if (!taskManager || !slot || slot.allocationId !== held.allocationId || taskManager.status !== 'REGISTERED') continue;
    slot.jobId = null;
    slot.slotSharingGroup = null;
    slot.allocationId = null;
    touched.add(taskManager);
    const values = { ...logValues(state, job), allocation: held.allocationId, index: held.slotIndex, profile: slotProfile(state, taskManager) };
    logLine(state, state.jobManager.log, 'releasingSlot', values);
    logLine(state, state.jobManager.log, 'freeingSlot', values);
    logLine(state, taskManager.log, 'freeSlot', values);
  }
  for (const taskManager of touched) {
    logLine(state, taskManager.log, 'removeJobMonitoring', { id: job.id });
    logLine(state, taskManager.log, 'closeJobManager', { id: job.id });
  }
}
