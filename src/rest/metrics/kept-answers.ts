const MAX_ENTRIES = 256;

/** Answers that were made already, by what was asked; the oldest goes first. */
export class KeptAnswers {
  readonly #answers = new Map<string, unknown>();

  get<T>(key: string, make: () => T): T {
    if (this.#answers.has(key)) return this.#answers.get(key) as T;
    const answer = make();
    if (this.#answers.size >= MAX_ENTRIES) this.#answers.delete(this.#answers.keys().next().value!);
    this.#answers.set(key, answer);
    return answer;
  }

  clear(): void {
    this.#answers.clear();
  }
}
