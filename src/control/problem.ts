import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ScenarioError } from '../scenario/scenario-error.js';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authorized',
  404: 'Not found',
  408: 'Not in time',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  429: 'Too many',
  500: 'Internal error',
  503: 'Not available',
  507: 'No space',
};

/** An expected failure of the control API; the message says what is allowed. */
export class ControlError extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
    this.name = 'ControlError';
  }
}

export function sendProblem(reply: FastifyReply, status: number, detail: string, more: object = {}): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send({ type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ...more });
}

export const BODY_LIMITS = { jsonBytes: 4 * 1024 * 1024, snapshotBytes: 256 * 1024 * 1024 };

/** What fastify says of bodies that it does not read, in our words. */
const REASONS: Readonly<Record<string, (request: FastifyRequest) => string>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => 'the body is no JSON; allowed: a JSON object, with `"` around names and text',
  FST_ERR_CTP_EMPTY_JSON_BODY: () => 'the body is empty; allowed: a JSON object',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ headers }) => `found ${headers['content-type'] === undefined ? 'no content type' : `the content type ${JSON.stringify(headers['content-type'].slice(0, 100))}`}; allowed: application/json`,
  FST_ERR_CTP_BODY_TOO_LARGE: () => `the body is too large; allowed: at most ${BODY_LIMITS.jsonBytes} bytes, of a snapshot ${BODY_LIMITS.snapshotBytes}`,
};

/** Errors of a scope as application/problem+json (RFC 9457). `routes` is what a wrong path or method is told of, `documents` where all are described. */
export function useProblems(scope: FastifyInstance, routes: () => readonly { readonly method: string; readonly url: string }[], documents: string): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof ScenarioError) {
      const issues = error.problems.map(({ path, message }) => ({ at: path === '' ? '/' : path, message }));
      return sendProblem(reply, 400, issues.map(({ at, message }) => `${at}: ${message}`).join('; '), { issues });
    }
    const status = error.statusCode ?? 500;
    const reason = REASONS[error.code]?.(request);
    if (reason !== undefined) return sendProblem(reply, status, reason);
    if (status >= 500 && !(error instanceof ControlError)) request.log.error({ err: error }, 'the control API failed');
    return sendProblem(reply, status, status >= 500 && !(error instanceof ControlError) ? 'see the log' : error.message);
  });
  scope.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]!;
    const methods = routes().filter(({ url }) => matches(url, path)).map(({ method }) => method);
    return sendProblem(reply, 404, `there is no ${request.method} ${path}`, methods.length > 0 ? { allowed: methods } : { documents });
  });
}

function matches(url: string, path: string): boolean {
  const [a, b] = [url.split('/'), path.split('/')];
  return a.length === b.length && a.every((part, index) => part.startsWith(':') || part === b[index]);
}
