import type { JobTemplates } from '../rest/jars/job-templates.js';
import type { ClockDriver } from '../server/clock-driver.js';
import { removeEvent, schedule, type ScheduledEvent } from '../simulation/event-queue.js';
import type { TimelineAction } from '../simulation/model/timeline-event.js';
import type { Simulation } from '../simulation/simulation.js';
import { LIVE_ACTION } from '../simulation/step.js';
import { readEvent, type EventInput } from './live-action.js';
import { ControlError } from './problem.js';

const MAX_SCHEDULED = 10_000;

/** An event that is to happen. */
export interface PendingEvent {
  /** Names it, to take it back. */
  readonly id: number;
  readonly atMs: number;
  readonly at: string;
  readonly origin: 'scenario' | 'live';
  readonly action: TimelineAction;
}

export interface AppliedEvent {
  readonly atMs: number;
  readonly at: string;
  /** null = it has happened. */
  readonly id: number | null;
  readonly action: TimelineAction;
}

/** What a scenario's timeline can do, live. */
export class EventControl {
  onApplied: (event: AppliedEvent) => void = () => undefined;

  constructor(
    private readonly simulation: Simulation,
    private readonly driver: ClockDriver,
    private readonly templates: JobTemplates,
  ) {}

  /** Does (or, with `at`, schedules) what a scenario's timeline can do, under the file's names; throws where it is wrong, and nothing has changed then. */
  apply(input: EventInput): AppliedEvent {
    this.driver.catchUp();
    const { simulation } = this;
    const { state } = simulation;
    const { atMs, action } = readEvent(input, state, this.templates);
    const isLater = atMs > state.nowMs;
    if (isLater && this.pending().length >= MAX_SCHEDULED) throw new ControlError(409, `${MAX_SCHEDULED} events are scheduled already; no more are allowed`);
    const id = isLater ? state.queue.nextSequence : null;
    if (isLater) schedule(state.queue, atMs, LIVE_ACTION, action);
    else simulation.apply(action);
    const applied: AppliedEvent = { atMs, at: new Date(atMs).toISOString(), id, action };
    this.onApplied(applied);
    return applied;
  }

  /** Events of the scenario and live ones that are still to come, the next first. */
  pending(): PendingEvent[] {
    const { state } = this.simulation;
    return state.queue.heap
      .toSorted((a, b) => a.atMs - b.atMs || a.sequence - b.sequence)
      .flatMap((event) => {
        const action = this.actionOf(event);
        return action ? [{ id: event.sequence, atMs: event.atMs, at: new Date(event.atMs).toISOString(), origin: event.kind === LIVE_ACTION ? ('live' as const) : ('scenario' as const), action }] : [];
      });
  }

  /** Takes an event back before it happens. */
  cancel(id: number): void {
    const known = this.pending().map((event) => event.id);
    if (!known.includes(id)) throw new ControlError(404, `there is no event ${id} to come; allowed: ${known.slice(0, 20).join(', ') || 'none, nothing is scheduled'}`);
    removeEvent(this.simulation.state.queue, id);
  }

  private actionOf({ kind, payload }: ScheduledEvent): TimelineAction | null {
    const { model } = this.simulation.state;
    if (kind === LIVE_ACTION) return payload as TimelineAction;
    if (kind === 'scenario.event') return model.events[payload as number] ?? null;
    if (kind === 'scenario.submit') return { kind: 'submit-job', job: model.jobs[payload as number]!.job };
    return null;
  }
}
