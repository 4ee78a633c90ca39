import { z } from 'zod';
import { durationUpTo, instant, name, share } from './scalars.js';

export const FAULT_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** An hour: a delay is to try a client's patience, not to keep a connection for ever (that is `connection: hang`). */
const wallTime = durationUpTo(3_600_000, '1 h');
const httpStatus = z.int().min(200).max(599);
const headers = z.record(z.string().regex(/^[\w-]+$/, 'the name of a header'), z.string().regex(/^[^\r\n\0]*$/, 'text on one line')).default({});
const pointer = z.string().regex(/^(\/[^/]*)*$/, 'a JSON pointer such as `/jobs/0/state`; `*` stands for every key or index');

const latency = z.union(
  [
    wallTime,
    z.strictObject({ mean: wallTime, jitter: wallTime.prefault(0) }),
    z.strictObject({ median: wallTime, spread: z.number().min(0).max(5), max: wallTime.prefault('30 s') }),
  ],
  { error: () => 'a duration `2 s`; `{mean: 2 s, jitter: 500 ms}`; or lognormal, `{median: 200 ms, spread: 0.8, max: 30 s}`' },
);

/** What a fault does, by its name in the file. */
export const FAULT_EFFECTS = {
  latency: latency.meta({ description: 'The answer comes later, wall time: fixed, with jitter, or lognormal' }),
  error: z
    .strictObject({ status: z.int().min(400).max(599), message: z.string().max(10_000).default('injected fault'), exception: name.default('org.apache.flink.runtime.rest.handler.RestHandlerException') })
    .meta({ description: "Flink's error body, as the version writes it" }),
  unavailable: z.literal(true).meta({ description: '503 with the text of an ongoing leader election; with `until`, up to a virtual instant' }),
  rateLimit: z.strictObject({ requests: z.int().min(0).max(1_000_000), per: wallTime, retryAfter: wallTime.optional() }).meta({ description: '429 with Retry-After beyond so many requests in a span of wall time' }),
  connection: z.enum(['reset', 'close', 'hang', 'close-mid-body']).meta({ description: 'reset: RST; close: closed without an answer; hang: no answer; close-mid-body: closed after half of the body' }),
  body: z.enum(['truncated', 'malformed', 'empty', 'html']).meta({ description: 'truncated: half of the JSON; malformed: JSON with a mistake; empty: nothing; html: an error page in place of JSON, status 200' }),
  contentType: z.string().regex(/^[^\r\n\0]*$/).max(200).meta({ description: 'Another content type; empty = none' }),
  stale: z.literal(true).meta({ description: 'Each target answers for ever what it first answers under this fault' }),
  drip: z.strictObject({ over: wallTime, chunks: z.int().min(1).max(1_000).default(10) }).meta({ description: 'The body comes in pieces, over a span of wall time' }),
  answers: z
    .array(z.strictObject({ status: httpStatus.default(200), json: z.unknown().optional(), text: z.string().max(1_000_000).optional(), contentType: z.string().regex(/^[^\r\n\0]*$/).max(200).optional(), headers }))
    .min(1)
    .max(1_000)
    .meta({ description: 'Given one after the other; then the real ones come again' }),
  override: z
    .record(pointer, z.unknown())
    .refine((fields) => Object.keys(fields).length > 0 && Object.keys(fields).length <= 100, '1 to 100 JSON pointers and what they are replaced by')
    .meta({ description: 'Replaces fields of the JSON answer, by JSON pointer' }),
} as const;

export type FaultEffectName = keyof typeof FAULT_EFFECTS;
export const FAULT_EFFECT_NAMES = Object.keys(FAULT_EFFECTS) as FaultEffectName[];

/** When and for what; which effect is given is checked after parsing: exactly one. */
export const httpFaultSchema = z
  .strictObject({
    id: z.string().regex(/^[\w.-]{1,100}$/, 'letters, digits, `_`, `.`, `-`').optional(),
    path: z.string().regex(/^\/[^?#\s]*$/, 'a path such as `/jobs/:jobid/checkpoints`, `/jobs/*` (one part) or `/jobs/**` (any rest)').max(500).default('/**'),
    method: z.union([z.enum(FAULT_METHODS), z.array(z.enum(FAULT_METHODS)).min(1)]).optional().meta({ description: 'Any when left out' }),
    probability: share.default(1),
    times: z.int().min(1).max(1_000_000_000).optional().meta({ description: 'Strikes so often, then never again' }),
    skip: z.int().min(0).max(1_000_000_000).default(0).meta({ description: 'The first so many matching requests go by' }),
    from: instant.optional().meta({ description: 'Virtual instant from which on it strikes' }),
    until: instant.optional().meta({ description: 'Virtual instant up to which it strikes' }),
    ...(Object.fromEntries(FAULT_EFFECT_NAMES.map((effect) => [effect, FAULT_EFFECTS[effect].optional()])) as { [K in FaultEffectName]: z.ZodOptional<(typeof FAULT_EFFECTS)[K]> }),
  })
  .meta({ description: 'A fault of the HTTP server: which requests, when, and exactly one effect' });

export type HttpFaultFileInput = z.output<typeof httpFaultSchema>;
type FaultFrame = Omit<z.input<typeof httpFaultSchema>, FaultEffectName>;
/** A fault as a scenario or a caller writes it. */
export type HttpFaultInput = { [K in FaultEffectName]: FaultFrame & { readonly [P in K]: z.input<(typeof FAULT_EFFECTS)[K]> } }[FaultEffectName];
