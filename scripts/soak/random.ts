/** Numbers in [0, 1) from a seed (mulberry32): what is asked in which order is the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }

  /** One of some, each as often as its weight says. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) if ((left -= item.weight) < 0) return item;
    return items.at(-1)!;
  }
}
