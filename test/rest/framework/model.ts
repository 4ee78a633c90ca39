import { loadScenario } from '../../../src/scenario/load-scenario.js';
import type { SimulationModel } from '../../../src/simulation/model/simulation-model.js';

/** The cluster of the recordings, without jobs. */
export function recordedCluster(flinkVersion: string): SimulationModel {
  return loadScenario('recorded-script', { flinkVersion }).model;
}
