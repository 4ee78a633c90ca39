import type { Simulation } from '../simulation/simulation.js';

/** How long a slice may keep the event loop, in wall ms: short enough for a signal to be heard, long enough to cost nothing. */
const SLICE_MS = 50;

/** Simulates the history of a scenario, up to an instant; an aborted signal ends it with the signal's reason. */
export async function openSimulation(simulation: Simulation, untilMs: number, signal?: AbortSignal, onStep: () => void = () => undefined): Promise<void> {
  const { tickMs } = simulation.state.model;
  while (simulation.nowMs < untilMs) {
    signal?.throwIfAborted();
    const deadline = performance.now() + SLICE_MS;
    do {
      simulation.advanceTo(Math.min(untilMs, simulation.nowMs + tickMs));
      onStep();
    } while (simulation.nowMs < untilMs && performance.now() < deadline);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
