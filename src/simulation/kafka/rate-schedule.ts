import type { RateStep } from '../model/job-model.js';
import type { RateScheduleState } from '../state/kafka-state.js';

export function createRateSchedule(startMs: number, steps: readonly RateStep[]): RateScheduleState {
  return { startMs, fromRate: 0, toRate: 0, rampMs: 0, steps, nextStep: 0 };
}

/** The offered rate at an instant, records/s, by the segment that holds. */
export function rateAt(schedule: RateScheduleState, atMs: number): number {
  const { startMs, fromRate, toRate, rampMs } = schedule;
  if (atMs < startMs) return fromRate;
  if (atMs >= startMs + rampMs) return toRate;
  return fromRate + ((toRate - fromRate) * (atMs - startMs)) / rampMs;
}

/** From `atMs` on the rate moves to `rate` within `rampMs`. */
export function changeRate(schedule: RateScheduleState, atMs: number, rate: number, rampMs: number): void {
  schedule.fromRate = rateAt(schedule, atMs);
  schedule.startMs = atMs;
  schedule.toRate = rate;
  schedule.rampMs = rampMs;
}

/** Records offered in (fromMs, toMs], following the steps (counted from `originMs`) on the way; the rate is linear between bends. */
export function advanceSchedule(schedule: RateScheduleState, originMs: number, fromMs: number, toMs: number): number {
  let records = 0;
  let atMs = fromMs;
  for (;;) {
    const step = schedule.steps[schedule.nextStep];
    const stepMs = step === undefined ? Infinity : originMs + step.afterMs;
    if (stepMs <= atMs) {
      changeRate(schedule, stepMs, step!.recordsPerSecond, step!.rampMs);
      schedule.nextStep++;
      continue;
    }
    if (atMs >= toMs) return records;
    if (atMs < schedule.startMs) {
      // The rate was changed since the last call, at an instant between ticks.
      const changeMs = Math.min(toMs, schedule.startMs);
      records += schedule.fromRate * ((changeMs - atMs) / 1000);
      atMs = changeMs;
      continue;
    }
    const rampEndMs = schedule.startMs + schedule.rampMs;
    const untilMs = Math.min(toMs, stepMs, rampEndMs > atMs ? rampEndMs : Infinity);
    records += ((rateAt(schedule, atMs) + rateAt(schedule, untilMs)) / 2) * ((untilMs - atMs) / 1000);
    atMs = untilMs;
  }
}
