import { ConsoleRecorder } from '../../control/console/recorder.js';
import { atStart } from '../../scenario/at-start.js';
import { loadScenario } from '../../scenario/load-scenario.js';
import { writePlainData } from '../../serialization/plain-data.js';
import { Simulation } from '../../simulation/simulation.js';
import { openSimulation } from '../open-simulation.js';
import { DAY_MS, findMovedLeaves } from './moved-leaves.js';
import { hashOfFile, type OpenedCluster, type OpenedFile } from './opened-scenario.js';

const OTHER_PORT = 54_321;

/** An odd distance, so that what is bound to hours or minutes shows. */
const MOVE_MS = 17 * DAY_MS + 12_345_679;

/**
 * Simulates what is history when a scenario opens, and finds out how that moves in time. Rejects a scenario that does not just move
 * (windows lie on the epoch's minutes), or whose jars hold programs.
 */
export async function writeOpenedScenario(name: string): Promise<Buffer> {
  const { model, file, ...scenario } = loadScenario(name);
  if (scenario.jarTemplates.length > 0) throw new Error(`${name} has programs in jars, which are no plain data`);
  const fromPort = model.cluster.jobManager.restPort;
  const open = async (startMs: number, port: number): Promise<OpenedCluster> => {
    const simulation = new Simulation(atStart(model, startMs, port));
    const recorder = new ConsoleRecorder(simulation.state);
    await openSimulation(simulation, startMs + scenario.openAtMs, undefined, () => recorder.observe(1));
    return { state: simulation.state, recorded: recorder.memory() };
  };
  const cluster = await open(model.startMs, fromPort);
  const moved = findMovedLeaves(cluster, await open(model.startMs + MOVE_MS, OTHER_PORT), { byMs: MOVE_MS, fromPort, toPort: OTHER_PORT });
  return writePlainData({ source: hashOfFile(file), scenario, cluster, moved } satisfies OpenedFile);
}
