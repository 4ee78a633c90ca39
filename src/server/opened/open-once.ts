import type { ConsoleRecorder } from '../../control/console/recorder.js';
import { readPlainData, writePlainData } from '../../serialization/plain-data.js';
import type { SimulationModel } from '../../simulation/model/simulation-model.js';
import type { Simulation } from '../../simulation/simulation.js';
import { openSimulation } from '../open-simulation.js';
import type { OpenedCluster } from './opened-scenario.js';

/** Of larger clusters nothing is kept: their state is many times what a test's is. */
const MOST_SUBTASKS = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;

interface Opening {
  readonly openMs: number;
  /** An OpenedCluster as plain data. */
  readonly bytes: Buffer;
}

const openings = new WeakMap<SimulationModel, Opening>();

/** Frozen, so that it still is what was simulated, and small. */
function isKept(model: SimulationModel): boolean {
  const subtasks = model.jobs.reduce((sum, { job }) => sum + job.vertices.reduce((of, { parallelism }) => of + parallelism, 0), 0);
  return Object.isFrozen(model) && subtasks <= MOST_SUBTASKS;
}

/**
 * Simulates the history of a model up to an instant. Where this process has done so before for the very model, as tests do that each start a
 * cluster, the simulation goes on from what was kept of that.
 */
export async function openOnce(simulation: Simulation, recorder: ConsoleRecorder, model: SimulationModel, openMs: number, signal?: AbortSignal): Promise<void> {
  const known = openings.get(model);
  if (known?.openMs === openMs) {
    const { state, recorded } = readPlainData(known.bytes) as OpenedCluster;
    simulation.replaceState(state);
    recorder.remember(recorded);
    return;
  }
  await openSimulation(simulation, openMs, signal, () => recorder.observe(1));
  if (!isKept(model)) return;
  const bytes = writePlainData({ state: simulation.state, recorded: recorder.memory() } satisfies OpenedCluster);
  if (bytes.length <= MOST_BYTES) openings.set(model, { openMs, bytes });
}
