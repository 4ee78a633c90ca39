import type { JobNetworkState, VertexNetworkState } from '../state/network-state.js';

/**
 * A task begins a record only while its pools have a buffer, and then has to end it: what one record in gives (a large one, or many of a flatMap)
 * may need more buffers than that. Those beyond the pool are overdraft (FLINK-26762); where even they do not do, the task waits inside the record,
 * as it does while the timers of a window fire. Legacy sources do not ask before they write, and get no overdraft.
 */
export function planOverdraft(network: JobNetworkState, net: VertexNetworkState): void {
  const most = network.options.maxOverdraftBuffersPerGate;
  net.waitsInRecord = false;
  for (const e of net.outputs) {
    const edge = network.edges[e];
    edge.overdraftBuffers = 0;
    if (edge.blocking || net.legacySource || net.selectivity === 0 || edge.fraction === 0) continue;
    const atOnce = net.windowSlideMs > 0 ? Infinity : Math.max(1, net.selectivity * edge.fraction);
    const beyond = Math.ceil((atOnce * edge.wireBytes) / edge.bufferBytes) - 1;
    edge.overdraftBuffers = Math.min(most, beyond);
    if (beyond > most) net.waitsInRecord = true;
  }
}
