import type { ChannelColumns, EdgeState, JobNetworkState } from '../state/network-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { createJobNetwork } from './create-network.js';

/** Bytes that the tasks of an edge's producer have written into it. */
export function emittedBytes(job: JobState, e: number): number {
  const edge = job.network.edges[e];
  return edge.emitted.reduce((sum, records) => sum + records, 0) * edge.wireBytes;
}

/** A network in which vertices that had no subtasks have them: what is stored for them already is shared out among their channels, all else stays as it is. */
export function grownNetwork(state: SimulationState, job: JobState): JobNetworkState {
  const before = job.network;
  const next = createJobNetwork(state, job);
  next.edges.forEach((edge, e) => {
    const old = before.edges[e];
    if (edge.emitted.length === old.emitted.length && edge.remoteChannels.length === old.remoteChannels.length) next.edges[e] = keepEdge(before.channels, next.channels, old, edge);
    else if (edge.emitted.length === old.emitted.length) shareOut(before, next, old, edge);
  });
  next.vertices.forEach((vertex, v) => {
    const old = before.vertices[v];
    if (old.running.length === vertex.running.length) next.vertices[v] = { ...old, inputStart: vertex.inputStart, inputChannels: vertex.inputChannels };
  });
  return { ...next, barriers: before.barriers, events: before.events, lastTickMs: before.lastTickMs, calmSinceMs: state.nowMs };
}

/** An edge whose both ends are as before; only its channels have other numbers. */
function keepEdge(from: ChannelColumns, to: ChannelColumns, old: EdgeState, edge: EdgeState): EdgeState {
  const [first, start] = [old.channelStart[0], edge.channelStart[0]];
  const count = old.aggregate === null ? old.channelStart[old.channelStart.length - 1] - first : 2 * old.aggregate.share.length;
  for (const name of Object.keys(to) as (keyof ChannelColumns)[]) {
    if (name !== 'count' && name !== 'edge') (to[name] as Float64Array).set((from[name] as Float64Array).subarray(first, first + count), start);
  }
  return { ...old, channelStart: edge.channelStart, aggregate: old.aggregate && { ...old.aggregate, localStart: edge.aggregate!.localStart, remoteStart: edge.aggregate!.remoteStart } };
}

/** What the producers stored for consumers that were not there, by the consumers' shares. */
function shareOut(before: JobNetworkState, next: JobNetworkState, old: EdgeState, edge: EdgeState): void {
  const { channels } = next;
  const { finished } = before.vertices[edge.sourceVertex];
  edge.emitted.set(old.emitted);
  const store = (c: number, records: number, isEnded: boolean): void => {
    channels.enqueued[c] = channels.producerRecords[c] = records;
    channels.ended[c] = isEnded ? 1 : 0;
  };
  if (edge.aggregate === null) {
    for (let p = 0; p < edge.emitted.length; p++) for (let c = edge.channelStart[p]; c < edge.channelStart[p + 1]; c++) store(c, edge.emitted[p] * channels.share[c], finished[p] === 1);
    return;
  }
  const { share, shareSum, remoteStart, localStart, producerRecords } = edge.aggregate;
  const total = edge.emitted.reduce((sum, records) => sum + records, 0);
  const isEnded = finished.every((flag) => flag === 1);
  edge.emitted.forEach((records, p) => (producerRecords[p] = records * shareSum));
  // Which of it is local is known when the consumers have been placed.
  for (let j = 0; j < share.length; j++) {
    store(localStart + j, 0, isEnded);
    store(remoteStart + j, total * share[j], isEnded);
  }
}
