import type { ClockMode } from '../server/clock.js';

export interface FleetTimeOptions {
  readonly mode: ClockMode;
  /** Virtual instant at which the clusters open, epoch ms; null = each at its scenario's own. */
  readonly opensMs: number | null;
  /** Instant of the wall at which they do. */
  readonly sinceMs: number;
  /** Epoch ms of the wall. */
  readonly wallNow?: () => number;
}

/** The one clock behind those of all clusters: what a cluster's shows follows from it, whichever process asks. */
export class FleetTime {
  readonly mode: ClockMode;
  readonly opensMs: number | null;
  readonly sinceMs: number;
  private readonly wallNow: () => number;
  private advancedMs = 0;

  constructor({ mode, opensMs, sinceMs, wallNow = Date.now }: FleetTimeOptions) {
    this.mode = mode;
    this.opensMs = opensMs;
    this.sinceMs = sinceMs;
    this.wallNow = wallNow;
  }

  /** How much virtual time has passed since the clusters opened, at a speed. */
  passedMs(speed: number): number {
    return this.mode === 'manual' ? this.advancedMs : Math.max(0, (this.wallNow() - this.sinceMs) * speed);
  }

  /** A held clock is moved on. */
  advance(ms: number): void {
    this.advancedMs += ms;
  }
}
