import { findOption } from '../options.js';
import type { SimulationState } from '../state/simulation-state.js';

/** Somebody keeps what a job manager leads, so that another one can take it over. */
export function hasHighAvailability(state: SimulationState): boolean {
  const mode = findOption(state.options, 'high-availability.type', 'high-availability')?.trim().toLowerCase();
  return mode !== undefined && mode !== '' && mode !== 'none';
}
