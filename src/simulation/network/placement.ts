import type { JobState } from '../state/job-state.js';
import type { EdgeState } from '../state/network-state.js';

/** Finds out which channels are local, after subtasks have been placed. */
export function placeChannels(job: JobState): void {
  const { network } = job;
  const { channels, edges } = network;
  network.placed = true;
  const hostNumbers = new Map<string, number>();
  const hosts = job.vertices.map((vertex) =>
    vertex.subtasks.map(({ current }) => {
      if (current.taskManagerId === null) return -1;
      const known = hostNumbers.get(current.taskManagerId);
      if (known !== undefined) return known;
      hostNumbers.set(current.taskManagerId, hostNumbers.size);
      return hostNumbers.size - 1;
    }),
  );
  for (const edge of edges) {
    edge.remoteChannels.fill(0);
    edge.localChannels.fill(0);
    if (edge.aggregate !== null) placeClasses(job, edge, hosts[edge.sourceVertex], hosts[edge.targetVertex], hostNumbers.size);
  }
  for (let c = 0; c < channels.count; c++) {
    if (channels.producer[c] < 0) continue;
    const edge = edges[channels.edge[c]];
    const host = hosts[edge.sourceVertex][channels.producer[c]];
    channels.local[c] = host >= 0 && host === hosts[edge.targetVertex][channels.consumer[c]] ? 1 : 0;
    if (channels.local[c] === 1) edge.localChannels[channels.consumer[c]]++;
    else edge.remoteChannels[channels.consumer[c]]++;
  }
}

function placeClasses(job: JobState, edge: EdgeState, producers: readonly number[], consumers: readonly number[], hosts: number): void {
  const { channels } = job.network;
  const aggregate = edge.aggregate!;
  aggregate.hosts = hosts;
  aggregate.hostFlow = new Float64Array(hosts);
  aggregate.hostAhead = new Float64Array(hosts);
  aggregate.producerHost.set(producers);
  aggregate.consumerHost.set(consumers);
  const onHost = new Float64Array(hosts);
  for (const host of producers) if (host >= 0) onHost[host]++;
  for (let j = 0; j < consumers.length; j++) {
    const locals = consumers[j] < 0 ? 0 : onHost[consumers[j]];
    edge.localChannels[j] = locals;
    edge.remoteChannels[j] = producers.length - locals;
    channels.weight[aggregate.localStart + j] = locals;
    channels.weight[aggregate.remoteStart + j] = producers.length - locals;
    if (edge.blocking) splitStored(job, aggregate.localStart + j, aggregate.remoteStart + j, locals / producers.length);
  }
}

/** A stored result of which nothing was read yet lies where its producers were. */
function splitStored(job: JobState, local: number, remote: number, localShare: number): void {
  const { channels } = job.network;
  if (channels.ended[local] === 0 || channels.ended[remote] === 0 || channels.dequeued[local] + channels.dequeued[remote] > 0) return;
  const records = channels.enqueued[local] + channels.enqueued[remote];
  channels.enqueued[local] = channels.producerRecords[local] = records * localShare;
  channels.enqueued[remote] = channels.producerRecords[remote] = records * (1 - localShare);
}
