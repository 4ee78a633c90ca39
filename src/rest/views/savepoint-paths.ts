import type { SimulationState } from '../../simulation/state/simulation-state.js';

/** A path without scheme and without doubled or trailing slashes: `file:///a/b/`, `file:/a/b` and `/a/b` are one. */
function normalPath(path: string): string {
  return path.replace(/^file:/, '').replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1').replace(/\/_metadata$/, '');
}

/** Whether a savepoint or retained checkpoint lies there. */
export function savepointExists({ checkpointStorage }: SimulationState, path: string): boolean {
  const wanted = normalPath(path);
  return checkpointStorage.existingPaths.some((existing) => normalPath(existing) === wanted);
}
