import { z } from 'zod';
import { ACTION_NAMES } from '../scenario/schema/timeline-schema.js';
import { FAULT_EFFECT_NAMES } from '../scenario/schema/http-fault-schema.js';
import { showValue } from '../scenario/scenario-error.js';
import { DURATION_ALLOWED, RATE_ALLOWED } from '../scenario/units.js';
import { conditionSchema } from './conditions.js';
import { describeIssues } from './input-problems.js';
import { FARTHEST_MS, MAX_SPEED } from './time-control.js';

/** Greatest instant that a Date can hold. */
const LAST_INSTANT_MS = 8.64e15;

const INSTANT_ALLOWED = 'epoch milliseconds, or ISO 8601 with an offset such as `2024-03-04T09:30:00Z`';
const INSTANT = z.union([z.int().min(0).max(LAST_INSTANT_MS), z.iso.datetime({ offset: true, error: INSTANT_ALLOWED })], { error: INSTANT_ALLOWED }).meta({ description: 'Epoch milliseconds, or ISO 8601 with an offset.' });

const CLOCK_CHANGES = {
  advanceMs: z.strictObject({ advanceMs: z.int().min(0).max(FARTHEST_MS) }),
  to: z.strictObject({ to: INSTANT }),
  until: z.strictObject({ until: conditionSchema, limitMs: z.int().min(0).max(FARTHEST_MS).optional().meta({ description: 'Virtual time, default an hour.' }) }),
  speed: z.strictObject({ speed: z.number().min(0).max(MAX_SPEED) }),
  paused: z.strictObject({ paused: z.boolean() }),
} as const;

/** What a change of the clock that fits none of the forms is told. */
function clockHint(input: unknown): string {
  const forms = 'one of {advanceMs}, {to}, {until, limitMs}, {speed}, {paused}';
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return forms;
  const given = Object.keys(CLOCK_CHANGES).filter((key) => key in input);
  if (given.length !== 1) return `found ${showValue(input)}; allowed: ${forms}`;
  const schema = CLOCK_CHANGES[given[0] as keyof typeof CLOCK_CHANGES];
  const checked = schema.safeParse(input, { reportInput: true });
  return `${checked.success ? '' : `${describeIssues(checked.error.issues, schema)}; `}allowed: ${forms}`;
}

export const CLOCK_CHANGE = z.union([CLOCK_CHANGES.advanceMs, CLOCK_CHANGES.to, CLOCK_CHANGES.until, CLOCK_CHANGES.speed, CLOCK_CHANGES.paused], { error: (issue) => clockHint(issue.input) });

export const CLOCK = z.object({
  mode: z.enum(['real', 'manual']),
  nowMs: z.int().meta({ description: 'Virtual now, epoch milliseconds.' }),
  now: z.string().meta({ description: 'The same, ISO 8601.' }),
  startMs: z.int().meta({ description: 'When the simulation began.' }),
  speed: z.number().meta({ description: 'Virtual milliseconds in one of the wall.' }),
  paused: z.boolean(),
  met: z.boolean().optional().meta({ description: 'After `until`: whether the condition was met within the limit.' }),
});

export const HEALTH = z.object({ status: z.literal('ok'), scenario: z.string(), flinkVersion: z.string(), uptimeMs: z.int().meta({ description: 'Virtual time since the simulation began.' }) });

export const WAIT = z.strictObject({ until: conditionSchema, timeoutMs: z.int().min(0).max(600_000).default(30_000).meta({ description: 'Wall time.' }) });
export const WAITED = z.object({ met: z.boolean(), nowMs: z.int() });

/** Anything that is a map: what is in it is checked against the state, with messages of its own. */
const map = z.record(z.string(), z.unknown());
export const EVENT = map.meta({ description: `Exactly one of ${ACTION_NAMES.join(', ')}, as in a scenario's \`timeline\`; and, where it is not to happen now, \`at\`.` });
export const FAULT = map.meta({ description: `Exactly one effect of ${FAULT_EFFECT_NAMES.join(', ')}; and, as in a scenario's \`httpFaults\`, id, path, method, probability, times, skip, from, until.` });
export const JOB = map.meta({ description: 'A job as under `jobs:` in a scenario, or `{template: {entryClass, arguments, parallelism}}`; with `savepointPath` and `allowNonRestoredState` beside it.' });

export const RATE_CHANGE = z.strictObject({ operator: z.string().min(1), rate: z.union([z.string(), z.number()], { error: RATE_ALLOWED }), ramp: z.union([z.string(), z.number()], { error: DURATION_ALLOWED }).optional() });
export const CLUSTER = z.object({ taskManagers: z.int().min(0).max(5_000) });
export const CLUSTER_CHANGE = z.strictObject({ taskManagers: z.int().min(0).max(5_000) });
export const RESET = z.strictObject({ to: z.string().default('start'), seed: z.int().min(0).max(4_294_967_295).optional() });
export const SEED = z.strictObject({ seed: z.int().min(0).max(4_294_967_295) });
export const NAMED = z.strictObject({ name: z.string() });
export const REFUSAL = z.strictObject({ forMs: z.int().min(1).max(600_000).meta({ description: 'Wall time.' }) });
export const PATTERN = z.strictObject({
  method: z.string().max(20).optional(),
  path: z.string().max(500).optional().meta({ description: 'Pattern such as `/jobs/:jobid/**`.' }),
  query: z.string().max(4_000).optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  bodyContains: z.string().max(4_000).optional(),
  userAgentContains: z.string().max(500).optional(),
  after: z.coerce.number().int().min(0).optional().meta({ description: 'Entries after this id.' }),
});
export const JOURNAL_QUERY = PATTERN.extend({ limit: z.coerce.number().int().min(1).max(10_000).default(100) });
export const VERIFICATION = z.strictObject({ match: PATTERN, exactly: z.int().min(0).optional(), atLeast: z.int().min(0).optional(), atMost: z.int().min(0).optional() });
export const STREAM_QUERY = z.strictObject({ types: z.string().max(500).optional().meta({ description: 'Comma-separated; all when left out.' }) });

const OPEN = z.looseObject({});
/** A JSON object whose fields are described in docs/control-api.md. */
export const anObject = (description: string) => OPEN.meta({ description });
export const aList = <K extends string>(key: K, description: string) => z.object({ [key]: z.array(OPEN) } as { [P in K]: z.ZodArray<typeof OPEN> }).meta({ description });
export const NOTHING = z.null().meta({ description: 'Done.' });
