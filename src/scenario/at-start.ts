import type { SimulationModel } from '../simulation/model/simulation-model.js';

/** The model with the instant at which its simulation begins, and the port on which it is asked; options in `given` are left as they are. */
export function atStart(model: SimulationModel, startMs: number, restPort: number, given: Readonly<Record<string, string>> = {}): SimulationModel {
  const ports = Object.fromEntries(['rest.port', 'rest.bind-port'].filter((key) => model.options[key] !== undefined && given[key] === undefined).map((key) => [key, String(restPort)]));
  return { ...model, startMs, options: { ...model.options, ...ports }, cluster: { ...model.cluster, jobManager: { ...model.cluster.jobManager, restPort } } };
}
