import type { ServerResponse } from 'node:http';
import type { Simulation } from '../simulation/simulation.js';
import type { VirtualClock } from './clock.js';

/** How long a slice may keep the event loop, and how often the simulation is looked after without requests. */
const SLICE_MS = 4;
const INTERVAL_MS = 50;

/**
 * Requests that come so soon after another are answered of the same instant (wall ms), as over a slower network: what was worked out for the
 * first serves the others.
 */
export const SAME_INSTANT_MS = 5;

/** How long a part of a step may keep the event loop, where steps are split, in wall ms. */
const PART_MS = 3;

/** While a long step is under way, answers of so much earlier are given again, in wall ms. */
const JUST_BEFORE_MS = 200;

/** A cluster whose steps take longer than a part is large: requests do not wait in the event loop for what is due. The longest step counts, and is forgotten slowly, by the tick. */
const FORGETTING = 0.95;

/** For so long a step is put off while somebody looks at the state, and others are answered from the state as it is; wall ms. */
const PUT_OFF_MS = JUST_BEFORE_MS;

/** After so long it is done though somebody still looks, in one go, for nobody may see the middle of it; wall ms. */
const PATIENCE_MS = 300;

/** How far virtual time may fall behind before the clock is set back to it, in wall ms. */
const TOLERATED_LAG_MS = 250;

/** Lets the simulation follow the clock: before requests, and in small slices between them. */
export class ClockDriver {
  private timer: NodeJS.Timeout | undefined;
  private continuation: NodeJS.Immediate | undefined;
  private stopped = false;
  private caughtUpAt = -Infinity;
  /** Who looks at the state. */
  private readonly open = new Set<ServerResponse>();
  /** Wall ms of the step that is under way, and of long ones lately. */
  private stepMs = 0;
  private longestStepMs = 0;
  private ticksBefore = 0;
  /** Wall ms since which the step that is due is put off; NaN = it is not. */
  private putOffSince = NaN;
  /** What was done to the simulation between steps, and its revision as time left it. */
  private changesSeen = 0;
  private revision = NaN;
  /** Who waits for the end of a step. */
  private readonly waiting: (() => void)[] = [];
  /** Requests had a slice in this turn of the event loop, and there is more to do. */
  private hadSlice = false;
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
    this.completeStep();
    this.letGo();
  }

  /** Before an answer: the simulation is of now, or of a few ms ago where the clock runs by itself. */
  beforeAnswer(): void {
    if (!this.clock.paused && !this.simulation.isUnderway && (this.hadSlice || this.wallNow() - this.caughtUpAt < SAME_INSTANT_MS || this.isPutOff(PUT_OFF_MS))) return;
    if (this.catchUp()) return;
    // Many requests may be read in one turn of the event loop.
    this.hadSlice = true;
    setImmediate(() => (this.hadSlice = false));
  }

  /** A long step is under way or due, and what was answered since this virtual instant still does; null = it is not so. */
  justBefore(): number | null {
    if (!this.simulation.isUnderway && !this.hasMuchToDo()) return null;
    this.followSoon();
    return this.clock.now() - JUST_BEFORE_MS * this.clock.speed;
  }

  /** For how long answers may be given again because of long steps, in virtual ms; 0 where steps are short. */
  get justBeforeSpanMs(): number {
    return this.isLarge ? JUST_BEFORE_MS * this.clock.speed : 0;
  }

  /** How often somebody else than time has been seen to change the simulation. */
  changes(): number {
    const { revision } = this.simulation.state;
    if (!this.simulation.isUnderway && revision !== this.revision) {
      this.revision = revision;
      this.changesSeen++;
    }
    return this.changesSeen;
  }

  private get isLarge(): boolean {
    return this.splitsSteps && this.longestStepMs > PART_MS;
  }

  /** Whether nobody is held up for a long step by whoever looks at the state now. If not, `later` is called when it is so. */
  isReady(later: () => void): boolean {
    if (!this.splitsSteps || this.stopped) return true;
    if (!this.simulation.isUnderway && (!this.hasMuchToDo() || this.isPutOff(PUT_OFF_MS))) return true;
    this.followSoon();
    this.waiting.push(later);
    return false;
  }

  /** Somebody looks at the state from now until the response has begun: it has to be of an instant all the while. */
  hold(response: ServerResponse): void {
    this.open.add(response);
    response.once('close', () => void this.open.delete(response));
    this.completeStep();
  }

  private get isHeld(): boolean {
    for (const response of this.open) if (response.headersSent) this.open.delete(response);
    return this.open.size > 0;
  }

  private hasMuchToDo(): boolean {
    return this.isLarge && !this.stopped && !this.clock.paused && this.simulation.nextMs <= this.clock.now();
  }

  private followSoon(): void {
    this.continuation ??= setImmediate(() => this.follow());
  }

  /** Those who waited, as many as a part's time is enough for; the others after the next step. */
  private letGo(): void {
    if (this.simulation.isUnderway) return;
    const untilMs = this.wallNow() + PART_MS;
    do this.waiting.shift()?.();
    while (this.waiting.length > 0 && (this.stopped || this.wallNow() < untilMs));
    if (this.waiting.length > 0) this.followSoon();
  }

  private completeStep(): void {
    if (!this.simulation.isUnderway) return;
    const sinceMs = this.wallNow();
    this.simulation.complete();
    this.stepTook(this.wallNow() - sinceMs);
    this.onStep();
    this.onAdvance();
  }

  /** A step is done, whose last part took so long. */
  private stepTook(lastPartMs: number): void {
    const { ticks, revision } = this.simulation.state;
    this.revision = revision;
    this.longestStepMs = Math.max(this.stepMs + lastPartMs, this.longestStepMs * (ticks === this.ticksBefore ? 1 : FORGETTING));
    this.ticksBefore = ticks;
    this.stepMs = 0;
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
    this.letGo();
    return arrived;
  }

  private advance(inParts: boolean): boolean {
    const { simulation, clock } = this;
    this.putOffSince = NaN;
    const targetMs = clock.now();
    // The simulated machines' clock has jumped: this one goes with it.
    if (simulation.nowMs > targetMs + simulation.state.model.tickMs) clock.moveTo(simulation.nowMs);
    if (simulation.nowMs >= targetMs && !simulation.isUnderway) return true;
    if (!simulation.isUnderway) {
      this.beforeAdvance();
      this.changes();
    }
    const deadline = this.wallNow() + (inParts ? PART_MS : SLICE_MS);
    const { tickMs } = simulation.state.model;
    while (simulation.nowMs < targetMs || simulation.isUnderway) {
      const nextMs = Math.min(targetMs, simulation.nowMs + tickMs);
      const sinceMs = this.wallNow();
      const isDone = inParts ? simulation.advanceInParts(nextMs, () => this.wallNow() < deadline) : (simulation.advanceTo(nextMs), true);
      const wallMs = this.wallNow();
      if (!isDone) {
        this.stepMs += wallMs - sinceMs;
        return false;
      }
      this.stepTook(wallMs - sinceMs);
      this.onStep();
      if (wallMs >= deadline) break;
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

  /** Whether the long step that is due waits for those who look at the state, which it does for so many wall ms at most. */
  private isPutOff(forMs: number): boolean {
    if (!this.hasMuchToDo() || !this.isHeld) return false;
    const now = this.wallNow();
    if (Number.isNaN(this.putOffSince)) this.putOffSince = now;
    return now - this.putOffSince < forMs;
  }

  private follow(): void {
    clearImmediate(this.continuation);
    this.continuation = undefined;
    if (this.isPutOff(PATIENCE_MS)) return this.followSoon();
    const arrived = this.splitsSteps && !this.isHeld ? this.goOn(true) : this.catchUp();
    if (!arrived) this.followSoon();
  }
}
