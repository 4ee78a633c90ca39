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
  /** Answers of instants that are over. */
  private readonly earlier = new Map<string, { readonly answer: KeptAnswer; readonly atMs: number }>();
  private earlierCharacters = 0;

  private changesSeen = NaN;

  /**
   * @param spanMs for how long after its instant an answer is kept beside, for `latest`; virtual ms
   * @param changes counts what was done to the cluster from outside: answers of before are gone then
   */
  constructor(
    private readonly state: SimulationState,
    private readonly spanMs: () => number = () => 0,
    private readonly changes: () => number = () => state.revision,
  ) {}

  get(target: string): KeptAnswer | undefined {
    this.forgetIfChanged();
    const { nowMs, ticks, revision } = this.state;
    if (nowMs !== this.nowMs || ticks !== this.ticks || revision !== this.revision) {
      const spanMs = this.spanMs();
      if (spanMs > 0) this.putBy(nowMs - spanMs);
      else this.clear();
      this.nowMs = nowMs;
      this.ticks = ticks;
      this.revision = revision;
      return undefined;
    }
    return this.answers.get(target);
  }

  /** Whether there may be an answer: there was one at the instant last asked about, or lately. */
  has(target: string): boolean {
    return this.answers.has(target) || this.earlier.has(target);
  }

  /** The last answer, though its instant may be over, if that was not before `sinceMs`. */
  latest(target: string, sinceMs: number): KeptAnswer | undefined {
    this.forgetIfChanged();
    const last = this.answers.get(target);
    if (last !== undefined) return this.nowMs >= sinceMs ? last : undefined;
    const earlier = this.earlier.get(target);
    return earlier !== undefined && earlier.atMs >= sinceMs ? earlier.answer : undefined;
  }

  /** The instant is over: its answers stay for a while, those from before `sinceMs` go. */
  private putBy(sinceMs: number): void {
    for (const [target, { answer, atMs }] of this.earlier) {
      if (atMs >= sinceMs && !this.answers.has(target)) continue;
      this.earlier.delete(target);
      this.earlierCharacters -= answer.body.length;
    }
    for (const [target, answer] of this.answers) {
      this.earlier.set(target, { answer, atMs: this.nowMs });
      this.earlierCharacters += answer.body.length;
    }
    if (this.earlier.size > LIMITS.entries || this.earlierCharacters > LIMITS.characters) this.forgetEarlier();
    this.forgetAnswers();
  }

  /** To be called right after `get`, at the same instant. */
  set(target: string, answer: KeptAnswer): void {
    const { body } = answer;
    if (body.length > LIMITS.characters / 4) return;
    if (this.answers.size >= LIMITS.entries || this.characters + body.length > LIMITS.characters) this.forgetAnswers();
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
    this.forgetAnswers();
    this.forgetEarlier();
  }

  private forgetIfChanged(): void {
    const changes = this.changes();
    if (changes === this.changesSeen) return;
    this.changesSeen = changes;
    this.clear();
  }

  private forgetAnswers(): void {
    this.cleared++;
    this.answers.clear();
    this.characters = 0;
  }

  private forgetEarlier(): void {
    this.earlier.clear();
    this.earlierCharacters = 0;
  }
}
