import type { RateWindow } from './http-fault.js';

/** Counts requests in windows of wall time: the first request of a window opens it. */
export class RateLimiter {
  private windowStartMs = -Infinity;
  private count = 0;

  constructor(private readonly limit: { readonly requests: number; readonly perMs: number }) {}

  /** The open window, if there is one. */
  take(nowMs: number): RateWindow | null {
    const openForMs = nowMs - this.windowStartMs;
    return openForMs < this.limit.perMs ? { openForMs, count: this.count } : null;
  }

  /** Goes on in a window. */
  put({ openForMs, count }: RateWindow, nowMs: number): void {
    this.windowStartMs = nowMs - openForMs;
    this.count = count;
  }

  admits(nowMs: number): boolean {
    if (nowMs - this.windowStartMs >= this.limit.perMs) {
      this.windowStartMs = nowMs;
      this.count = 0;
    }
    return ++this.count <= this.limit.requests;
  }

  /** Until the next window opens. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.windowStartMs + this.limit.perMs - nowMs);
  }
}
