import type { SimulationState } from './state/simulation-state.js';

/**
 * Virtual ms since the simulation began. Draws of an instant are keyed by this and not by the epoch: a run that is moved in time is the
 * same run, moved.
 */
export function sinceStartMs(state: SimulationState, atMs: number = state.nowMs): number {
  return atMs - state.model.startMs;
}
