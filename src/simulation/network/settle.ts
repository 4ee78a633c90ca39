import type { ChannelColumns, JobNetworkState } from '../state/network-state.js';
import { closedRecords, drainLimit } from './barrier-channels.js';
import { BURST_SHARE, CLOSED_BUFFER_WASTE } from './constants.js';

/**
 * End of a tick for a channel: finished buffers go to the gate as far as it has credit, and what the consumer does not see yet is
 * estimated again from the inflow, in whose mean this tick counts `newWeight`.
 */
export function settleChannel(network: JobNetworkState, v: number, s: number, c: number, bufferTimeoutMs: number, atMs: number, tickMs: number, newWeight: number): void {
  const { channels, options } = network;
  const net = network.vertices[v];
  const siblings = net.inputStart[s + 1] - net.inputStart[s];
  const weight = channels.weight[c];
  if (weight === 0) return;
  const size = network.edges[channels.edge[c]].recordsPerBuffer;
  channels.inflow[c] += (channels.arrived[c] / tickMs - channels.inflow[c]) * newWeight;
  channels.arrived[c] = 0;
  const flow = channels.inflow[c];
  channels.open[c] = weight * channels.phase[c] * openRecords(flow / weight, size, bufferTimeoutMs);
  // The records of a flush come at once and wait for each other; the flushes of several producers spread. Full buffers do not wait for it.
  const flushed = bufferTimeoutMs < 0 ? 0 : Math.min(flow * bufferTimeoutMs, size * weight);
  const burst = (BURST_SHARE * flushed * net.utilization[s]) / Math.sqrt(siblings * weight);
  channels.held[c] = channels.open[c] + channels.phase[c] * burst;
  // Behind a barrier that the consumer aligns, the subpartition sends nothing until it is told to go on.
  const sendable = options.blocksUpstream && net.openMarks[s] > 0 ? Math.max(0, drainLimit(network, v, s, c) - channels.gateRecords[c]) : Infinity;
  if (channels.local[c] === 0) moveToGate(network, c, size, sendable, atMs);
  else if (channels.producerWaste[c] > 0) channels.producerWaste[c] = Math.min(channels.producerWaste[c], wasteAhead(network, c, 0));
  channels.recordsPerMovedBuffer[c] = recordsPerMovedBuffer(network, c, size, flow / weight, bufferTimeoutMs) * filled(channels, c, size);
}

/**
 * Mean content of an open buffer. It goes out when it is full and at each time-out, two periodic instants of no common phase: the time
 * since the later of the two is g₁/2 - g₁²/(6 g₂) on average, g₁ the shorter period.
 */
function openRecords(recordsPerMs: number, size: number, bufferTimeoutMs: number): number {
  if (recordsPerMs <= 0 || bufferTimeoutMs === 0) return 0;
  const fillMs = size / recordsPerMs;
  if (bufferTimeoutMs < 0) return size / 2;
  const shorter = Math.min(fillMs, bufferTimeoutMs);
  const longer = Math.max(fillMs, bufferTimeoutMs);
  return recordsPerMs * (shorter / 2 - (shorter * shorter) / (6 * longer));
}

/** Part of the finished buffers' space that holds records, where barriers that overtook have closed some of them early. */
function filled(channels: ChannelColumns, c: number, size: number): number {
  if (channels.spreadWaste[c] === 0) return 1;
  const buffers = Math.max(0, channels.producerRecords[c] - channels.open[c]) / size;
  return buffers > 0 ? buffers / (buffers + channels.spreadWaste[c]) : 1;
}

/** A producer that waits for buffers, or one with a backlog, sends full ones; else each flush sends what there is. */
function recordsPerMovedBuffer(network: JobNetworkState, c: number, size: number, recordsPerMs: number, bufferTimeoutMs: number): number {
  const { channels, edges, vertices } = network;
  const edge = edges[channels.edge[c]];
  const backlog = channels.producerRecords[c] - channels.open[c] > size * channels.weight[c];
  const blocked = edge.aggregate === null ? vertices[edge.sourceVertex].blocked[channels.producer[c]] === 1 : edge.aggregate.anyBlocked;
  if (backlog || blocked || recordsPerMs <= 0 || bufferTimeoutMs < 0) return size;
  const least = Math.min(1, size);
  if (bufferTimeoutMs === 0) return least;
  return Math.max(least, recordsPerMs / (recordsPerMs / size + 1 / bufferTimeoutMs));
}

/** Records leave a subpartition, and with them their part of the space that barriers left unused among them. */
export function leaveProducer(channels: ChannelColumns, c: number, records: number): void {
  const there = channels.producerRecords[c];
  channels.producerRecords[c] = Math.max(0, there - records);
  if (channels.spreadWaste[c] > 0) channels.spreadWaste[c] *= there > 0 ? channels.producerRecords[c] / there : 0;
}

function moveToGate(network: JobNetworkState, c: number, size: number, sendable: number, atMs: number): void {
  const { channels } = network;
  const closed = closedRecords(network, c, atMs) - channels.gateRecords[c];
  const finished = Math.min(sendable, Math.max(channels.producerRecords[c] - channels.open[c], Math.min(channels.producerRecords[c], closed)));
  // A barrier may have kept buffers at the gate that the plan saw leave.
  channels.gateRoom[c] = Math.max(0, channels.gateRoom[c] - Math.max(0, channels.gateBuffers[c] - channels.gateStaying[c]));
  const room = channels.gateRoom[c];
  if (finished > 0 && room > 0) {
    const density = channels.recordsPerMovedBuffer[c] > 0 ? Math.min(size, channels.recordsPerMovedBuffer[c]) : size;
    const buffers = Math.min(room, finished / density);
    channels.gateBuffers[c] += buffers;
    channels.gateRecords[c] += buffers * density;
    leaveProducer(channels, c, buffers * density);
    channels.gateRoom[c] -= buffers;
  }
  const left = channels.producerWaste[c] > 0 ? channels.producerWaste[c] - wasteAhead(network, c, channels.gateRecords[c] + 1e-6) : 0;
  if (left > 0) {
    channels.gateBuffers[c] += Math.min(left, channels.gateRoom[c]);
    channels.producerWaste[c] -= left;
  }
}

/** What the barriers that are still more than so many records away from the consumer left unused: each one's space is free once it is past. */
function wasteAhead(network: JobNetworkState, c: number, records: number): number {
  const { dequeued, weight } = network.channels;
  let barriers = 0;
  for (const { markPosition } of network.barriers) if (markPosition[c] - dequeued[c] > records) barriers++;
  return barriers * CLOSED_BUFFER_WASTE * weight[c];
}
