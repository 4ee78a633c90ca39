import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.js';

/** Lets in who brings the token, except to the paths named. Compared in constant time. */
export function requireToken(scope: FastifyInstance, token: string, isOpen: (request: FastifyRequest) => boolean): void {
  const expected = digest(token);
  scope.addHook('onRequest', (request, reply, done) => {
    if (isOpen(request)) return done();
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return done();
    void reply.header('www-authenticate', 'Bearer realm="mock-flink"');
    sendProblem(reply, 401, given === undefined ? 'a token is needed: send `Authorization: Bearer <token>`, the one that the server was started with' : 'the token is wrong: send the one that the server was started with');
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
