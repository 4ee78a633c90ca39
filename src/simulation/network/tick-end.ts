import { balanceAggregated } from './aggregated-edge.js';
import { markEnded } from './ended-channels.js';
import type { TickContext } from './events.js';

/** Records so few that nothing is left. */
const NOTHING = 1e-6;

/** After the flow of a tick: state grows, tasks end with their inputs, functions fail when they are told to. */
export function endTick(ctx: TickContext): void {
  const { network, job } = ctx;
  for (const edge of network.edges) if (edge.aggregate !== null) balanceAggregated(network, edge);
  for (const { vertexIndex, subtask } of ctx.events.finished) markEnded(network, vertexIndex, subtask);
  for (let v = 0; v < network.vertices.length; v++) {
    const net = network.vertices[v];
    const { operators } = job.vertices[v].model;
    for (let s = 0; s < net.running.length; s++) {
      if (net.running[s] === 0 || net.finished[s] === 1) continue;
      growState(ctx, v, s);
      for (const operator of operators) if (operator.failure !== null && net.failureCounted[s] === 0) checkFailure(ctx, v, s, operator.failure);
      if (!net.isSource && inputsEnded(ctx, v, s)) {
        net.finished[s] = 1;
        ctx.events.finished.push({ vertexIndex: v, subtask: s, atMs: ctx.toMs });
        markEnded(network, v, s);
      }
    }
  }
}

function growState(ctx: TickContext, v: number, s: number): void {
  const { model, parallelism, columns } = ctx.job.vertices[v];
  const records = ctx.network.vertices[v].processed[s];
  for (const operator of model.operators) {
    if (operator.state === null || operator.state.bytesPerRecord === 0) continue;
    columns.stateChangeBytes[s] += records * operator.state.bytesPerRecord;
    const limit = Math.max(operator.state.maxBytes, operator.state.initialBytes) / parallelism;
    columns.stateBytes[s] = Math.max(columns.stateBytes[s], Math.min(limit, columns.stateBytes[s] + records * operator.state.bytesPerRecord));
  }
}

function checkFailure(ctx: TickContext, v: number, s: number, failure: { afterRecords: number; exceptionClass: string; message: string }): void {
  const net = ctx.network.vertices[v];
  const { columns } = ctx.job.vertices[v];
  const taken = net.isSource ? columns.sourceRecordsIn[s] : columns.numRecordsIn[s];
  if (taken < failure.afterRecords) return;
  net.failureCounted[s] = 1;
  ctx.events.failures.push({ vertexIndex: v, subtask: s, exceptionClass: failure.exceptionClass, message: failure.message });
}

/** All producers have ended, all that they sent is worked off and out. */
function inputsEnded(ctx: TickContext, v: number, s: number): boolean {
  const { network } = ctx;
  const { channels } = network;
  const net = network.vertices[v];
  if (net.inputStart[s + 1] === net.inputStart[s]) return false;
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) {
    const c = net.inputChannels[i];
    if (channels.weight[c] > 0 && (channels.ended[c] === 0 || channels.producerRecords[c] + channels.gateRecords[c] > NOTHING)) return false;
  }
  if (net.windowPending[s] > 0) {
    // The end of the input closes the windows.
    net.windowFired[s] += net.windowPending[s];
    net.windowPending[s] = 0;
  }
  return net.windowFired[s] <= NOTHING;
}
