import type { SimulationState } from '../simulation/state/simulation-state.js';

/** An answer of a handler, as it goes out. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Text, or the bytes of a long one. */
  readonly body: string | Buffer;
  readonly allowOrigin: true;
  /** The whole answer in the form in which it is written, once it was sent a second time. */
  wire?: string;
}

/** Bodies kept at most, and characters (of bytes: their number) of all of them. */
const LIMITS = { entries: 500, characters: 16 * 1024 * 1024 };

/**
 * Answers to GET requests, kept as long as the simulated cluster is at the same instant and nothing was done to it: the same question then has
 * the same answer.
 */
export class AnswerCache {
  private readonly answers = new Map<string, KeptAnswer>();
  private characters = 0;
  private nowMs = NaN;
  private ticks = NaN;
  private revision = NaN;
  private cleared = 0;

  constructor(private readonly state: SimulationState) {}

  get(target: string): KeptAnswer | undefined {
    const { nowMs, ticks, revision } = this.state;
    if (nowMs !== this.nowMs || ticks !== this.ticks || revision !== this.revision) {
      this.clear();
      this.nowMs = nowMs;
      this.ticks = ticks;
      this.revision = revision;
      return undefined;
    }
    return this.answers.get(target);
  }

  /** Whether there may be an answer: there was one at the instant last asked about. */
  has(target: string): boolean {
    return this.answers.has(target);
  }

  /** The answer at the instant last asked about, which may be over. */
  latest(target: string): KeptAnswer | undefined {
    return this.answers.get(target);
  }

  /** To be called right after `get`, at the same instant. */
  set(target: string, answer: KeptAnswer): void {
    const { body } = answer;
    if (body.length > LIMITS.characters / 4) return;
    if (this.answers.size >= LIMITS.entries || this.characters + body.length > LIMITS.characters) this.clear();
    this.answers.set(target, answer);
    this.characters += body.length;
  }

  /** To be called right after `get`, for an answer that takes its time: the result keeps it unless the instant is over by then. */
  setLater(target: string): (answer: KeptAnswer) => void {
    const { cleared } = this;
    return (answer) => {
      const { nowMs, ticks, revision } = this.state;
      if (cleared === this.cleared && nowMs === this.nowMs && ticks === this.ticks && revision === this.revision) this.set(target, answer);
    };
  }

  clear(): void {
    this.cleared++;
    this.answers.clear();
    this.characters = 0;
  }
}
