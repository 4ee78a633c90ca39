import { ControlError } from './problem.js';

const MAX_WAITING = 1_000;

/** One after the other: changes of time and of the whole state do not run into each other. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  async take<T>(action: () => Promise<T> | T): Promise<T> {
    if (this.waiting >= MAX_WAITING) throw new ControlError(429, `${MAX_WAITING} changes wait for their turn already; no more are allowed`);
    this.waiting++;
    const turn = this.last.then(action);
    this.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.waiting--;
    }
  }
}
