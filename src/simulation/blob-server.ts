import { below } from './random.js';
import type { SimulationModel } from './model/simulation-model.js';

/** Port that the job manager's blob server was given by the system. */
export function blobServerPort({ seed }: SimulationModel): number {
  return 32_768 + below(28_000, seed, 'blob-port');
}
