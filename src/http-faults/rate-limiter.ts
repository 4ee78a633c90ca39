/** Counts requests in windows of wall time: the first request of a window opens it. */
export class RateLimiter {
  private windowStartMs = -Infinity;
  private count = 0;

  constructor(private readonly limit: { readonly requests: number; readonly perMs: number }) {}

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
