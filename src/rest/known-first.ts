import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendWireForm, wireForm, type HeaderNames } from './send.js';
import { withoutBase, type ClusterOf } from './served-cluster.js';

export interface KnownFirstOptions {
  readonly clusterOf: ClusterOf;
  readonly names: HeaderNames;
  /** Told of each request that is not answered at once, before anybody else sees it. */
  readonly onRequest?: (response: ServerResponse) => void;
}

/** A GET that says nothing but its target: the answer to it may be known already. */
export function hasNoBody({ method, headers, httpVersion }: IncomingMessage): boolean {
  return method === 'GET' && httpVersion !== '0.9' && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined && headers['content-type'] === undefined;
}

/**
 * Lets what was answered a moment ago be sent again before fastify sees the request: no routing, no hooks, no objects of fastify's. All
 * else goes to fastify as ever.
 */
export function answerKnownFirst(app: FastifyInstance, options: KnownFirstOptions): void {
  const { clusterOf, names, onRequest } = options;
  const { server } = app;
  const [handle] = server.listeners('request') as [RequestListener];
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });

  const answerAtOnce = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (closing || !response.shouldKeepAlive || !hasNoBody(request)) return false;
    const { context, cache, gate, advance, basePath, justBefore } = clusterOf(request);
    if (context.state.jobManager.availability === 'DOWN') return false;
    if (gate !== null && !gate.admitsAtOnce()) return false;
    const target = withoutBase(basePath, request.url!);
    if (!cache.has(target)) return false;
    const sinceMs = justBefore?.() ?? null;
    if (sinceMs === null) advance();
    const known = sinceMs === null ? cache.get(target) : cache.latest(target, sinceMs);
    if (known === undefined) return false;
    gate?.answeredAtOnce(request, target, known);
    sendWireForm(response, (known.wire ??= wireForm(known, names)));
    return true;
  };

  const workOut: RequestListener = (request, response) => {
    onRequest?.(response);
    handle(request, response);
  };
  server.removeListener('request', handle);
  server.on('request', (request, response) => {
    if (answerAtOnce(request, response)) return;
    // Somebody else may have been given the same answer by then.
    const later = (): void => void (answerAtOnce(request, response) || workOut(request, response));
    if (clusterOf(request).isReady?.(later) ?? true) workOut(request, response);
  });
}
