import type { RateStep } from '../model/job-model.js';
import type { VertexNetworkState } from '../state/network-state.js';

/** The rate at `elapsedMs`, records/s; steps sorted by afterMs, each moving from where the one before had come to. */
export function rateAt(steps: readonly RateStep[], elapsedMs: number): number {
  let rate = 0;
  for (let i = 0; i < steps.length && steps[i].afterMs <= elapsedMs; i++) {
    const { afterMs, recordsPerSecond, rampMs } = steps[i];
    const untilMs = Math.min(elapsedMs, i + 1 < steps.length ? steps[i + 1].afterMs : Infinity);
    rate = untilMs - afterMs >= rampMs ? recordsPerSecond : rate + ((recordsPerSecond - rate) * (untilMs - afterMs)) / rampMs;
  }
  return rate;
}

/** Records offered between two instants; exact, since the rate is linear between the bends. */
export function offeredRecords(steps: readonly RateStep[], fromMs: number, toMs: number): number {
  let records = 0;
  let atMs = Math.max(0, fromMs);
  while (atMs < toMs) {
    let untilMs = toMs;
    for (const { afterMs, rampMs } of steps) {
      if (afterMs > atMs) untilMs = Math.min(untilMs, afterMs);
      if (afterMs + rampMs > atMs) untilMs = Math.min(untilMs, afterMs + rampMs);
    }
    const begin = rateAt(steps, atMs);
    // The value just before the end: a step that begins there does not count yet.
    const end = rateAt(steps, untilMs - (untilMs - atMs) * 1e-9);
    records += ((begin + end) / 2) * ((untilMs - atMs) / 1000);
    atMs = untilMs;
  }
  return records;
}

/** Records that a generator offers to all its subtasks in a tick, when each has run since `startedMs`. */
export function offeredByGenerator(net: VertexNetworkState, steps: readonly RateStep[], startedMs: number, fromMs: number, toMs: number): number {
  const override = net.rateOverride;
  if (override === null) return offeredRecords(steps, fromMs - startedMs, toMs - startedMs);
  const { sinceMs, fromRecordsPerSecond, recordsPerSecond, rampMs } = override;
  const now: RateStep[] = [
    { afterMs: -1, recordsPerSecond: fromRecordsPerSecond, rampMs: 0 },
    { afterMs: 0, recordsPerSecond, rampMs },
  ];
  const before = fromMs < sinceMs ? offeredRecords(steps, fromMs - startedMs, Math.min(toMs, sinceMs) - startedMs) : 0;
  return before + offeredRecords(now, fromMs - sinceMs, toMs - sinceMs);
}
