import { schedule } from '../event-queue.js';
import { durationOption } from '../options.js';
import { EXECUTION_STATE_INDEX, type AllocatedSlotState, type JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { releaseSlots, requiredSlots } from './slots.js';

function idleTimeoutMs(state: SimulationState): number {
  return durationOption(state.options, 'slot.idle.timeout', 50_000);
}

/** A batch job gives slots back that none of its tasks has used for the idle time-out. */
export function releaseIdleSlotsLater(state: SimulationState, job: JobState): void {
  schedule(state.queue, state.nowMs + idleTimeoutMs(state), 'lifecycle.idle-slots-of-stages', { jobId: job.id });
}

export function onIdleSlotsOfStages(state: SimulationState, jobId: string): void {
  const job = state.jobs.get(jobId);
  if (job?.status !== 'RUNNING' && job?.status !== 'RESTARTING') return;
  const required = requiredSlots(job);
  const lastMs = state.nowMs - idleTimeoutMs(state);
  const before = job.slots.length;
  releaseSlots(state, job, (slot) => !required.get(slot.slotSharingGroup)?.has(slot.groupIndex) && idleSinceMs(job, slot) <= lastMs);
  if (job.slots.length < before) schedule(state.queue, state.nowMs, 'lifecycle.slots-freed', null);
}

/** Epoch ms at which the last task that ran in the slot finished. */
function idleSinceMs(job: JobState, slot: AllocatedSlotState): number {
  let sinceMs = 0;
  for (const { subtasks } of job.vertices) {
    for (const { current } of subtasks) {
      if (current.taskManagerId === slot.taskManagerId && current.slotIndex === slot.slotIndex) sinceMs = Math.max(sinceMs, current.timestamps[EXECUTION_STATE_INDEX.FINISHED]);
    }
  }
  return sinceMs;
}
