import type { Notes } from './notes.js';
import type { JobSurvey } from './survey.js';

/** Task manager of each slot, by slot sharing group: that of the subtasks of that number. Null where the cluster did not tell. */
export function inferPlacement(job: JobSurvey, notes: Notes): Record<string, (string | null)[]> {
  const groups: Record<string, (string | null)[]> = {};
  let apart = 0;
  for (const { slotSharingGroup, taskManagers } of job.vertices) {
    const slots = (groups[slotSharingGroup] ??= []);
    taskManagers.forEach((taskManager, index) => {
      slots[index] ??= taskManager;
      if (taskManager !== null && slots[index] !== taskManager) apart++;
    });
  }
  notes.add([], `Measured: the task manager of each slot.${apart > 0 ? ` Not played: ${apart} subtasks share no slot with those of the same number in other vertices.` : ''}`);
  return groups;
}
