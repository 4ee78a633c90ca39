import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { groupLags } from './group-lags.js';

/** A commit of a group in a partition. */
export interface Commit {
  readonly offset: number;
  readonly timeMs: number;
  readonly lag: number;
}

/** Commits that Burrow looks at (`intervals`). */
export const COMMIT_WINDOW = 10;

/** By group, topic and partition. Plain data. */
export type CommitHistoryState = ReadonlyMap<string, readonly Commit[]>;

/** The latest commits of every group, as they were seen when time passed. */
export class CommitHistory {
  readonly #partitions = new Map<string, Commit[]>();
  /** Sum of a group's committed offsets when it was last looked at. */
  readonly #seen = new WeakMap<Float64Array, number>();

  observe(state: SimulationState): void {
    let changed = false;
    for (const topics of state.kafka.groups.values()) {
      for (const committed of topics.values()) {
        const total = committed.reduce((sum, offset) => sum + offset, 0);
        if (this.#seen.get(committed) === total) continue;
        this.#seen.set(committed, total);
        changed = true;
      }
    }
    if (changed) this.#record(state);
  }

  /** Oldest first. */
  commitsOf(group: string, topic: string, partition: number): readonly Commit[] {
    return this.#partitions.get(`${group}/${topic}/${partition}`) ?? [];
  }

  /** Shares objects with it. */
  take(): CommitHistoryState {
    return this.#partitions;
  }

  /** Goes on with commits as they were seen; null = none. */
  put(known: CommitHistoryState | null): void {
    this.#partitions.clear();
    for (const [key, commits] of known ?? []) this.#partitions.set(key, [...commits]);
  }

  #record(state: SimulationState): void {
    for (const { group, topic, partitions } of groupLags(state)) {
      for (const { partition, offset, lag } of partitions) {
        if (offset < 0) continue;
        const key = `${group}/${topic}/${partition}`;
        let commits = this.#partitions.get(key);
        if (!commits) this.#partitions.set(key, (commits = []));
        if (commits.at(-1)?.offset === offset) continue;
        commits.push({ offset, timeMs: state.nowMs, lag });
        if (commits.length > COMMIT_WINDOW) commits.shift();
      }
    }
  }
}
