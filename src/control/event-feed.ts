import { JOB_STATUSES, type JobState } from '../simulation/state/job-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { TimelineAction } from '../simulation/model/timeline-event.js';
import type { JournalEntry } from './journal.js';

/** What happens, for those who look on. `atMs` is virtual. */
export type FeedEvent =
  | { readonly type: 'clock'; readonly atMs: number; readonly speed: number; readonly paused: boolean }
  | { readonly type: 'reset'; readonly atMs: number }
  | { readonly type: 'event'; readonly atMs: number; readonly action: TimelineAction }
  | { readonly type: 'job'; readonly atMs: number; readonly jobId: string; readonly name: string; readonly status: string }
  | { readonly type: 'checkpoint'; readonly atMs: number; readonly jobId: string; readonly id: number; readonly status: 'COMPLETED' | 'FAILED'; readonly savepoint: boolean }
  | { readonly type: 'task-manager'; readonly atMs: number; readonly id: string; readonly status: string }
  | { readonly type: 'request'; readonly atMs: number; readonly request: JournalEntry };

export const FEED_EVENT_TYPES = ['clock', 'reset', 'event', 'job', 'checkpoint', 'task-manager', 'request'] as const;

interface Seen {
  statusMs: number;
  completed: number;
  failed: number;
}

/** Looks at the state whenever it has gone on, as long as somebody listens, and tells what is new. */
export class EventFeed {
  private readonly listeners = new Set<(event: FeedEvent) => void>();
  private readonly jobs = new Map<string, Seen>();
  private readonly taskManagers = new Map<string, string>();
  private revision = NaN;

  constructor(private readonly state: SimulationState) {}

  get size(): number {
    return this.listeners.size;
  }

  /** Gives the way to end it. */
  subscribe(listener: (event: FeedEvent) => void): () => void {
    if (this.listeners.size === 0) this.forget();
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  emit(event: FeedEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  /** Nothing before now is news. */
  forget(): void {
    this.jobs.clear();
    this.taskManagers.clear();
    for (const job of this.state.jobs.values()) this.jobs.set(job.id, seenOf(job));
    for (const { id, status } of this.state.taskManagers.values()) this.taskManagers.set(id, status);
  }

  /** To be called when the state has gone on. */
  look(): void {
    if (this.listeners.size === 0) return;
    for (const job of this.state.jobs.values()) this.lookAt(job);
    for (const id of this.jobs.keys()) if (!this.state.jobs.has(id)) this.jobs.delete(id);
    if (this.state.revision === this.revision) return;
    this.revision = this.state.revision;
    this.lookAtTaskManagers();
  }

  private lookAt(job: JobState): void {
    const seen = this.jobs.get(job.id) ?? { statusMs: -1, completed: 0, failed: 0 };
    const entered = JOB_STATUSES.map((status, index) => ({ status, atMs: job.statusTimestamps[index]! }))
      .filter(({ atMs }) => atMs > seen.statusMs && atMs > 0)
      .sort((a, b) => a.atMs - b.atMs);
    for (const { status, atMs } of entered) this.emit({ type: 'job', atMs, jobId: job.id, name: job.name, status });
    const { completed, failed } = seenOf(job);
    if (completed > seen.completed || failed > seen.failed) {
      const ended = (job.checkpoints?.history ?? []).toReversed().filter(({ status }) => status !== 'IN_PROGRESS');
      const fresh = [...ended.filter(({ status }) => status === 'COMPLETED').slice(-(completed - seen.completed) || ended.length), ...ended.filter(({ status }) => status === 'FAILED').slice(-(failed - seen.failed) || ended.length)];
      for (const { id, status, isSavepoint, completedMs, failureMs } of fresh.sort((a, b) => a.id - b.id)) {
        this.emit({ type: 'checkpoint', atMs: status === 'COMPLETED' ? completedMs : failureMs, jobId: job.id, id, status: status as 'COMPLETED' | 'FAILED', savepoint: isSavepoint });
      }
    }
    this.jobs.set(job.id, { statusMs: entered.at(-1)?.atMs ?? seen.statusMs, completed, failed });
  }

  private lookAtTaskManagers(): void {
    const { taskManagers, nowMs } = this.state;
    for (const { id, status } of taskManagers.values()) {
      if (this.taskManagers.get(id) === status) continue;
      this.taskManagers.set(id, status);
      this.emit({ type: 'task-manager', atMs: nowMs, id, status });
    }
    for (const id of this.taskManagers.keys()) {
      if (taskManagers.has(id)) continue;
      this.taskManagers.delete(id);
      this.emit({ type: 'task-manager', atMs: nowMs, id, status: 'GONE' });
    }
  }
}

function seenOf({ statusTimestamps, checkpoints }: JobState): Seen {
  return { statusMs: Math.max(...statusTimestamps), completed: checkpoints?.counts.completed ?? 0, failed: checkpoints?.counts.failed ?? 0 };
}
