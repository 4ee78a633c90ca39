import type { JobTemplates } from '../rest/jars/job-templates.js';
import type { ClockDriver } from '../server/clock-driver.js';
import { copyComing, countComing, laneOf, popFirst, removeEvent, schedule, type ScheduledEvent } from '../simulation/event-queue.js';
import type { TimelineAction } from '../simulation/model/timeline-event.js';
import type { Simulation } from '../simulation/simulation.js';
import { LIVE_ACTION } from '../simulation/step.js';
import { announcedAction } from './announced-action.js';
import { readEvent, type EventInput } from './live-action.js';
import { ControlError } from './problem.js';

/** Those of the scenario that are still to come are counted, too. */
export const MAX_SCHEDULED = 10_000;

/** How many ids a message names. */
const NAMED_IDS = 20;

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
    if (isLater && this.count >= MAX_SCHEDULED) throw new ControlError(409, `${this.count} events are to come already; allowed: ${MAX_SCHEDULED}; let time go on, or take one back (DELETE /events/ID)`);
    const id = isLater ? state.queue.nextSequence : null;
    if (isLater) schedule(state.queue, atMs, LIVE_ACTION, action, laneOf(action));
    else simulation.apply(action);
    const applied: AppliedEvent = { atMs, at: new Date(atMs).toISOString(), id, action };
    this.onApplied(applied);
    return applied;
  }

  /** How many events of the scenario and live ones are still to come. */
  get count(): number {
    return countComing(this.simulation.state.queue);
  }

  /** Events of the scenario and live ones that are still to come, the next first; the next so many, where a limit is given. */
  pending(limit = Infinity): PendingEvent[] {
    const coming = this.coming();
    const found: PendingEvent[] = [];
    while (found.length < limit) {
      const next = coming.next();
      if (next.done) break;
      found.push(next.value);
    }
    return found;
  }

  /** The same one by one, as they are now: whoever lists many lets others have the event loop in between. */
  *coming(): Generator<PendingEvent, void> {
    const { queue, model } = this.simulation.state;
    const heap = copyComing(queue);
    for (let event = popFirst(heap); event; event = popFirst(heap)) {
      const action = announcedAction(model, event);
      if (action) yield pendingEvent(event, action);
    }
  }

  /** Takes an event back before it happens. */
  cancel(id: number): void {
    if (removeEvent(this.simulation.state.queue, id, ['announced', 'submissions'])) return;
    throw new ControlError(404, `there is no event ${id} to come; allowed: ${this.pending(NAMED_IDS).map((event) => event.id).join(', ') || 'none, nothing is scheduled'}`);
  }
}

function pendingEvent({ sequence, atMs, kind }: ScheduledEvent, action: TimelineAction): PendingEvent {
  return { id: sequence, atMs, at: new Date(atMs).toISOString(), origin: kind === LIVE_ACTION ? 'live' : 'scenario', action };
}
