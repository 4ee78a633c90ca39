import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { NO_WATERMARK, resetSubtask } from '../state/subtask-columns.js';
import { placeAggregated } from './aggregated-edge.js';
import { refreshChains } from './create-network.js';

/** The subtask's attempt is RUNNING: its counters start at 0, at state.nowMs. */
export function startSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const { network } = job;
  const net = network.vertices[vertexIndex];
  const vertex = job.vertices[vertexIndex];
  refreshChains(network, job);
  resetSubtask(vertex.columns, subtask);
  vertex.columns.stateBytes[subtask] = vertex.model.operators.reduce((sum, operator) => sum + (operator.state?.initialBytes ?? 0) / vertex.parallelism, 0);
  net.running[subtask] = 1;
  net.finished[subtask] = 0;
  net.startedMs[subtask] = state.nowMs;
  net.stallMs[subtask] = 0;
  net.failureCounted[subtask] = 0;
  net.owed[subtask] = 0;
  net.windowPending[subtask] = 0;
  net.windowFired[subtask] = 0;
  net.utilization[subtask] = 0;
  net.throughput[subtask] = 0;
  net.pace[subtask] = 0;
  for (const e of net.outputs) {
    network.edges[e].emitted[subtask] = 0;
    network.edges[e].nextShareDraw[subtask] = 0;
  }
  placeSubtask(job, vertexIndex, subtask);
}

/** The attempt is over: what is in its queues is lost, unless it has finished (then its consumers still get all of it). */
export function stopSubtask(_state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const { network } = job;
  const net = network.vertices[vertexIndex];
  net.running[subtask] = 0;
  if (net.finished[subtask] === 1) return;
  for (let i = net.inputStart[subtask]; i < net.inputStart[subtask + 1]; i++) dropRecords(job, net.inputChannels[i]);
  for (const e of net.outputs) {
    const edge = network.edges[e];
    if (edge.aggregate !== null) edge.aggregate.producerRecords[subtask] = 0;
    else for (let c = edge.channelStart[subtask]; c < edge.channelStart[subtask + 1]; c++) dropRecords(job, c);
  }
  const { columns } = job.vertices[vertexIndex];
  for (const gauge of ['inputQueueLength', 'inputQueueSizeBytes', 'inPoolUsage', 'inputExclusiveBuffersUsage', 'inputFloatingBuffersUsage', 'outPoolUsage', 'outputQueueLength', 'outputQueueSizeBytes', 'usedSegments', 'busyShare', 'idleShare', 'softBackPressuredShare', 'hardBackPressuredShare'] as const) {
    columns[gauge][subtask] = 0;
  }
  // A checkpoint cannot go on without one of its tasks.
  network.barriers.length = 0;
  for (const vertex of network.vertices) vertex.openMarks.fill(0);
}

function dropRecords(job: JobState, c: number): void {
  const { channels } = job.network;
  for (const column of [channels.enqueued, channels.dequeued, channels.producerRecords, channels.gateRecords, channels.gateBuffers, channels.producerWaste, channels.inflow, channels.held, channels.open, channels.arrived]) column[c] = 0;
  channels.ended[c] = 0;
  channels.watermark[c] = NO_WATERMARK;
}

/** Finds out which channels of a subtask are local, now that it is placed. */
function placeSubtask(job: JobState, v: number, s: number): void {
  const { network } = job;
  const { channels } = network;
  const net = network.vertices[v];
  const hostOf = (vertex: number, subtask: number) => job.vertices[vertex].subtasks[subtask].current.taskManagerId;
  const place = (c: number) => {
    const edge = network.edges[channels.edge[c]];
    const producer = hostOf(edge.sourceVertex, channels.producer[c]);
    const local = producer !== null && producer === hostOf(edge.targetVertex, channels.consumer[c]) ? 1 : 0;
    channels.local[c] = local;
  };
  for (const e of [...net.inputs, ...net.outputs]) {
    const edge = network.edges[e];
    if (edge.aggregate !== null) placeAggregated(job, edge);
  }
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) if (channels.producer[net.inputChannels[i]] >= 0) place(net.inputChannels[i]);
  for (const e of net.outputs) {
    const edge = network.edges[e];
    if (edge.aggregate === null) for (let c = edge.channelStart[s]; c < edge.channelStart[s + 1]; c++) place(c);
  }
  for (const e of [...net.inputs, ...net.outputs]) countChannels(job, e);
}

function countChannels(job: JobState, e: number): void {
  const { channels, edges } = job.network;
  const edge = edges[e];
  if (edge.aggregate !== null) return;
  edge.remoteChannels.fill(0);
  edge.localChannels.fill(0);
  for (let c = edge.channelStart[0]; c < edge.channelStart[edge.channelStart.length - 1]; c++) {
    if (channels.local[c] === 1) edge.localChannels[channels.consumer[c]]++;
    else edge.remoteChannels[channels.consumer[c]]++;
  }
}
