import { fastify, LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isRawAnswer, type Endpoint, type EndpointContext } from './endpoint.js';
import { errorAnswer } from './error-answer.js';
import { canonicalTarget, routedPath } from './request-path.js';
import { JSON_TYPE, LOWER_HEADERS, send } from './send.js';

export interface AppOptions {
  readonly context: EndpointContext;
  readonly endpoints: readonly Endpoint[];
  /** Called before each request, so that the answer is of now. */
  readonly advance: () => void;
  readonly logger?: Logger;
}

/** Flink's REST API over a simulation, as a fastify instance that does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { context, endpoints, advance } = options;
  const app = fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 4096 },
    rewriteUrl: (request) => canonicalTarget(request.url ?? '/'),
  }) as unknown as FastifyInstance;

  app.removeAllContentTypeParsers();
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => done(null, body));

  // Flink reads any body that is not multipart as JSON, whatever its type says.
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined && !headers['content-type'].startsWith('multipart/')) headers['content-type'] = 'application/json';
    done();
  });

  const fail = (reply: FastifyReply, error: unknown): FastifyReply => {
    const { status, errors } = errorAnswer(error, context.features);
    return send(reply, LOWER_HEADERS, { status, contentType: JSON_TYPE, body: JSON.stringify({ errors }), allowOrigin: true });
  };
  app.setErrorHandler((error, _request, reply) => fail(reply, error));
  app.setNotFoundHandler((request, reply) => {
    const text = request.method === 'GET' ? `Unable to load requested file ${routedPath(request.originalUrl)}.` : 'Not found.';
    return send(reply, LOWER_HEADERS, { status: 404, contentType: JSON_TYPE, body: JSON.stringify({ errors: [text] }), allowOrigin: request.method !== 'GET' });
  });

  for (const endpoint of endpoints) {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      advance();
      const query: Record<string, string[]> = {};
      for (const [key, value] of Object.entries((request.query ?? {}) as Record<string, string | string[]>)) query[key] = [value].flat().flatMap((text) => text.split(','));
      const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? (JSON.parse(request.body.toString('utf8')) as Record<string, unknown>) : {};
      const answer = await endpoint.handle({ method: request.method, path: routedPath(request.originalUrl), params: request.params as Record<string, string>, query, body, files: [] }, context);
      if (isRawAnswer(answer)) {
        const { 'content-type': contentType = 'text/plain', ...rest } = answer.headers;
        return send(reply, LOWER_HEADERS, { status: answer.status, contentType, body: answer.body, allowOrigin: false, headers: Object.entries(rest).flat() });
      }
      return send(reply, LOWER_HEADERS, { status: 200, contentType: JSON_TYPE, body: JSON.stringify(answer), allowOrigin: true });
    };
    for (const url of [endpoint.url, '/v1' + endpoint.url]) app.route({ method: endpoint.method, url, handler });
  }
  return app;
}
