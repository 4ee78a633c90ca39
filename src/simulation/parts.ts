/** Work that may be put down wherever it yields and taken up again: others have their turn in between. */
export type Parts<Result = void> = Generator<undefined, Result, undefined>;

/** So many subtasks make a part: some hundred microseconds of work, a few times that when barriers come to them. */
export const SUBTASKS_IN_PART = 100;

/** Does all of it at once. */
export function inOneGo<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
