import type { TaskManagerState } from '../state/cluster-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** Missing slots of a job whose place its model names, one after the other, as far as there is a free one: task manager, slot, group, number in the group. */
export function* placedSlots(state: SimulationState, job: JobState): Generator<[TaskManagerState, number, string, number]> {
  const { placement } = job.model;
  if (placement === undefined) return;
  for (const { model, subtasks } of job.vertices) {
    const group = model.slotSharingGroup;
    for (const { index, current } of subtasks) {
      const place = placement[group]?.[index] ?? null;
      if (place === null || current.state === 'CREATED' || current.state === 'FINISHED') continue;
      if (job.slots.some((slot) => slot.slotSharingGroup === group && slot.groupIndex === index)) continue;
      const taskManager = state.taskManagers.get(place);
      const slot = taskManager?.status === 'REGISTERED' ? taskManager.slots.find(({ jobId }) => jobId === null) : undefined;
      if (taskManager && slot) yield [taskManager, slot.index, group, index];
    }
  }
}
