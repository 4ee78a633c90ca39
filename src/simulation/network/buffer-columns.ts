import type { EdgeState, JobNetworkState } from '../state/network-state.js';
import type { SubtaskColumns } from '../state/subtask-columns.js';
import type { TickContext } from './events.js';

/** Writes what a subtask's buffers look like at the end of the tick. */
export function writeBufferColumns(ctx: TickContext, v: number, s: number): void {
  const { network } = ctx;
  const { columns } = ctx.job.vertices[v];
  const held = writeInput(network, columns, v, s);
  columns.usedSegments[s] = held + writeOutput(network, columns, v, s);
}

function writeInput(network: JobNetworkState, columns: SubtaskColumns, v: number, s: number): number {
  const { channels, edges, options } = network;
  const net = network.vertices[v];
  let queue = 0;
  let bytes = 0;
  let used = 0;
  let usedExclusive = 0;
  let exclusive = 0;
  let floating = 0;
  let waiting = 0;
  // A gate without remote channels has its pool too, and uses none of it.
  for (const e of net.inputs) if (!edges[e].blocking) floating += options.floatingBuffersPerGate;
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
    const c = net.inputChannels[i];
    const weight = channels.weight[c];
    if (weight === 0) continue;
    const edge = edges[channels.edge[c]];
    const records = channels.producerRecords[c] + channels.gateRecords[c];
    waiting += records * edge.wireBytes;
    if (channels.local[c] === 1) {
      queue += channels.ended[c] === 1 ? records / edge.recordsPerBuffer : Math.min(weight * mostBuffers(network, edge), weight + finishedBuffers(network, c));
      continue;
    }
    const buffers = channels.gateBuffers[c];
    const own = weight * options.exclusiveBuffersPerChannel;
    queue += buffers;
    bytes += channels.gateRecords[c] * edge.wireBytes;
    used += buffers;
    usedExclusive += Math.min(own, buffers);
    exclusive += own;
  }
  // The buffer that the task reads from has left the queue, but belongs to the gate until it is read to its end: half of it on average.
  const inWork = Math.min(1, Math.max(0, queue - localOpen(network, v, s))) * (1 - columns.idleShare[s]);
  const gateTurn = queue > 0 ? used / queue : 0;
  used = Math.min(exclusive + floating, used + 0.5 * inWork * gateTurn);
  queue += 0.5 * inWork;
  const usedFloating = Math.max(0, used - usedExclusive);
  columns.inputQueueLength[s] = Math.max(0, queue - inWork);
  columns.inputQueueSizeBytes[s] = bytes;
  columns.inPoolUsage[s] = exclusive + floating > 0 ? Math.min(1, used / (exclusive + floating)) : 0;
  columns.inputExclusiveBuffersUsage[s] = exclusive > 0 ? Math.min(1, usedExclusive / exclusive) : 0;
  columns.inputFloatingBuffersUsage[s] = floating > 0 ? Math.min(1, usedFloating / floating) : 0;
  columns.exclusiveBuffers[s] = exclusive;
  columns.floatingBuffers[s] = floating;
  const bytesPerMs = net.inputs.length > 0 ? net.throughput[s] * edges[net.inputs[0]].wireBytes : 0;
  columns.estimatedTimeToConsumeBuffersMs[s] = bytesPerMs > 0 ? waiting / bytesPerMs : 0;
  columns.debloatedBufferSizeBytes[s] = net.inputs.length > 0 ? edges[net.inputs[0]].bufferBytes : options.segmentBytes;
  return net.inputs.length > 0 ? exclusive + usedFloating : 0;
}

function localOpen(network: JobNetworkState, v: number, s: number): number {
  let open = 0;
  for (const e of network.vertices[v].inputs) open += network.edges[e].localChannels[s];
  return open;
}

/** Buffers that a subpartition can hold: a legacy source does not ask before it writes, only the pool stops it. */
function mostBuffers(network: JobNetworkState, edge: EdgeState): number {
  if (edge.blocking) return Infinity;
  const pool = edge.mostPoolBuffers + edge.overdraftBuffers;
  return network.vertices[edge.sourceVertex].legacySource ? pool : Math.min(network.options.maxBuffersPerChannel + edge.overdraftBuffers, pool);
}

/** Buffers of a subpartition that are full, or closed by a barrier. */
export function finishedBuffers(network: JobNetworkState, c: number): number {
  const { channels } = network;
  const size = network.edges[channels.edge[c]].recordsPerBuffer;
  return Math.max(0, channels.producerRecords[c] - channels.open[c]) / size + channels.producerWaste[c] + channels.spreadWaste[c];
}

function writeOutput(network: JobNetworkState, columns: SubtaskColumns, v: number, s: number): number {
  let used = 0;
  let pool = 0;
  let bytes = 0;
  for (const e of network.vertices[v].outputs) {
    const edge = network.edges[e];
    let ofEdge = edge.subpartitions[s];
    if (edge.aggregate !== null) {
      ofEdge += Math.max(0, edge.aggregate.producerRecords[s] - edge.aggregate.openRecords) / edge.recordsPerBuffer;
      bytes += edge.aggregate.producerRecords[s] * edge.wireBytes;
    } else {
      for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1]; c++) {
        ofEdge += finishedBuffers(network, c);
        bytes += network.channels.producerRecords[c] * edge.wireBytes;
      }
    }
    // A pool gives whole buffers.
    if (edge.emitted[s] > 0) used += Math.min(Math.round(ofEdge), edge.poolBuffers[s] + edge.overdraftBuffers);
    pool += edge.poolBuffers[s];
  }
  columns.outPoolUsage[s] = pool > 0 ? used / pool : 0;
  columns.outputQueueLength[s] = used;
  columns.outputQueueSizeBytes[s] = bytes;
  return used;
}
