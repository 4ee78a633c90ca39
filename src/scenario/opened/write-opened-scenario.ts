import { writePlainData } from '../../serialization/plain-data.js';
import { Simulation } from '../../simulation/simulation.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { atStart } from '../at-start.js';
import { loadScenario } from '../load-scenario.js';
import { DAY_MS, findMovedLeaves } from './moved-leaves.js';
import { hashOfFile, type OpenedFile } from './opened-scenario.js';

const OTHER_PORT = 54_321;

/** An odd distance, so that what is bound to hours or minutes shows. */
const MOVE_MS = 17 * DAY_MS + 12_345_679;

/**
 * Simulates what is history when a scenario opens, and finds out how that moves in time. Throws for a scenario that does not just move
 * (windows lie on the epoch's minutes), or whose jars hold programs.
 */
export function writeOpenedScenario(name: string): Buffer {
  const { model, file, ...scenario } = loadScenario(name);
  if (scenario.jarTemplates.length > 0) throw new Error(`${name} has programs in jars, which are no plain data`);
  const fromPort = model.cluster.jobManager.restPort;
  const run = (startMs: number, port: number): SimulationState => new Simulation({ model: atStart(model, startMs, port), openAtMs: scenario.openAtMs }).state;
  const state = run(model.startMs, fromPort);
  const moved = findMovedLeaves(state, run(model.startMs + MOVE_MS, OTHER_PORT), { byMs: MOVE_MS, fromPort, toPort: OTHER_PORT });
  return writePlainData({ source: hashOfFile(file), scenario, state, moved } satisfies OpenedFile);
}
