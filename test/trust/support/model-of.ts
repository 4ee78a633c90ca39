import { parseScenario } from '../../../src/scenario/load-scenario.js';
import type { SimulationModel } from '../../../src/simulation/model/simulation-model.js';
import { SMALL_SCENARIO } from '../../control/small-cluster.js';

/** The small cluster, to be served. */
export function modelOf(version: string): SimulationModel {
  return parseScenario(SMALL_SCENARIO, 'small.yaml', { flinkVersion: version }).model;
}
