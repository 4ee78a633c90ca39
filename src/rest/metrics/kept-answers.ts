import { LongList } from '../serializer/long-list.js';

const MAX_ENTRIES = 256;

/** Of long lists, whose bytes are kept with them once they were written. */
const MAX_LONG = 4;

/** Answers that were made already, by what was asked; the oldest goes first. */
export class KeptAnswers {
  readonly #short = new Map<string, unknown>();
  readonly #long = new Map<string, unknown>();

  get<T>(key: string, make: () => T): T {
    const answers = this.#long.has(key) ? this.#long : this.#short;
    if (answers.has(key)) return answers.get(key) as T;
    const answer = make();
    if (answer instanceof LongList) keep(this.#long, MAX_LONG, key, answer);
    else keep(this.#short, MAX_ENTRIES, key, answer);
    return answer;
  }

  clear(): void {
    this.#short.clear();
    this.#long.clear();
  }
}

function keep(answers: Map<string, unknown>, limit: number, key: string, answer: unknown): void {
  if (answers.size >= limit) answers.delete(answers.keys().next().value!);
  answers.set(key, answer);
}
