import type { TickContext } from './events.js';
import { planOverdraft } from './overdraft.js';

/** Flink's defaults: a look at the throughput every 200 ms, an average over 20 of them, changes of less than a quarter do not matter. */
const PERIOD_MS = 200;
const SAMPLES = 20;
const THRESHOLD = 0.25;

/** Makes buffers as large as what the consumers take within the target time, over the buffers in use (FLIP-183). */
export function debloatBuffers(ctx: TickContext): void {
  const { network, job } = ctx;
  const { options, edges } = network;
  if (!options.bufferDebloatEnabled) return;
  const periods = Math.floor(ctx.toMs / PERIOD_MS) - Math.floor(ctx.fromMs / PERIOD_MS);
  if (periods <= 0) return;
  const weight = 1 - (1 - 2 / (SAMPLES + 1)) ** periods;
  for (let e = 0; e < edges.length; e++) {
    const edge = edges[e];
    const { throughput, running } = network.vertices[edge.targetVertex];
    const { inputQueueLength } = job.vertices[edge.targetVertex].columns;
    let bytesPerMs = 0;
    let buffers = 0;
    for (let s = 0; s < running.length; s++) {
      bytesPerMs += throughput[s] * edge.wireBytes;
      buffers += Math.max(1, inputQueueLength[s]);
    }
    const wanted = Math.min(options.segmentBytes, Math.max(options.bufferDebloatMinBytes, (bytesPerMs * options.bufferDebloatTargetMs) / buffers));
    const size = edge.averageBufferBytes + (wanted - edge.averageBufferBytes) * weight;
    edge.averageBufferBytes = size;
    if (Math.abs(size - edge.bufferBytes) < THRESHOLD * edge.bufferBytes && size < 0.99 * options.segmentBytes) continue;
    edge.bufferBytes = Math.min(options.segmentBytes, Math.round(size));
    edge.recordsPerBuffer = edge.bufferBytes / edge.wireBytes;
    planOverdraft(network, network.vertices[edge.sourceVertex]);
  }
}
