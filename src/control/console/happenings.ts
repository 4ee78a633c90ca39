import { countComing } from '../../simulation/event-queue.js';
import { JOB_STATUSES, type JobState } from '../../simulation/state/job-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import type { TimelineAction } from '../../simulation/model/timeline-event.js';
import type { FaultView } from '../fault-control.js';
import type { EntryKind, TimelineEntry } from './console-types.js';
import { describeAction } from './describe-action.js';

/** How many entries of a kind are kept; the oldest go first. */
const KEPT = 400;

interface SeenJob {
  statusMs: number;
  /** Checkpoints of the history that had ended. */
  ended: ReadonlySet<number>;
  failureMs: number;
}

/** What it remembers; plain data. */
export interface HappeningsMemory {
  readonly entries: readonly TimelineEntry[];
  readonly jobs: ReadonlyMap<string, SeenJob>;
  readonly taskManagers: ReadonlyMap<string, string>;
  readonly scenarioDone: ReadonlySet<number>;
}

/** Remembers what has happened, for the console's time-line: looks at the state now and then, and is told what cannot be seen there. */
export class Happenings {
  private entries: TimelineEntry[] = [];
  private sequence = 0;
  private readonly jobs = new Map<string, SeenJob>();
  private readonly taskManagers = new Map<string, string>();
  private readonly httpFaults = new Set<string>();
  /** Scenario's events that were written down, or taken back before their time, by position. */
  private readonly scenarioDone = new Set<number>();
  /** When the next announced event is due, and how many there were, at the last look. */
  private dueMs = -Infinity;
  private coming = 0;
  private scheduled: { readonly atMs: number; readonly action: TimelineAction }[] = [];

  constructor(private readonly state: SimulationState) {}

  /** What it has seen of the scenario; what was done to the cluster by hand is not in it. */
  memory(): HappeningsMemory {
    const { entries, jobs, taskManagers, scenarioDone } = this;
    return { entries, jobs, taskManagers, scenarioDone };
  }

  remember({ entries, jobs, taskManagers, scenarioDone }: HappeningsMemory): void {
    this.entries = [...entries];
    this.sequence = entries.at(-1)?.sequence ?? 0;
    for (const [id, seen] of jobs) this.jobs.set(id, seen);
    for (const [id, status] of taskManagers) this.taskManagers.set(id, status);
    for (const index of scenarioDone) this.scenarioDone.add(index);
  }

  /** Entries after a number, oldest first. */
  after(sequence: number): TimelineEntry[] {
    return this.entries.filter((entry) => entry.sequence > sequence);
  }

  /** An event was asked for, for now or later. */
  applied(atMs: number, action: TimelineAction): void {
    if (atMs > this.state.nowMs) {
      this.scheduled.push({ atMs, action });
      this.dueMs = -Infinity;
    } else this.add(atMs, 'live', describeAction(action, this.state), false);
  }

  look(): void {
    this.lookAtEvents();
    for (const job of this.state.jobs.values()) this.lookAtJob(job);
    this.lookAtTaskManagers();
  }

  lookAtHttpFaults(faults: readonly FaultView[], describe: (fault: FaultView) => string): void {
    const { nowMs } = this.state;
    const ids = new Set(faults.map(({ id }) => id));
    for (const fault of faults) if (!this.httpFaults.has(fault.id)) this.add(nowMs, 'http-fault', `HTTP fault ${fault.id}: ${describe(fault)}`, true);
    for (const id of this.httpFaults) if (!ids.has(id)) this.add(nowMs, 'http-fault', `HTTP fault ${id} stopped`, false);
    this.httpFaults.clear();
    for (const id of ids) this.httpFaults.add(id);
  }

  /** The state went back, or became one of another simulation: what lies behind its now has not happened there, or nothing has. */
  reset(isAnother: boolean): void {
    const { nowMs, model, taskManagers } = this.state;
    this.entries = isAnother ? [] : this.entries.filter(({ atMs }) => atMs <= nowMs);
    this.scheduled = [];
    if (isAnother) this.scenarioDone.clear();
    this.dueMs = -Infinity;
    for (const index of this.scenarioDone) if (model.startMs + (model.events[index]?.atMs ?? 0) > nowMs) this.scenarioDone.delete(index);
    this.jobs.clear();
    for (const job of this.state.jobs.values()) this.jobs.set(job.id, seenOf(job));
    this.taskManagers.clear();
    for (const { id, status } of taskManagers.values()) this.taskManagers.set(id, status);
  }

  private add(atMs: number, kind: EntryKind, text: string, grave: boolean): void {
    this.entries.push({ sequence: ++this.sequence, atMs, kind, text, grave });
    const same = this.entries.filter((entry) => entry.kind === kind);
    if (same.length > KEPT) this.entries.splice(this.entries.indexOf(same[0]!), 1);
  }

  private lookAtEvents(): void {
    const { model, nowMs, queue } = this.state;
    const coming = countComing(queue);
    if (nowMs < this.dueMs && coming === this.coming) return;
    this.coming = coming;
    this.dueMs = Infinity;
    const waiting = new Set([...queue.announced, ...queue.submissions].filter(({ kind }) => kind !== 'scenario.submit').map(({ payload }) => payload));
    model.events.forEach((event, index) => {
      if (this.scenarioDone.has(index)) return;
      const atMs = model.startMs + event.atMs;
      if (atMs <= nowMs) this.add(atMs, 'scenario', describeAction(event, this.state), false);
      else if (waiting.has(index)) {
        this.dueMs = Math.min(this.dueMs, atMs);
        return;
      }
      this.scenarioDone.add(index);
    });
    this.scheduled = this.scheduled.filter(({ atMs, action }) => {
      if (atMs <= nowMs) this.add(atMs, 'live', describeAction(action, this.state), false);
      const isToCome = atMs > nowMs && waiting.has(action);
      if (isToCome) this.dueMs = Math.min(this.dueMs, atMs);
      return isToCome;
    });
  }

  private lookAtJob(job: JobState): void {
    const seen = this.jobs.get(job.id) ?? { statusMs: -1, ended: new Set<number>(), failureMs: -1 };
    JOB_STATUSES.map((status, index) => ({ status, atMs: job.statusTimestamps[index]! }))
      .filter(({ status, atMs }) => atMs > seen.statusMs && atMs > 0 && status !== 'INITIALIZING' && status !== 'CREATED')
      .sort((a, b) => a.atMs - b.atMs)
      .forEach(({ status, atMs }) => this.add(atMs, 'job', `${job.name}: ${status}`, status.startsWith('FAIL') || status === 'RESTARTING'));
    const ended = (job.checkpoints?.history ?? []).filter(({ id, status }) => status !== 'IN_PROGRESS' && !seen.ended.has(id)).toReversed();
    for (const { id, status, isSavepoint, completedMs, failureMs, triggerMs, failureMessage } of ended) {
      const failed = status === 'FAILED';
      const atMs = failed ? failureMs : completedMs;
      const what = `${isSavepoint ? 'Savepoint' : 'Checkpoint'} ${id}`;
      this.add(atMs, 'checkpoint', failed ? `${what} failed: ${failureMessage ?? 'no reason given'}` : `${what} completed in ${((atMs - triggerMs) / 1_000).toFixed(1)} s`, failed);
    }
    for (const { timestampMs, exceptionName, stackTrace, taskName, location } of job.exceptions.history) {
      if (timestampMs <= seen.failureMs) continue;
      const message = stackTrace.split('\n', 1)[0] || exceptionName;
      this.add(timestampMs, 'failure', `${taskName ?? job.name}${location ? ` on ${location}` : ''}: ${message}`, true);
    }
    this.jobs.set(job.id, seenOf(job, seen));
  }

  private lookAtTaskManagers(): void {
    const { taskManagers, nowMs } = this.state;
    for (const { id, host, status } of taskManagers.values()) {
      if (this.taskManagers.get(id) === status) continue;
      if (this.taskManagers.has(id) || status !== 'REGISTERED' || nowMs > this.state.model.startMs) this.add(nowMs, 'task-manager', `Task manager ${id} on ${host}: ${status.toLowerCase()}`, status === 'LOST');
      this.taskManagers.set(id, status);
    }
    for (const id of this.taskManagers.keys()) {
      if (taskManagers.has(id)) continue;
      this.taskManagers.delete(id);
      this.add(nowMs, 'task-manager', `Task manager ${id}: gone`, true);
    }
  }
}

function seenOf({ checkpoints, exceptions, statusTimestamps }: JobState, before?: SeenJob): SeenJob {
  return {
    statusMs: Math.max(...statusTimestamps),
    ended: new Set((checkpoints?.history ?? []).filter(({ status }) => status !== 'IN_PROGRESS').map(({ id }) => id)),
    failureMs: Math.max(before?.failureMs ?? -1, ...exceptions.history.map(({ timestampMs }) => timestampMs)),
  };
}
