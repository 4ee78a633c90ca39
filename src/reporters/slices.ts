/** Gives way to other work of the event loop whenever a stretch of work has taken so long, ms. */
const SLICE_MS = 8;

export class Slices {
  #endsAt = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#endsAt = performance.now() + SLICE_MS;
  }
}
