import { nextEventMs, popEvent } from './event-queue.js';
import { handleEvent, tick } from './step.js';
import type { SimulationModel } from './model/simulation-model.js';
import type { SimulationState } from './state/simulation-state.js';
import { createSimulationState } from './create-state.js';

/**
 * A cluster that lives in virtual time. Pure: it does nothing by itself, reads no clock and draws no random number that the model's seed
 * does not give; the same model and the same calls at the same virtual instants give the same state.
 */
export class Simulation {
  readonly state: SimulationState;

  constructor(model: SimulationModel) {
    this.state = createSimulationState(model);
  }

  /** Virtual now, epoch ms. */
  get nowMs(): number {
    return this.state.nowMs;
  }

  /** Lets time pass until `epochMs` (a time in the past does nothing): every event and every tick up to and including it happens. */
  advanceTo(epochMs: number): void {
    const { state } = this;
    const { startMs, tickMs } = state.model;
    for (;;) {
      const tickEndMs = startMs + (state.ticks + 1) * tickMs;
      const eventMs = nextEventMs(state.queue);
      const nextMs = Math.min(tickEndMs, eventMs);
      if (nextMs > epochMs) break;
      state.nowMs = Math.max(state.nowMs, nextMs);
      if (eventMs <= tickEndMs) handleEvent(state, popEvent(state.queue)!);
      else tick(state);
    }
    if (epochMs > state.nowMs) state.nowMs = epochMs;
  }

  advanceBy(ms: number): void {
    this.advanceTo(this.state.nowMs + ms);
  }
}
