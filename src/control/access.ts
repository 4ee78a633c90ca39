import type { FastifyInstance, FastifyRequest } from 'fastify';
import { secretMatcher } from '../server/secrets.js';
import { sendProblem } from './problem.js';

/** Lets in who brings the token, except to the paths named. Compared in constant time. */
export function requireToken(scope: FastifyInstance, token: string, isOpen: (request: FastifyRequest) => boolean): void {
  const isToken = secretMatcher(token);
  scope.addHook('onRequest', (request, reply, done) => {
    if (isOpen(request)) return done();
    const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && isToken(given)) return done();
    void reply.header('www-authenticate', 'Bearer realm="mock-flink"');
    sendProblem(reply, 401, given === undefined ? 'a token is needed: send `Authorization: Bearer <token>`, the one that the server was started with' : 'the token is wrong: send the one that the server was started with');
  });
}
