export { loadScenario, parseScenario } from './scenario/load-scenario.js';
export { ScenarioError, type Problem } from './scenario/scenario-error.js';
export type { Scenario } from './scenario/scenario.js';
export { startServer, type RunningServer, type ServerOptions } from './server/start-server.js';
export { Simulation } from './simulation/simulation.js';
export type { SimulationModel } from './simulation/model/simulation-model.js';
export type { SimulationState } from './simulation/state/simulation-state.js';
