import type { JobNetworkState } from '../state/network-state.js';
import { uniform } from '../random.js';

/** Width of a uniform distribution of standard deviation 1. */
const UNIFORM_WIDTH = Math.sqrt(12);

/**
 * Records with random keys do not come to the consumers evenly: of n records a consumer with share s gets n·s ± √(n·s·(1 - s)). A producer's
 * shares are drawn again after about a buffer for each consumer (or a tick's records, if that is more), so that their mean stays and
 * the counts wander as much as counts of keys do.
 */
export function drawShares(network: JobNetworkState, seed: number): void {
  const { channels, edges } = network;
  for (let e = 0; e < edges.length; e++) {
    const edge = edges[e];
    if (!edge.randomShares) continue;
    for (let p = 0; p < edge.emitted.length; p++) {
      if (edge.emitted[p] < edge.nextShareDraw[p]) continue;
      const first = edge.channelStart[p];
      const last = edge.channelStart[p + 1];
      const lately = edge.emitted[p] - edge.nextShareDraw[p];
      const records = Math.max(1, edge.recordsPerBuffer * (last - first), lately);
      const draw = edge.shareDraws[p]++;
      let sum = 0;
      for (let c = first; c < last; c++) {
        const expected = channels.expectedShare[c];
        const deviation = Math.sqrt((expected * (1 - expected)) / records) * (uniform(seed, draw, c) - 0.5) * UNIFORM_WIDTH;
        channels.share[c] = expected === 0 ? 0 : Math.max(0.01 * expected, expected + deviation);
        sum += channels.share[c];
      }
      for (let c = first; c < last; c++) channels.share[c] /= sum;
      edge.nextShareDraw[p] = edge.emitted[p] + records;
    }
  }
}
