import { parseDurationMs, parseIso } from '../scenario/units.js';
import type { ClockDriver } from '../server/clock-driver.js';
import type { VirtualClock } from '../server/clock.js';
import type { Simulation } from '../simulation/simulation.js';
import { createCondition, type StateCondition } from './conditions.js';
import { ControlError } from './problem.js';
import type { Turns } from './turns.js';

/** A year: a typing error must not simulate for days. */
export const FARTHEST_MS = 366 * 86_400_000;
export const MAX_SPEED = 100_000;
/** How far `until` looks, unless told otherwise, virtual ms. */
export const DEFAULT_LIMIT_MS = 3_600_000;
/** Callers that wait for a condition at a time. */
const MAX_WAITING = 100;
const LOOK_INTERVAL_MS = 20;

export interface ClockView {
  readonly mode: 'real' | 'manual';
  readonly nowMs: number;
  readonly now: string;
  readonly startMs: number;
  readonly speed: number;
  readonly paused: boolean;
}

/** Milliseconds, or text such as `10 min`. */
export type Duration = number | string;

export function durationOf(duration: Duration): number {
  const ms = typeof duration === 'number' ? duration : parseDurationMs(duration);
  if (ms === null || !(ms >= 0) || ms > FARTHEST_MS) throw new ControlError(400, `found ${JSON.stringify(duration)}; allowed: milliseconds, or a duration such as \`10 min\`, 0 to 366 days`);
  return ms;
}

/** What was waited for has not come about within the limit. */
export class ConditionNotMet extends ControlError {
  constructor(message: string) {
    super(408, message);
    this.name = 'ConditionNotMet';
  }
}

/** The clock in the hands of a test. */
export class TimeControl {
  private waiting = 0;
  private closed = false;
  /** Called when somebody changed the clock. */
  onChange: () => void = () => undefined;

  constructor(
    private readonly simulation: Simulation,
    private readonly clock: VirtualClock,
    private readonly driver: ClockDriver,
    private readonly turns: Turns,
  ) {}

  /** Virtual now, epoch ms. */
  get nowMs(): number {
    return this.clock.now();
  }

  view(): ClockView {
    const { clock, simulation } = this;
    const nowMs = clock.now();
    return { mode: clock.mode, nowMs, now: new Date(nowMs).toISOString(), startMs: simulation.state.model.startMs, speed: clock.speed, paused: clock.paused };
  }

  /** Two advances at once add up. */
  async advanceBy(duration: Duration): Promise<void> {
    const ms = durationOf(duration);
    await this.turns.take(() => {
      // The simulated machines' clock may have jumped: this one goes with it first.
      this.driver.catchUp();
      return this.driver.moveTo(this.clock.now() + ms);
    });
    this.onChange();
  }

  /** To an instant: epoch ms, a Date, or ISO 8601 with an offset. */
  async advanceTo(instant: number | Date | string): Promise<void> {
    const target = instant instanceof Date ? instant.getTime() : typeof instant === 'number' ? instant : (parseIso(instant)?.epochMs ?? NaN);
    if (!Number.isFinite(target)) throw new ControlError(400, `found ${JSON.stringify(instant)}; allowed: epoch milliseconds, or ISO 8601 with an offset`);
    await this.turns.take(async () => {
      const nowMs = this.clock.now();
      if (target < nowMs) throw new ControlError(409, `time does not go back: it is ${new Date(nowMs).toISOString()} already`);
      if (target - nowMs > FARTHEST_MS) throw new ControlError(400, 'no more than a year at once');
      await this.driver.moveTo(target);
    });
    this.onChange();
  }

  /** Advances until the condition is met; false when it was not within the limit (default: an hour of virtual time). */
  async tryAdvanceUntil(condition: StateCondition, limit: Duration = DEFAULT_LIMIT_MS): Promise<boolean> {
    const limitMs = durationOf(limit);
    const met = await this.turns.take(async () => {
      this.driver.catchUp();
      const { state } = this.simulation;
      const isMet = createCondition(condition, state);
      return this.driver.moveUntil(() => isMet(state), this.simulation.nowMs + limitMs);
    });
    this.onChange();
    return met;
  }

  /** Advances until the condition is met; throws ConditionNotMet when it was not within the limit. */
  async advanceUntil(condition: StateCondition, limit: Duration = DEFAULT_LIMIT_MS): Promise<void> {
    const fromMs = this.nowMs;
    if (await this.tryAdvanceUntil(condition, limit)) return;
    const shown = typeof condition === 'function' ? (condition.name === '' ? 'the condition' : condition.name) : JSON.stringify(condition);
    throw new ConditionNotMet(`${shown} was not met in ${(this.nowMs - fromMs) / 1_000} s of virtual time; it is ${new Date(this.nowMs).toISOString()}`);
  }

  /** Waits, while the clock runs (or others advance it), until the condition is met; false when the wall time is over. */
  async waitUntil(condition: StateCondition, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (this.waiting >= MAX_WAITING) throw new ControlError(429, `${MAX_WAITING} callers wait already; no more are allowed`);
    const { state } = this.simulation;
    const isMet = createCondition(condition, state);
    const endMs = performance.now() + timeoutMs;
    this.waiting++;
    try {
      for (;;) {
        this.driver.catchUp();
        if (isMet(state)) return true;
        if (this.closed || signal?.aborted || performance.now() >= endMs) return false;
        await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS));
      }
    } finally {
      this.waiting--;
    }
  }

  /** Virtual ms per ms of the wall, 0 to 100,000. */
  setSpeed(speed: number): void {
    if (!(speed >= 0 && speed <= MAX_SPEED)) throw new ControlError(400, `found ${speed}; allowed: a speed from 0 to ${MAX_SPEED}`);
    this.clock.setSpeed(speed);
    if (speed === 0) this.hold();
    this.onChange();
  }

  pause(): void {
    this.clock.pause();
    this.hold();
    this.onChange();
  }

  resume(): void {
    if (this.clock.mode === 'manual') throw new ControlError(409, 'a manual clock stands by itself; advance it with advanceMs or to');
    this.clock.resume();
    this.onChange();
  }

  /** A clock that stands, stands where the simulation is: one that could not keep up does not run on. */
  private hold(): void {
    if (this.clock.mode === 'manual') return;
    this.driver.catchUp();
    this.clock.setBack(this.simulation.nowMs);
  }

  close(): void {
    this.closed = true;
  }
}
