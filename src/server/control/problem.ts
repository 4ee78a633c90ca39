import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';

const TITLES: Readonly<Record<number, string>> = { 400: 'Bad request', 404: 'Not found', 409: 'Conflict', 413: 'Too large', 415: 'Unsupported media type', 500: 'Internal error' };

/** An expected failure of the control API. */
export class ControlError extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message);
  }
}

function sendProblem(reply: FastifyReply, status: number, detail: string, more: object = {}): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send({ type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ...more });
}

/** Errors of a scope as application/problem+json (RFC 9457). */
export function useProblems(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    if (hasZodFastifySchemaValidationErrors(error)) {
      const issues = error.validation.map(({ instancePath, message }) => ({ at: instancePath === '' ? '/' : instancePath, message }));
      return sendProblem(reply, 400, issues.map(({ at, message }) => `${at}: ${message}`).join('; '), { issues });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'the control API failed');
    return sendProblem(reply, status, status >= 500 ? 'see the log' : error.message);
  });
  scope.setNotFoundHandler((request, reply) => sendProblem(reply, 404, `there is no ${request.method} ${request.url.split('?')[0]}`));
}
