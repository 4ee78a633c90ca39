import type { SimulationState } from '../state/simulation-state.js';
import { valueIn } from '../../versions/flink-versions.js';
import { THREAD_TABLE, type ProcessThreads } from '../../versions/thread-table.js';
import { versionOf } from '../version.js';
import { helperThreadsOf } from './task-threads.js';

/** Threads of the process that belong to no task. `hasWorked`: it has run a task (or, for a job manager, a job). */
export function fixedThreads(of: ProcessThreads, hasWorked: boolean): ProcessThreads['threads'] {
  return hasWorked ? of.threads : of.threads.filter((thread) => !thread[4].includes('l'));
}

/** Live threads of each task manager and, under `jobmanager`, of the job manager: what their dumps list. */
export function threadCounts(state: SimulationState): Map<string, number> {
  const table = valueIn(THREAD_TABLE, versionOf(state));
  const tasks = new Map<string, number>();
  for (const job of state.jobs.values()) {
    for (const vertex of job.vertices) {
      const perTask = 1 + helperThreadsOf(state, job, vertex).length;
      for (const { current } of vertex.subtasks) {
        if (current.taskManagerId !== null && current.state === 'RUNNING') tasks.set(current.taskManagerId, (tasks.get(current.taskManagerId) ?? 0) + perTask);
      }
    }
  }
  const counts = new Map([['jobmanager', fixedThreads(table.jobManager, state.jobs.size > 0).length]]);
  for (const [id, taskManager] of state.taskManagers) counts.set(id, fixedThreads(table.taskManager, taskManager.jvm.jobsSeen > 0).length + (tasks.get(id) ?? 0));
  return counts;
}
