import type { HostedCluster } from './hosted-cluster.js';

/** How long a turn may keep the event loop, wall ms. */
const TURN_MS = 10;
const INTERVAL_MS = 50;
/** A cluster that nobody asks has its turn so often (wall), or as often as keeps it no further behind than that in virtual time. */
const ROUND_MS = 5_000;
const SHORTEST_ROUND_MS = 250;
/** Those that somebody looks at, reports from or listens to have theirs so often. */
const ATTENDED_ROUND_MS = 200;

/** Moves clusters that nobody asks: in long strides, one after the other, never many at once. What has to be answered is moved by who asks. */
export class Background {
  private timer: NodeJS.Timeout | undefined;
  private continuation: NodeJS.Immediate | undefined;
  private round: Iterator<HostedCluster>;
  /** Whose turn did not end within its slice. */
  private unfinished: HostedCluster | null = null;
  private readonly opening = new Set<HostedCluster>();
  private readonly attended = new Set<HostedCluster>();
  private attendedAt = -Infinity;
  private turnedAt = performance.now();
  /** Turns that are due, and a fraction of the next one. */
  private due = 0;

  constructor(
    private readonly clusters: ReadonlyMap<string, HostedCluster>,
    private readonly fastest: () => number,
  ) {
    this.round = clusters.values();
  }

  start(): void {
    this.timer = setInterval(() => this.turn(), INTERVAL_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    clearImmediate(this.continuation);
  }

  added(cluster: HostedCluster): void {
    this.opening.add(cluster);
  }

  removed(cluster: HostedCluster): void {
    this.opening.delete(cluster);
    this.attended.delete(cluster);
    if (this.unfinished === cluster) this.unfinished = null;
  }

  /** Somebody asks it. */
  asked(cluster: HostedCluster): void {
    this.attended.add(cluster);
  }

  /** Clusters whose history is not simulated yet. */
  get openingCount(): number {
    return this.opening.size;
  }

  private turn(): void {
    clearImmediate(this.continuation);
    const now = performance.now();
    const roundMs = Math.max(SHORTEST_ROUND_MS, ROUND_MS / Math.max(1, this.fastest()));
    this.due = Math.min(this.clusters.size, this.due + (this.clusters.size * (now - this.turnedAt)) / roundMs);
    this.turnedAt = now;
    const endAt = now + TURN_MS;
    if (now - this.attendedAt >= ATTENDED_ROUND_MS) this.moveAttended(now);
    this.moveRound(endAt);
    this.open(endAt);
    if (this.due >= 1 || this.opening.size > 0) this.continuation = setImmediate(() => this.turn());
  }

  private moveAttended(now: number): void {
    this.attendedAt = now;
    for (const cluster of this.attended) {
      cluster.advanceInTurn();
      if (!cluster.isAttended) this.attended.delete(cluster);
    }
  }

  private moveRound(endAt: number): void {
    while (this.due >= 1 && performance.now() < endAt) {
      const cluster = this.unfinished ?? this.next();
      if (!cluster) return;
      if (cluster.isAttended) this.attended.add(cluster);
      // One that opens is opened in its order.
      if (!this.opening.has(cluster) && !cluster.advanceInTurn()) {
        this.unfinished = cluster;
        continue;
      }
      this.unfinished = null;
      this.due--;
    }
  }

  private next(): HostedCluster | null {
    let found = this.round.next();
    if (found.done) {
      this.round = this.clusters.values();
      found = this.round.next();
    }
    return found.done ? null : found.value;
  }

  private open(endAt: number): void {
    for (const cluster of this.opening) {
      if (cluster.status !== 'opening' || cluster.advanceInTurn()) this.opening.delete(cluster);
      if (performance.now() >= endAt) return;
    }
  }
}
