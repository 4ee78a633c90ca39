import type { FaultEffect, HttpFault } from '../http-faults/http-fault.js';
import type { Path } from './scenario-error.js';
import { FAULT_EFFECT_NAMES, type HttpFaultFileInput } from './schema/http-fault-schema.js';
import type { WrittenInstant } from './units.js';

/** A fault with its instants resolved; null when it is wrong (and reported). */
export function buildHttpFault(input: HttpFaultFileInput, defaultId: string, path: Path, resolve: (instant: WrittenInstant, path: Path) => number, report: (path: Path, message: string) => void): HttpFault | null {
  const given = FAULT_EFFECT_NAMES.filter((name) => input[name] !== undefined);
  if (given.length !== 1) {
    report(path, given.length === 0 ? `has no effect; add one of ${FAULT_EFFECT_NAMES.join(', ')}` : `has ${given.length} effects (${given.join(', ')}); allowed: one a fault (several faults may match a request)`);
    return null;
  }
  const fromMs = input.from === undefined ? null : resolve(input.from, [...path, 'from']);
  const untilMs = input.until === undefined ? null : resolve(input.until, [...path, 'until']);
  if (fromMs !== null && untilMs !== null && untilMs <= fromMs) report([...path, 'until'], 'does not lie after `from`');
  input.answers?.forEach((answer, index) => {
    if (answer.json !== undefined && answer.text !== undefined) report([...path, 'answers', index], 'has `json` and `text`; allowed: one of them');
  });
  return {
    id: input.id ?? defaultId,
    path: input.path,
    methods: input.method === undefined ? null : [input.method].flat(),
    probability: input.probability,
    times: input.times ?? null,
    skip: input.skip,
    fromMs,
    untilMs,
    effect: effectOf(input),
  };
}

function effectOf(input: HttpFaultFileInput): FaultEffect {
  if (input.latency !== undefined) {
    const { latency } = input;
    if (typeof latency === 'number') return { kind: 'latency', distribution: { kind: 'uniform', meanMs: latency, jitterMs: 0 } };
    if ('mean' in latency) return { kind: 'latency', distribution: { kind: 'uniform', meanMs: latency.mean, jitterMs: latency.jitter } };
    return { kind: 'latency', distribution: { kind: 'lognormal', medianMs: latency.median, spread: latency.spread, maxMs: latency.max } };
  }
  if (input.error) return { kind: 'error', status: input.error.status, message: input.error.message, javaClass: input.error.exception };
  if (input.rateLimit) return { kind: 'rate-limit', requests: input.rateLimit.requests, perMs: input.rateLimit.per, retryAfterMs: input.rateLimit.retryAfter ?? null };
  if (input.connection) return { kind: 'connection', what: input.connection };
  if (input.body) return { kind: 'body', what: input.body };
  if (input.contentType !== undefined) return { kind: 'content-type', contentType: input.contentType };
  if (input.stale) return { kind: 'stale' };
  if (input.drip) return { kind: 'drip', overMs: input.drip.over, chunks: input.drip.chunks };
  if (input.answers) {
    return {
      kind: 'answers',
      answers: input.answers.map(({ status, json, text, contentType, headers }) => ({
        status,
        contentType: contentType ?? (json === undefined && text !== undefined ? 'text/plain; charset=UTF-8' : 'application/json; charset=UTF-8'),
        body: json === undefined ? (text ?? '') : JSON.stringify(json),
        headers,
      })),
    };
  }
  if (input.override) return { kind: 'override', fields: Object.entries(input.override).map(([pointer, value]) => ({ pointer, json: JSON.stringify(value) ?? 'null' })) };
  return { kind: 'unavailable' };
}
