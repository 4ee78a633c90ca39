import type { JobNetworkState } from '../state/network-state.js';

/** A task has ended: its consumers see the end of data behind all that it sent. */
export function markEnded(network: JobNetworkState, v: number, s: number): void {
  const { channels } = network;
  for (const e of network.vertices[v].outputs) {
    const edge = network.edges[e];
    if (edge.aggregate === null) {
      for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1]; c++) channels.ended[c] = 1;
      continue;
    }
    const { finished } = network.vertices[v];
    if (finished.some((flag) => flag === 0)) continue;
    const consumers = network.vertices[edge.targetVertex].running.length;
    for (let j = 0; j < consumers; j++) {
      channels.ended[edge.aggregate.localStart + j] = 1;
      channels.ended[edge.aggregate.remoteStart + j] = 1;
    }
  }
}
