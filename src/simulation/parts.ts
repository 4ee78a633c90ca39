/**
 * Work that may be put down and taken up again: between two parts others have their turn. The state is of no instant then, and nobody may look
 * at it before the work is done.
 */
export type Parts<Result = void> = Generator<undefined, Result, undefined>;

/** So many subtasks make a part: some hundred microseconds of work. */
export const SUBTASKS_IN_PART = 400;

/** Does all of it at once. */
export function inOneGo<Result>(parts: Parts<Result>): Result {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
