import { emit } from './flow.js';
import type { TickContext } from './events.js';

/** At the end of a slide the results of the windows are due; they leave as fast as the outputs take them. */
export function fireWindows(ctx: TickContext, v: number, s: number): void {
  const { network, fromMs, toMs } = ctx;
  const net = network.vertices[v];
  if (Math.floor(toMs / net.windowSlideMs) > Math.floor(fromMs / net.windowSlideMs)) {
    ctx.job.vertices[v].columns.numFiredTimers[s] += net.windowPending[s];
    net.windowFired[s] += net.windowPending[s];
    net.windowPending[s] = 0;
  }
  if (net.windowFired[s] <= 0) return;
  let accepted = Infinity;
  for (const e of net.outputs) accepted = Math.min(accepted, network.edges[e].fraction > 0 ? network.edges[e].acceptance[s] / network.edges[e].fraction : Infinity);
  const out = Math.min(net.windowFired[s], accepted);
  net.windowFired[s] -= out;
  emit(ctx, v, s, out);
}
