import type { TaskManagerState } from '../../simulation/state/cluster-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { InternalServerException } from '../errors.js';

/** Task managers as the resource manager sees them: registered, or gone without its knowledge. */
export function knownTaskManagers(state: SimulationState): TaskManagerState[] {
  return [...state.taskManagers.values()].filter((taskManager) => taskManager.status !== 'STARTING');
}

/** null when the resource manager knows no such task manager. */
export function findTaskManager(state: SimulationState, id: string): TaskManagerState | null {
  const taskManager = state.taskManagers.get(id);
  return taskManager && taskManager.status !== 'STARTING' ? taskManager : null;
}

export const UNKNOWN_TASK_EXECUTOR = 'org.apache.flink.runtime.resourcemanager.exceptions.UnknownTaskExecutorException';

/** What the resource manager throws about an id that it does not know: no handler expects it, so it is a 500. */
export function unknownTaskExecutor(id: string, method: string): InternalServerException {
  return new InternalServerException(UNKNOWN_TASK_EXECUTOR, `No TaskExecutor registered under ${id}.`, [`org.apache.flink.runtime.resourcemanager.ResourceManager.${method}(ResourceManager.java)`]);
}
