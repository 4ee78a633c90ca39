import type { BarrierState, JobNetworkState } from '../state/network-state.js';

/** Positions are sums of many real numbers: a barrier counts as reached within that many records. */
export const POSITION_EPSILON = 1e-6;

function blocks(barrier: BarrierState, v: number, s: number, c: number): boolean {
  return barrier.exactlyOnce && !barrier.overtaking && barrier.reached[c] === 1 && barrier.done[v][s] === 0;
}

/** The channel stands still: its barrier waits for those of the others. */
export function isBlocked(network: JobNetworkState, v: number, s: number, c: number): boolean {
  for (const barrier of network.barriers) if (blocks(barrier, v, s, c)) return true;
  return false;
}

/** Records that a consumer may take from a channel before a barrier stops it (exactly once only). */
export function drainLimit(network: JobNetworkState, v: number, s: number, c: number): number {
  for (const barrier of network.barriers) {
    if (Number.isNaN(barrier.markPosition[c])) continue;
    if (barrier.reached[c] === 1) {
      if (blocks(barrier, v, s, c)) return 0;
    } else if (barrier.exactlyOnce && !barrier.overtaking) return Math.max(0, barrier.markPosition[c] - network.channels.dequeued[c]);
  }
  return Infinity;
}

/** Records up to the next barrier in the channel that has to be reached by working off what lies ahead; Infinity = none. */
export function distanceToMark(network: JobNetworkState, c: number, atMs: number): number {
  for (const barrier of network.barriers) {
    if (Number.isNaN(barrier.markPosition[c]) || barrier.reached[c] === 1 || barrier.overtaking) continue;
    // Where nothing stands still, a barrier that is still on its way to the consumer is no reason to stop.
    if (!barrier.exactlyOnce && !(barrier.markMs[c] <= atMs + 1e-9)) continue;
    return Math.max(0, barrier.markPosition[c] - network.channels.dequeued[c]);
  }
  return Infinity;
}

/** Class of channels: records up to the first barrier among them, which a task that has met none yet waits for; Infinity = none. */
export function distanceToFirst(network: JobNetworkState, v: number, s: number, c: number): number {
  if (network.channels.producer[c] >= 0) return Infinity;
  let least = Infinity;
  for (const barrier of network.barriers) {
    if (barrier.done[v][s] === 1 || barrier.overtaking || !Number.isNaN(barrier.firstReachMs[v][s])) continue;
    const distance = barrier.firstPosition[c] - network.channels.dequeued[c];
    if (distance > POSITION_EPSILON) least = Math.min(least, distance);
  }
  return least;
}

/** Records ahead of the last barrier that has come by `atMs`: in closed buffers, which no time-out holds back. */
export function closedRecords(network: JobNetworkState, c: number, atMs: number): number {
  for (let b = network.barriers.length - 1; b >= 0; b--) {
    const { markPosition, markMs } = network.barriers[b];
    if (markMs[c] <= atMs + 1e-9) return Math.max(0, markPosition[c] - network.channels.dequeued[c]);
  }
  return 0;
}
