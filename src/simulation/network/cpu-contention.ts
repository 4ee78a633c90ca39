import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/**
 * The scheduler shares a task manager's cores out evenly: with R threads that want to run, on average, and c < R cores, each gets c / R of one, and
 * a record takes R / c times as long. Threads that wait for buffers or for input do not want to run.
 */
export function shareCores(state: SimulationState, job: JobState): void {
  const wanting = new Map<string, number>();
  for (const { network, vertices, endMs } of state.jobs.values()) {
    if (endMs >= 0) continue;
    vertices.forEach(({ subtasks }, v) => {
      const { running, finished, utilization } = network.vertices[v];
      for (const { index, current } of subtasks) {
        if (current.taskManagerId === null || running[index] === 0 || finished[index] === 1) continue;
        wanting.set(current.taskManagerId, (wanting.get(current.taskManagerId) ?? 0) + utilization[index]);
      }
    });
  }
  job.vertices.forEach(({ subtasks }, v) => {
    const { slowdown } = job.network.vertices[v];
    for (const { index, current } of subtasks) {
      const taskManager = current.taskManagerId === null ? undefined : state.taskManagers.get(current.taskManagerId);
      slowdown[index] = taskManager === undefined ? 1 : Math.max(1, wanting.get(taskManager.id)! / taskManager.cpuCores || 1);
    }
  });
}
