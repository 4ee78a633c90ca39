import { schedule } from '../event-queue.js';
import { applyKafkaAction } from '../kafka/index.js';
import type { SimulationState } from '../state/simulation-state.js';

/** A topic gets more records for a while, on top of what it got before; then the rate falls back. */
export function burst(state: SimulationState, topic: string, recordsPerSecond: number, forMs: number): void {
  const before = state.kafka.topics.get(topic)?.recordsPerSecond;
  if (before === undefined) return;
  applyKafkaAction(state, { kind: 'set-topic-rate', topic, recordsPerSecond, rampMs: 0 });
  schedule(state.queue, state.nowMs + forMs, 'fault.burst-over', { topic, recordsPerSecond: before });
}

export function onBurstOver(state: SimulationState, { topic, recordsPerSecond }: { readonly topic: string; readonly recordsPerSecond: number }): void {
  applyKafkaAction(state, { kind: 'set-topic-rate', topic, recordsPerSecond, rampMs: 0 });
}
