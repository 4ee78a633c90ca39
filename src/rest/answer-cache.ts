import type { SimulationState } from '../simulation/state/simulation-state.js';

/** Bodies kept at most, and characters of all of them. */
const LIMITS = { entries: 500, characters: 16 * 1024 * 1024 };

/**
 * Bodies of GET answers, kept as long as the simulated cluster is at the same instant and nothing was done to it: the same question then has
 * the same answer.
 */
export class AnswerCache {
  private readonly bodies = new Map<string, string>();
  private characters = 0;
  private nowMs = NaN;
  private ticks = NaN;
  private revision = NaN;

  constructor(private readonly state: SimulationState) {}

  get(target: string): string | undefined {
    const { nowMs, ticks, revision } = this.state;
    if (nowMs !== this.nowMs || ticks !== this.ticks || revision !== this.revision) {
      this.clear();
      this.nowMs = nowMs;
      this.ticks = ticks;
      this.revision = revision;
      return undefined;
    }
    return this.bodies.get(target);
  }

  /** To be called right after `get`, at the same instant. */
  set(target: string, body: string): void {
    if (body.length > LIMITS.characters / 4) return;
    if (this.bodies.size >= LIMITS.entries || this.characters + body.length > LIMITS.characters) this.clear();
    this.bodies.set(target, body);
    this.characters += body.length;
  }

  clear(): void {
    this.bodies.clear();
    this.characters = 0;
  }
}
