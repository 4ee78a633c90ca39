import { ClockDriver } from '../server/clock-driver.js';
import type { VirtualClock } from '../server/clock.js';
import type { Simulation } from '../simulation/simulation.js';

/** Moves a cluster that is one of many: it may be behind its clock until somebody asks, and what goes wrong stays with it. */
export class HostedDriver extends ClockDriver {
  constructor(
    simulation: Simulation,
    clock: VirtualClock,
    private readonly onFailure: (error: unknown) => void,
  ) {
    super(simulation, clock, undefined, false);
  }

  override catchUp(): boolean {
    try {
      return super.catchUp();
    } catch (error) {
      this.onFailure(error);
      throw error;
    }
  }
}
