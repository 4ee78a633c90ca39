export type ClockMode = 'real' | 'manual';

/** Virtual time as a function of the wall's: runs at `speed`, can be paused, or (manual) stands until it is told to move. */
export class VirtualClock {
  private anchorWallMs: number;
  private anchorVirtualMs: number;
  private running: boolean;
  private currentSpeed: number;
  constructor(
    readonly mode: ClockMode,
    virtualMs: number,
    speed: number,
    private readonly wallNow: () => number = () => performance.now(),
  ) {
    this.anchorWallMs = wallNow();
    this.anchorVirtualMs = virtualMs;
    this.currentSpeed = speed;
    this.running = mode === 'real';
  }

  /** Virtual now, whole epoch ms. */
  now(): number {
    if (!this.running) return this.anchorVirtualMs;
    return Math.floor(this.anchorVirtualMs + (this.wallNow() - this.anchorWallMs) * this.currentSpeed);
  }

  /** Virtual ms per wall ms. */
  get speed(): number {
    return this.currentSpeed;
  }

  get paused(): boolean {
    return !this.running;
  }

  setSpeed(speed: number): void {
    if (!(speed >= 0) || !Number.isFinite(speed)) throw new RangeError(`speed must be 0 or a positive number, not ${speed}`);
    this.setBack(this.now());
    this.currentSpeed = speed;
  }

  pause(): void {
    this.setBack(this.now());
    this.running = false;
  }

  /** A manual clock never runs by itself. */
  resume(): void {
    if (this.mode === 'manual' || this.running) return;
    this.anchorWallMs = this.wallNow();
    this.running = true;
  }

  /** Sets virtual now; time does not go back. */
  moveTo(virtualMs: number): void {
    this.setBack(Math.max(this.now(), Math.floor(virtualMs)));
  }

  /** Goes on from an instant that may be behind now: where the simulation could not follow. */
  setBack(virtualMs: number): void {
    this.anchorVirtualMs = virtualMs;
    this.anchorWallMs = this.wallNow();
  }
}
