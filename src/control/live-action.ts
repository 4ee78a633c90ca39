import type { z } from 'zod';
import { buildAction } from '../scenario/build-timeline.js';
import { problemsOf } from '../scenario/issues.js';
import { readJob } from '../scenario/jar-templates.js';
import { nearestName } from '../scenario/nearest-name.js';
import { plainSource } from '../scenario/plain-source.js';
import { ScenarioError, type Problem } from '../scenario/scenario-error.js';
import { ACTION_NAMES, timelineEventSchema, type ACTIONS, type ActionName } from '../scenario/schema/timeline-schema.js';
import { ArgumentError } from '../scenario/template/parameters.js';
import { resolveInstant } from '../scenario/units.js';
import type { JobModel } from '../simulation/model/job-model.js';
import type { TimelineAction } from '../simulation/model/timeline-event.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { checkAction } from './check-action.js';
import { knownJobs } from './known-names.js';
import type { JobTemplates } from '../rest/jars/job-templates.js';

/** An action under the names of the scenario file: `{setTopicRate: {topic: 't', rate: '50/s'}}`. */
export type ActionInput = { [K in ActionName]: { readonly [P in K]: z.input<(typeof ACTIONS)[K]> } }[ActionName];
/** The same with `at`, an instant from now on; now when left out. */
export type EventInput = ActionInput & { readonly at?: string | number };

export interface LiveEvent {
  readonly name: ActionName;
  /** Epoch ms. */
  readonly atMs: number;
  readonly action: TimelineAction;
}

/** Reads an event against what there is now; throws a ScenarioError with all that is wrong. */
export function readEvent(input: unknown, state: SimulationState, templates: JobTemplates): LiveEvent {
  const isMap = typeof input === 'object' && input !== null && !Array.isArray(input);
  const source = plainSource(input, 'event');
  const value = isMap && !('at' in input) ? { at: 0, ...input } : input;
  const parsed = timelineEventSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw new ScenarioError(problemsOf(parsed.error.issues, timelineEventSchema, source));

  const problems: Problem[] = [];
  const report = (path: readonly (string | number)[], message: string): void => void problems.push(source.problemAt(path, message));
  const topics = [...state.kafka.topics.keys()];
  const submitted = parsed.data.submitJob;
  const action = buildAction(parsed.data, [], {
    jobs: knownJobs(state),
    topics,
    submittedJob: () => readSubmittedJob(submitted, state, templates, problems),
    report,
  });
  const { model } = state;
  const atMs = isMap && 'at' in input ? model.startMs + resolveInstant(parsed.data.at, model.startMs, model.timeZoneOffsetMinutes) : state.nowMs;
  if (atMs < state.nowMs) report(['at'], `lies in the past: it is ${new Date(state.nowMs).toISOString()} (${(state.nowMs - model.startMs) / 1_000} s after the start); allowed: an instant from now on, or none for now`);
  if (action && problems.length === 0) checkAction(action, state, atMs > state.nowMs, report);
  if (problems.length > 0 || !action) throw new ScenarioError(problems);
  return { name: ACTION_NAMES.find((name) => parsed.data[name] !== undefined)!, atMs, action };
}

/** A job inline, or `{template: {entryClass, arguments, parallelism}}`. */
export function readSubmittedJob(value: unknown, state: SimulationState, templates: JobTemplates, problems: Problem[] = []): JobModel | null {
  const source = plainSource(value, 'job');
  const fail = (error: unknown): null => {
    if (!(error instanceof ScenarioError)) throw error;
    problems.push(...error.problems);
    return null;
  };
  const use = (value as { template?: { entryClass?: unknown; arguments?: unknown; parallelism?: unknown } } | undefined)?.template;
  if (use === undefined) {
    try {
      return readJob(value, source, [], { topics: [...state.kafka.topics.keys()] });
    } catch (error) {
      return fail(error);
    }
  }
  const entryClass = String(use.entryClass);
  const known = templates.entryClasses ?? [];
  const parallelism = Number(use.parallelism ?? 1);
  if (!Number.isInteger(parallelism) || parallelism < 1 || parallelism > 32_768) return fail(new ScenarioError([source.problemAt(['template', 'parallelism'], 'allowed: a whole number, 1 to 32768')]));
  try {
    const job = templates.find(entryClass, Array.isArray(use.arguments) ? use.arguments.map(String) : [], parallelism);
    if (job) return job;
  } catch (error) {
    if (error instanceof ArgumentError) return fail(new ScenarioError([source.problemAt(['template', 'arguments'], error.message)]));
    return fail(error);
  }
  const near = nearestName(entryClass, known);
  return fail(
    new ScenarioError([
      source.problemAt(['template', 'entryClass'], `found ${JSON.stringify(entryClass)}, which is no entry class of this scenario; ${near ? `did you mean ${JSON.stringify(near)}?` : `allowed: ${known.join(', ') || 'none, there is no template'}`}`),
    ]),
  );
}
