import { withBody, withHeader, type WholeAnswer } from './answer-capture.js';
import type { FaultEffect, HttpFaultState } from './http-fault.js';
import { overrideJson } from './json-override.js';

const HTML = Buffer.from('<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n');

/** Answers that are kept for `stale`, and their bytes; more targets than that get true answers. */
const MAX_KEPT = { answers: 1_000, bytes: 32 * 1024 * 1024 };

/** What the effect makes of an answer. */
export function changeAnswer(answer: WholeAnswer, effect: FaultEffect, state: HttpFaultState, target: string): WholeAnswer {
  switch (effect.kind) {
    case 'body':
      return changeBody(answer, effect.what);
    case 'content-type':
      return { ...answer, headers: withHeader(answer.headers, 'content-type', effect.contentType === '' ? null : effect.contentType) };
    case 'override': {
      const text = answer.body.toString('utf8');
      if (!isJson(text)) return answer;
      return withBody(answer, Buffer.from(effect.fields.reduce((json, { pointer, json: value }) => overrideJson(json, pointer, value), text)));
    }
    case 'stale':
      return keepFirst(answer, state, target);
    default:
      return answer;
  }
}

function changeBody(answer: WholeAnswer, what: 'truncated' | 'malformed' | 'empty' | 'html'): WholeAnswer {
  const { body } = answer;
  switch (what) {
    case 'truncated':
      return withBody(answer, body.subarray(0, Math.floor(body.length / 2)));
    case 'malformed':
      // All there but the closing bracket, and a comma where none may be.
      return withBody(answer, Buffer.concat([body.subarray(0, Math.max(0, body.length - 1)), Buffer.from(',,')]));
    case 'empty':
      return withBody(answer, Buffer.alloc(0));
    case 'html':
      return { ...withBody(answer, HTML), headers: withHeader(withHeader(answer.headers, 'content-length', String(HTML.length)), 'content-type', 'text/html') };
  }
}

function keepFirst(answer: WholeAnswer, state: HttpFaultState, target: string): WholeAnswer {
  const kept = state.kept.get(target);
  if (kept) return { status: kept.status, reason: answer.reason, headers: kept.headers, body: Buffer.from(kept.body) };
  if (state.kept.size < MAX_KEPT.answers && state.keptBytes + answer.body.length <= MAX_KEPT.bytes) {
    state.kept.set(target, { status: answer.status, headers: [...answer.headers], body: Uint8Array.from(answer.body) });
    state.keptBytes += answer.body.length;
  }
  return answer;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
