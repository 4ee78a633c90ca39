import { nextEventMs, popEvent } from './event-queue.js';
import { applyAction } from './commands.js';
import { handleEvent, tick } from './step.js';
import type { SimulationModel } from './model/simulation-model.js';
import type { TimelineAction } from './model/timeline-event.js';
import type { SimulationState } from './state/simulation-state.js';
import { createSimulationState } from './create-state.js';
import { inOneGo, type Parts } from './parts.js';

/** Most events concern one task. */
const EVENTS_IN_PART = 20;

/** A model and how much of it is history when it opens, such as a loaded scenario. */
export interface SimulationInput {
  readonly model: SimulationModel;
  readonly openAtMs?: number;
}

/**
 * A cluster that lives in virtual time. Pure: it does nothing by itself, reads no clock and draws no random number that the model's seed
 * does not give; the same model and the same calls at the same virtual instants give the same state.
 */
export class Simulation {
  readonly state: SimulationState;
  /** A passage of time that was put down. */
  #underway: Parts | null = null;

  constructor(input: SimulationModel | SimulationInput) {
    this.state = createSimulationState('model' in input ? input.model : input);
    if ('model' in input && input.openAtMs) this.advanceBy(input.openAtMs);
  }

  /** Virtual now, epoch ms. */
  get nowMs(): number {
    return this.state.nowMs;
  }

  /** When something happens next if time passes: an event, or a tick. */
  get nextMs(): number {
    return Math.min(this.#tickEndMs(), nextEventMs(this.state.queue));
  }

  #tickEndMs(): number {
    const { startMs, tickMs } = this.state.model;
    return startMs + (this.state.ticks + 1) * tickMs;
  }

  /** Lets time pass until `epochMs` (a time in the past does nothing): every event and every tick up to and including it happens. */
  advanceTo(epochMs: number): void {
    this.complete();
    inOneGo(this.#pass(epochMs));
  }

  /**
   * As advanceTo, for so long as `mayGoOn` (asked after each part of the work); says whether the instant has come. If not, the state is of no
   * instant: only this, `complete` or another advance may come next.
   */
  advanceInParts(epochMs: number, mayGoOn: () => boolean): boolean {
    this.#underway ??= this.#pass(epochMs);
    do {
      if (!this.#underway.next().done) continue;
      this.#underway = null;
      return true;
    } while (mayGoOn());
    return false;
  }

  /** Whether a passage of time was put down. */
  get isUnderway(): boolean {
    return this.#underway !== null;
  }

  /** Does the rest of what was put down. */
  complete(): void {
    if (this.#underway === null) return;
    const parts = this.#underway;
    this.#underway = null;
    inOneGo(parts);
  }

  *#pass(epochMs: number): Parts {
    const { state } = this;
    let events = 0;
    for (;;) {
      const tickEndMs = this.#tickEndMs();
      const eventMs = nextEventMs(state.queue);
      const nextMs = Math.min(tickEndMs, eventMs);
      if (nextMs > epochMs) break;
      state.nowMs = Math.max(state.nowMs, nextMs);
      if (eventMs <= tickEndMs) {
        const parts = handleEvent(state, popEvent(state.queue)!);
        if (parts) yield* parts;
        if (++events % EVENTS_IN_PART === 0) yield;
      } else yield* tick(state);
    }
    if (epochMs > state.nowMs) state.nowMs = epochMs;
  }

  advanceBy(ms: number): void {
    this.advanceTo(this.state.nowMs + ms);
  }

  /** Lets time pass, tick by tick, until `isMet`, at most `limitMs`; says whether it was met. */
  advanceUntil(isMet: (state: SimulationState) => boolean, limitMs: number): boolean {
    const { state } = this;
    const endMs = state.nowMs + limitMs;
    while (!isMet(state)) {
      if (state.nowMs >= endMs) return false;
      this.advanceTo(Math.min(endMs, state.nowMs + state.model.tickMs));
    }
    return true;
  }

  /** What a scenario's timeline can do, now. */
  apply(action: TimelineAction): void {
    this.complete();
    applyAction(this.state, action);
    this.state.revision++;
  }

  /** Goes on from another state, of the same Flink version; the object `state` stays the same. */
  replaceState(state: SimulationState): void {
    this.#underway = null;
    for (const key of Object.keys(this.state)) delete (this.state as unknown as Record<string, unknown>)[key];
    Object.assign(this.state, state);
  }
}
