import type { ClockDriver } from '../server/clock-driver.js';
import type { Simulation } from '../simulation/simulation.js';
import type { TaskManagerState } from '../simulation/state/cluster-state.js';
import { ControlError } from './problem.js';

const MAX_TASK_MANAGERS = 5_000;

/** How many task managers there are. */
export class ClusterSize {
  constructor(
    private readonly simulation: Simulation,
    private readonly driver: ClockDriver,
  ) {}

  /** Processes that live: registered, or starting. */
  get taskManagers(): number {
    return this.living().length;
  }

  /** Starts processes, or kills the ones that came last; they register, and are missed, in the time that takes. */
  setTaskManagers(count: number): void {
    if (!Number.isInteger(count) || count < 0 || count > MAX_TASK_MANAGERS) throw new ControlError(400, `found ${count} task managers; allowed: 0 to ${MAX_TASK_MANAGERS}`);
    this.driver.catchUp();
    const living = this.living();
    if (count > living.length) {
      if (this.simulation.state.model.cluster.taskManagers.length === 0 && living.length === 0) throw new ControlError(409, 'the scenario has no task manager to take as a pattern');
      this.simulation.apply({ kind: 'add-task-managers', count: count - living.length });
    } else for (const { id } of living.slice(count).reverse()) this.simulation.apply({ kind: 'kill-task-manager', taskManager: id });
  }

  private living(): TaskManagerState[] {
    return [...this.simulation.state.taskManagers.values()].filter(({ status }) => status !== 'LOST');
  }
}
