import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { NO_WATERMARK, resetSubtask } from '../state/subtask-columns.js';
import { dropProducer } from './aggregated-edge.js';
import { resetSourceWatermarks } from './source-watermarks.js';

/** The subtask's attempt is RUNNING: its counters start at 0, at state.nowMs. */
export function startSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const { network } = job;
  const net = network.vertices[vertexIndex];
  const vertex = job.vertices[vertexIndex];
  resetSubtask(vertex.columns, subtask);
  vertex.columns.stateBytes[subtask] = vertex.model.operators.reduce((sum, operator) => sum + (operator.state?.initialBytes ?? 0) / vertex.parallelism, 0);
  resetSourceWatermarks(net, subtask);
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
  for (const e of net.outputs) beginOutput(job, e, subtask);
  network.placed = false;
}

/** The attempt is over: what is in its queues is lost, unless it has finished (then its consumers still get all of it). */
export function stopSubtask(_state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const { network } = job;
  const net = network.vertices[vertexIndex];
  net.running[subtask] = 0;
  if (net.finished[subtask] === 1) return;
  for (let i = net.inputStart[subtask]; i < net.inputStart[subtask + 1]; i++) {
    const c = net.inputChannels[i];
    if (network.edges[network.channels.edge[c]].blocking) rewind(job, c);
    else dropRecords(job, c);
  }
  for (const e of net.outputs) {
    const edge = network.edges[e];
    if (edge.aggregate !== null) dropProducer(network, edge, subtask);
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

/** A new attempt writes its result from the beginning; what one that had finished left is dropped. */
function beginOutput(job: JobState, e: number, subtask: number): void {
  const { channels, edges } = job.network;
  const edge = edges[e];
  edge.emitted[subtask] = 0;
  edge.nextShareDraw[subtask] = 0;
  if (edge.aggregate === null) {
    for (let c = edge.channelStart[subtask]; c < edge.channelStart[subtask + 1]; c++) if (channels.ended[c] === 1) dropRecords(job, c);
    return;
  }
  const { localStart, share } = edge.aggregate;
  for (let c = localStart; c < localStart + 2 * share.length; c++) if (channels.ended[c] === 1) dropRecords(job, c);
}

/** A stored result is read again from the beginning by the next attempt. */
function rewind(job: JobState, c: number): void {
  const { channels } = job.network;
  channels.producerRecords[c] = channels.enqueued[c];
  channels.dequeued[c] = 0;
  channels.gateRecords[c] = 0;
  channels.gateBuffers[c] = 0;
  channels.watermark[c] = NO_WATERMARK;
}

function dropRecords(job: JobState, c: number): void {
  const { channels } = job.network;
  for (const column of [channels.enqueued, channels.dequeued, channels.producerRecords, channels.gateRecords, channels.gateBuffers, channels.producerWaste, channels.spreadWaste, channels.inflow, channels.held, channels.open, channels.arrived]) column[c] = 0;
  channels.ended[c] = 0;
  channels.watermark[c] = NO_WATERMARK;
}
