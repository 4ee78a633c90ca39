import { NO_WATERMARK } from '../state/subtask-columns.js';
import type { AggregatedEdgeState, VertexNetworkState } from '../state/network-state.js';
import type { TickContext } from './events.js';

/** Records in a channel so few that what comes behind them is there. */
const NOTHING = 1e-3;

/**
 * Event time moves on: a channel's watermark is its producer's, late by what lies in the channel. A consumer's is the least of its
 * channels, without those whose producers are idle, and those that were and have not caught up; when all are idle the greatest goes out,
 * and the consumer is idle itself (StatusWatermarkValve).
 */
export function writeWatermarks(ctx: TickContext, v: number): void {
  const { network, job } = ctx;
  const { channels } = network;
  const net = network.vertices[v];
  if (net.inputs.length === 0) return;
  const { columns } = job.vertices[v];
  for (const e of net.inputs) {
    const { aggregate, sourceVertex } = network.edges[e];
    if (aggregate !== null) writeAggregate(aggregate, network.vertices[sourceVertex], job.vertices[sourceVertex].columns.currentOutputWatermark);
  }
  for (let s = 0; s < net.running.length; s++) {
    if (net.running[s] === 0) continue;
    let least = Infinity;
    let greatest = NO_WATERMARK;
    let active = 0;
    let ended = 0;
    for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
      const c = net.inputChannels[i];
      if (channels.weight[c] === 0) continue;
      const edge = network.edges[channels.edge[c]];
      const { aggregate, sourceVertex } = edge;
      const sent = aggregate !== null ? aggregate.watermark : job.vertices[sourceVertex].columns.currentOutputWatermark[channels.producer[c]];
      const queued = channels.producerRecords[c] + channels.gateRecords[c];
      if (sent > NO_WATERMARK) {
        const rate = Math.max(channels.inflow[c], 1e-9);
        const seen = Math.floor(sent - Math.min(queued / rate, 86_400_000));
        if (seen > channels.watermark[c]) channels.watermark[c] = seen;
      }
      // What has ended sent the greatest watermark there is.
      if (channels.ended[c] === 1 && queued < NOTHING) {
        ended++;
        continue;
      }
      const watermark = channels.watermark[c];
      greatest = Math.max(greatest, watermark);
      const isIdle = aggregate !== null ? aggregate.idle : network.vertices[sourceVertex].idleOutput[channels.producer[c]] === 1;
      if (isIdle && queued < NOTHING) continue;
      active++;
      if (watermark >= columns.currentInputWatermark[s]) least = Math.min(least, watermark);
    }
    const isIdle = active + ended === 0 && net.inputStart[s + 1] > net.inputStart[s];
    net.idleOutput[s] = isIdle ? 1 : 0;
    const next = isIdle ? greatest : least;
    if (next !== Infinity && next > columns.currentInputWatermark[s]) {
      columns.currentInputWatermark[s] = next;
      columns.currentOutputWatermark[s] = next;
    }
  }
}

function writeAggregate(aggregate: AggregatedEdgeState, producers: VertexNetworkState, watermarks: Float64Array): void {
  let least = Infinity;
  let greatest = NO_WATERMARK;
  for (let p = 0; p < watermarks.length; p++) {
    if (watermarks[p] > greatest) greatest = watermarks[p];
    if (producers.idleOutput[p] === 0 && watermarks[p] < least) least = watermarks[p];
  }
  aggregate.idle = least === Infinity && watermarks.length > 0;
  aggregate.watermark = aggregate.idle ? greatest : least;
}
