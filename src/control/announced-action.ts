import type { ScheduledEvent } from '../simulation/event-queue.js';
import type { SimulationModel } from '../simulation/model/simulation-model.js';
import type { TimelineAction } from '../simulation/model/timeline-event.js';
import { LIVE_ACTION } from '../simulation/step.js';

/** What an event will do that the scenario or a caller has announced; null for what the simulation has to do by itself. */
export function announcedAction(model: SimulationModel, { kind, payload }: Pick<ScheduledEvent, 'kind' | 'payload'>): TimelineAction | null {
  if (kind === LIVE_ACTION) return payload as TimelineAction;
  if (kind === 'scenario.event') return model.events[payload as number] ?? null;
  if (kind === 'scenario.submit') return { kind: 'submit-job', job: model.jobs[payload as number]!.job };
  return null;
}
