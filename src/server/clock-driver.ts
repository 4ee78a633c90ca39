import type { ServerResponse } from 'node:http';
import type { Simulation } from '../simulation/simulation.js';
import type { VirtualClock } from './clock.js';

/** How long a slice may keep the event loop, and how often the simulation is looked after without requests. */
const SLICE_MS = 8;
const INTERVAL_MS = 50;

/**
 * Requests that come so soon after another are answered of the same instant (wall ms), as over a slower network: what was worked out for the
 * first serves the others.
 */
export const SAME_INSTANT_MS = 5;

/** How long a part of a step may keep the event loop, where steps are split, in wall ms. */
const PART_MS = 3;

/** While a step is under way, answers of the instant before it are given again, if that one was looked at so lately (wall ms). */
const JUST_BEFORE_MS = 200;

/** How far virtual time may fall behind before the clock is set back to it, in wall ms. */
const TOLERATED_LAG_MS = 250;

/** Lets the simulation follow the clock: before requests, and in small slices between them. */
export class ClockDriver {
  private timer: NodeJS.Timeout | undefined;
  private continuation: NodeJS.Immediate | undefined;
  private stopped = false;
  private caughtUpAt = -Infinity;
  private lookedAt = -Infinity;
  private openRequests = 0;
  /** Steps may be split, so that answers which are known need not wait for them: nobody but requests looks at the state. */
  splitsSteps = false;
  /** Called before time passes. */
  beforeAdvance: () => void = () => undefined;
  /** Called whenever the simulation has gone on. */
  onAdvance: () => void = () => undefined;
  /** Called after each step of the simulation, at most a tick long. */
  onStep: () => void = () => undefined;

  constructor(
    private readonly simulation: Simulation,
    private readonly clock: VirtualClock,
    private readonly wallNow: () => number = () => performance.now(),
    /** Whether a clock waits for a simulation that cannot keep up; if not, the simulation comes after it when it can. */
    private readonly clockWaits = true,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.follow(), INTERVAL_MS);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
    clearImmediate(this.continuation);
  }

  /** Before an answer: the simulation is of now, or of a few ms ago where the clock runs by itself. */
  beforeAnswer(): void {
    this.lookedAt = this.wallNow();
    if (!this.clock.paused && !this.simulation.isUnderway && this.lookedAt - this.caughtUpAt < SAME_INSTANT_MS) return;
    this.catchUp();
  }

  /** A step is under way, and what was answered just before it still does. */
  isBetween(): boolean {
    return this.simulation.isUnderway && this.wallNow() - this.lookedAt < JUST_BEFORE_MS;
  }

  /** Somebody looks at the state from now until the response is over: it has to be of an instant all the while. */
  hold(response: ServerResponse): void {
    this.openRequests++;
    response.once('close', () => void this.openRequests--);
    this.completeStep();
  }

  private completeStep(): void {
    if (!this.simulation.isUnderway) return;
    this.simulation.complete();
    this.onStep();
    this.onAdvance();
  }

  /** Brings the simulation to the clock's now, as far as one slice goes; true when it got there. */
  catchUp(): boolean {
    this.completeStep();
    return this.goOn(false);
  }

  private goOn(inParts: boolean): boolean {
    const arrived = this.advance(inParts);
    // From when it is done: many requests that are read in one turn of the event loop must not make a slice each.
    this.caughtUpAt = this.wallNow();
    return arrived;
  }

  private advance(inParts: boolean): boolean {
    const { simulation, clock } = this;
    const targetMs = clock.now();
    // The simulated machines' clock has jumped: this one goes with it.
    if (simulation.nowMs > targetMs + simulation.state.model.tickMs) clock.moveTo(simulation.nowMs);
    if (simulation.nowMs >= targetMs && !simulation.isUnderway) return true;
    if (!simulation.isUnderway) this.beforeAdvance();
    const deadline = this.wallNow() + (inParts ? PART_MS : SLICE_MS);
    const { tickMs } = simulation.state.model;
    while (simulation.nowMs < targetMs || simulation.isUnderway) {
      const nextMs = Math.min(targetMs, simulation.nowMs + tickMs);
      if (!inParts) simulation.advanceTo(nextMs);
      else if (!simulation.advanceInParts(nextMs, () => this.wallNow() < deadline)) return false;
      this.onStep();
      if (this.wallNow() >= deadline) break;
    }
    this.onAdvance();
    const arrived = simulation.nowMs >= targetMs;
    // A simulation that cannot keep up runs slower than asked for, rather than making requests wait.
    if (!arrived && this.clockWaits && clock.mode === 'real' && targetMs - simulation.nowMs > TOLERATED_LAG_MS * clock.speed) clock.setBack(simulation.nowMs);
    return arrived;
  }

  /** Moves a clock to an instant and the simulation after it, giving way to other work between slices. */
  async moveTo(virtualMs: number): Promise<void> {
    await this.moveUntil(() => false, virtualMs);
  }

  /** Moves on, tick by tick, until the condition is met or the instant has come; says whether it was met. Ends early when the driver is stopped. */
  async moveUntil(isMet: () => boolean, virtualMs: number): Promise<boolean> {
    const { simulation, clock } = this;
    const wasPaused = clock.paused;
    clock.pause();
    try {
      for (;;) {
        if (isMet()) return true;
        if (simulation.nowMs >= virtualMs || this.stopped) return false;
        clock.moveTo(Math.min(virtualMs, simulation.nowMs + simulation.state.model.tickMs));
        if (!this.catchUp() || this.wallNow() > this.sliceEnd) {
          this.sliceEnd = this.wallNow() + SLICE_MS;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    } finally {
      if (!wasPaused) clock.resume();
    }
  }

  private sliceEnd = 0;

  private follow(): void {
    clearImmediate(this.continuation);
    const arrived = this.splitsSteps && this.openRequests === 0 ? this.goOn(true) : this.catchUp();
    if (!arrived) this.continuation = setImmediate(() => this.follow());
  }
}
