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

function keep<Kept>(answers: Map<string, Kept>, limit: number, key: string, answer: Kept): void {
  if (answers.size >= limit) answers.delete(answers.keys().next().value!);
  answers.set(key, answer);
}

/** Long lists that outlast fetches, for as long as what they are of looks the same; the oldest goes first. */
export class KeptLists {
  readonly #lists = new Map<string, { readonly shape: object; readonly list: unknown }>();

  get<T>(key: string, shape: object, make: () => T): T {
    const kept = this.#lists.get(key);
    if (kept?.shape === shape) return kept.list as T;
    const list = make();
    this.#lists.delete(key);
    if (list instanceof LongList) keep(this.#lists, MAX_LONG, key, { shape, list });
    return list;
  }

  clear(): void {
    this.#lists.clear();
  }
}
