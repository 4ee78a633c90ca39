import { shiftEvents } from '../event-queue.js';
import type { SimulationState } from '../state/simulation-state.js';

/**
 * The wall clock of every machine jumps ahead. Timers run on (they count from a clock of their own), so nothing happens earlier; but all
 * times that are told, and durations that are differences of them, jump. Whole ticks only.
 */
export function jumpClock(state: SimulationState, byMs: number): void {
  const { tickMs } = state.model;
  const ticks = Math.floor(byMs / tickMs);
  if (ticks <= 0) return;
  const jumpMs = ticks * tickMs;
  state.nowMs += jumpMs;
  state.ticks += ticks;
  // All waiting times are kept: events of the scenario too are a stopwatch's.
  shiftEvents(state.queue, jumpMs);
  state.kafka.atMs += jumpMs;
  for (const topic of state.kafka.topics.values()) topic.schedule.startMs += jumpMs;
  for (const { jvm } of [state.jobManager, ...state.taskManagers.values()]) jvm.atMs += jumpMs;
  for (const job of state.jobs.values()) {
    job.network.lastTickMs += jumpMs;
    job.network.calmSinceMs += jumpMs;
    if (job.failover) job.failover = { ...job.failover, resumeAtMs: job.failover.resumeAtMs + jumpMs };
    if (job.checkpoints) job.checkpoints.nextTriggerMs += jumpMs;
  }
  state.revision++;
}
