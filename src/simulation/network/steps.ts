import type { JobNetworkState } from '../state/network-state.js';
import { LEAST_STEP_MS, POOL_SHARE_OF_STEP } from './constants.js';

/**
 * Parts in which a tick is worked out. Without barriers a tick of any length comes to the same; a task that meets one can go on only as far
 * as its pools reach, until the next part: no part is longer than a pool takes to fill.
 */
export function stepsInTick(network: JobNetworkState, tickMs: number): number {
  if (network.barriers.length === 0) return 1;
  let shortestMs = tickMs;
  for (const edge of network.edges) {
    if (edge.blocking || edge.fraction === 0) continue;
    const { throughput, selectivity } = network.vertices[edge.sourceVertex];
    const outPerIn = selectivity * edge.fraction * (edge.broadcast ? edge.subpartitions[0] : 1);
    for (let p = 0; p < throughput.length; p++) {
      const poolMs = (POOL_SHARE_OF_STEP * edge.poolBuffers[p] * edge.recordsPerBuffer) / (throughput[p] * outPerIn);
      if (poolMs < shortestMs) shortestMs = poolMs;
    }
  }
  return Math.ceil(tickMs / Math.max(shortestMs, LEAST_STEP_MS) - 1e-9);
}
