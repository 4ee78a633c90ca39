import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { uniform } from '../random.js';
import { LOCK_CHANCE_PER_BUFFER, LOCK_CHANCE_PER_ROUND, LOCK_WAKE_UP_US } from './constants.js';

/**
 * Records until a blocked legacy source lets somebody else have the checkpoint lock. It sits in the lock while it waits for buffers; then it
 * fills them, and the lock changes hands with some luck: `inStep` = each time its round-robin output has got new buffers for all subpartitions,
 * else with each buffer.
 */
export function recordsInLock(state: SimulationState, job: JobState, checkpointId: number, v: number, s: number, what: string, inStep: boolean): number {
  const { network } = job;
  const net = network.vertices[v];
  const { operators } = job.vertices[v].model;
  let round = Infinity;
  for (const e of net.outputs) {
    const edge = network.edges[e];
    round = Math.min(round, edge.recordsPerBuffer * (!inStep || edge.randomShares || edge.broadcast ? 1 : edge.subpartitions[s]));
  }
  if (round === Infinity) return 0;
  // What the source itself does for a record (reading, deserializing) it does outside of the lock.
  const perRound = 1 - (1 - (inStep ? LOCK_CHANCE_PER_ROUND : LOCK_CHANCE_PER_BUFFER)) * Math.exp((-operators[0].serviceTimeUs * Math.max(1, round)) / LOCK_WAKE_UP_US);
  const { seed } = state.model;
  const misses = perRound < 1 ? Math.floor(Math.log(1 - uniform(seed, what, 'lock', job.id, checkpointId, job.vertices[v].id, s)) / Math.log(1 - perRound)) : 0;
  return ((uniform(seed, what, 'buffer', job.id, checkpointId, job.vertices[v].id, s) + misses) * round) / Math.max(net.selectivity, 1e-9);
}

/** The source is never idle: it emits at full speed or waits for buffers. */
export function hasBacklog(job: JobState, v: number, s: number): boolean {
  const net = job.network.vertices[v];
  return net.blocked[s] === 1 || (net.capacity[s] > 0 && net.processed[s] >= net.capacity[s]);
}
