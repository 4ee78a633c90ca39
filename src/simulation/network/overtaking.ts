import type { BarrierState } from '../state/network-state.js';
import { POSITION_EPSILON } from './barrier-channels.js';
import { passOn } from './barriers.js';
import { hasBacklog, recordsInLock } from './checkpoint-lock.js';
import type { TickContext } from './events.js';

/** Barriers whose aligned time-out has passed overtake what is ahead of them from now on; what they overtake is persisted. */
export function startOvertaking(ctx: TickContext): void {
  const { network } = ctx;
  for (const barrier of network.barriers) {
    if (barrier.overtaking || barrier.overtakesFromMs > ctx.fromMs) continue;
    barrier.overtaking = true;
    const { channels } = network;
    for (let c = 0; c < channels.count; c++) {
      if (Number.isNaN(barrier.markPosition[c]) || barrier.reached[c] === 1) continue;
      const edge = network.edges[channels.edge[c]];
      const ahead = Math.max(0, barrier.markPosition[c] - channels.dequeued[c]);
      const atGate = channels.local[c] === 1 ? 0 : channels.gateRecords[c];
      const inProducer = Math.max(0, ahead - atGate);
      // A task that has met no barrier yet keeps what is at its gate when it meets one. A producer that has answered cannot add to its answer.
      const consumer = channels.consumer[c];
      const kept = Number.isNaN(barrier.firstReachMs[edge.targetVertex][consumer]) ? 0 : Math.min(ahead, atGate);
      const answered = channels.producer[c] < 0 || barrier.done[edge.sourceVertex][channels.producer[c]] === 1;
      if (!answered) barrier.persistedBytes[edge.sourceVertex][channels.producer[c]] += inProducer * edge.wireBytes;
      barrier.persistedBytes[edge.targetVertex][consumer] += (kept + (answered ? inProducer : 0)) * edge.wireBytes;
      const lateMs = inProducer > POSITION_EPSILON ? lockedMs(ctx, barrier, edge.sourceVertex, channels.producer[c]) : 0;
      barrier.convertedLate[c] = lateMs > 0 ? 1 : 0;
      barrier.markMs[c] = Math.max(barrier.markMs[c], ctx.fromMs + lateMs);
    }
    for (let v = 0; v < network.vertices.length; v++) {
      const first = barrier.firstReachMs[v];
      for (let s = 0; s < first.length; s++) if (!Number.isNaN(first[s]) && barrier.passedOn[v][s] === 0) passOn(ctx, barrier, v, s, ctx.fromMs);
    }
  }
}

/** Barriers in a task's own buffers turn at its own time-out: a blocked legacy source gets to that when it lets go of the lock. */
function lockedMs(ctx: TickContext, barrier: BarrierState, v: number, s: number): number {
  const net = ctx.network.vertices[v];
  if (s < 0 || !net.legacySource || !hasBacklog(ctx.job, v, s)) return 0;
  return recordsInLock(ctx.state, ctx.job, barrier.checkpointId, v, s, 'time-out', false) / Math.max(net.pace[s], 1e-6);
}
