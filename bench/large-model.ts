import { parseScenario } from '../dist/index.js';
import type { SimulationModel } from '../src/simulation/model/simulation-model.js';
import { largeScenario } from './large-scenario.js';

export function largeModel(vertices: number, parallelism: number): SimulationModel {
  return parseScenario(largeScenario(vertices, parallelism), 'large.yaml').model;
}
