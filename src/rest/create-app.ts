import multipart from '@fastify/multipart';
import { fastify, LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { TlsOptions } from 'node:tls';
import { restSpec, type EndpointSpec } from '../versions/rest-spec.js';
import { dropConnection } from '../http-faults/drop-connection.js';
import { AnswerCache, type KeptAnswer } from './answer-cache.js';
import { LeaderElection } from './availability.js';
import type { EndpointContext } from './endpoint.js';
import { endpointHandler, type HandlerTools } from './endpoint-handler.js';
import { internalServerError } from './error-answer.js';
import { answerKnownFirst, hasNoBody } from './known-first.js';
import { isMultipart } from './multipart.js';
import { answerConnect, answerUnreadable, bareError, maxContentBytes, notFoundAnswer, PROTOCOL_LIMITS, refusal, TOO_LARGE } from './protocol.js';
import type { Resource } from './resources/index.js';
import { canonicalTarget, decodedPath, isBelow, NO_ROUTE, readableTarget } from './request-target.js';
import { headerNames, JSON_TYPE, send, type Answer } from './send.js';
import { withoutBase, type ClusterOf, type ServedCluster } from './served-cluster.js';
import { createSerializers } from './serializer/compile-serializer.js';
import { errorsJson } from './serializer/json-string.js';

/** The files beside the API: the dashboard, or a page of our own. */
export interface StaticFiles {
  /** What a GET of a decoded path is answered; null when there is no such file. */
  answer(path: string, ifModifiedSince: string | undefined): Answer | null;
}

/** Sees requests before Flink's routes do. */
export interface RequestGate {
  /** Calls `proceed`, now or later, unless it answers (or never does) itself. `target` is without base path. */
  admit(request: FastifyRequest, reply: FastifyReply, target: string, proceed: () => void): void;
  /** Whether a request whose answer is known may be given it at once; false = it goes through `admit`. */
  admitsAtOnce(): boolean;
  /** Told of a request that was answered at once. */
  answeredAtOnce(request: IncomingMessage, target: string, answer: KeptAnswer): void;
}

/** An API of our own on the same port, such as that below `/_mock`. */
export interface ApiBeside {
  /** Requests of it and below are none of Flink's business. */
  readonly prefix: string;
  /** Who takes such requests over, their bodies unread; ready when the first comes. */
  route(): Promise<(request: IncomingMessage, response: ServerResponse) => void>;
  /** The app closes: ends answers that would go on for ever. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly context: EndpointContext;
  /** Where the app serves more clusters than that of `context`, which then is one of them: whose request it is. All are of one Flink version. */
  readonly clusterOf?: ClusterOf;
  readonly resources: readonly Resource[];
  /** Called before each request, so that the answer is of now. */
  readonly advance: () => void;
  /** The simulation is between two instants: see ServedCluster. */
  readonly justBefore?: () => number | null;
  /** Whether the state may be looked at now: see ServedCluster. */
  readonly isReady?: (later: () => void) => boolean;
  /** Told of each request that is not answered at once, before anybody else sees it. */
  readonly onRequest?: (response: ServerResponse) => void;
  /** Folder for the parts of uploads. */
  readonly temporaryDirectory: string;
  /** Bytes of files that all uploads under way may have there. Default: 4 GiB. */
  readonly uploadBudgetBytes?: number;
  /** Answers below this path too, as behind YARN's proxy: `/proxy/application_1582644888198_0190`. */
  readonly basePath?: string;
  /** rest.url-prefix: Flink's own routes are below it only. */
  readonly urlPrefix?: string;
  readonly staticFiles?: StaticFiles;
  readonly beside?: ApiBeside;
  /** Request journal and injected faults. */
  readonly gate?: RequestGate;
  /** Where answers are kept; for those who change the state behind the app's back. */
  readonly answers?: AnswerCache;
  readonly logger?: Logger;
  /** Speaks TLS. */
  readonly tls?: TlsOptions;
  /** Instead of PROTOCOL_LIMITS: how long a request may take, and how often that is looked at, ms. */
  readonly timeouts?: { readonly headersMs: number; readonly requestMs: number; readonly checkMs: number };
}

function trimmed(path: string | undefined): string {
  return path === undefined ? '' : path.replace(/\/+$/, '').replace(/^(?=[^/])/, '/');
}

/** Flink's REST API over a simulation, as a fastify instance that does not listen yet. */
export function createApp(options: AppOptions): FastifyInstance {
  const { context, resources, beside } = options;
  const { features, version } = context;
  const names = headerNames(features);
  const urlPrefix = trimmed(options.urlPrefix);
  const isBeside = (target: string): boolean => beside !== undefined && isBelow(target, beside.prefix);

  const only: ServedCluster = { context, cache: options.answers ?? new AnswerCache(context.state), gate: options.gate ?? null, advance: options.advance, basePath: trimmed(options.basePath), ...(options.justBefore ? { justBefore: options.justBefore } : {}), ...(options.isReady ? { isReady: options.isReady } : {}) };
  const clusterOf: ClusterOf = options.clusterOf ?? (() => only);
  const targetOf = (request: FastifyRequest): string => withoutBase(clusterOf(request.raw).basePath, request.originalUrl);

  const spec = restSpec(version);
  const withoutVersionPrefix = new Set(spec.endpoints.filter(({ hasVersionPrefix }) => !hasVersionPrefix).map(({ url }) => `/v1${url}`));
  // Every route is there once; `/v1` and the prefix are taken off before it is looked up.
  const routeOf = (target: string): string => {
    if (urlPrefix !== '' && !target.startsWith(`${urlPrefix}/`)) return NO_ROUTE;
    const below = target.slice(urlPrefix.length);
    if (!below.startsWith('/v1/')) return below;
    return withoutVersionPrefix.has(below.split('?')[0]!) ? NO_ROUTE : below.slice('/v1'.length);
  };

  const maxBodyBytes = maxContentBytes(context.state.options ?? {});
  const timeouts = options.timeouts ?? { headersMs: PROTOCOL_LIMITS.headersTimeoutMs, requestMs: PROTOCOL_LIMITS.requestTimeoutMs, checkMs: PROTOCOL_LIMITS.timeoutCheckMs };
  // A GET may come without a host, as Netty takes it.
  const server = { maxHeaderSize: PROTOCOL_LIMITS.headerBytes, requireHostHeader: false, headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkMs };
  const app = fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: maxBodyBytes,
    requestTimeout: timeouts.requestMs,
    ...(options.tls ? { https: { ...server, ...options.tls } } : { http: server }),
    routerOptions: { maxParamLength: PROTOCOL_LIMITS.requestLineBytes },
    rewriteUrl: (request) => {
      const target = withoutBase(clusterOf(request as unknown as IncomingMessage).basePath, request.url ?? '/');
      return isBeside(target) ? readableTarget(target) : routeOf(canonicalTarget(target));
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, features, names),
  }) as unknown as FastifyInstance;

  app.server.on('connect', (request, socket) => answerConnect(request, socket, features, names));
  app.removeAllContentTypeParsers();
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => done(null, body));
  answerKnownFirst(app, { clusterOf, names, ...(options.onRequest ? { onRequest: options.onRequest } : {}) });
  app.addHook('onRequest', (request, reply, done) => {
    const cluster = clusterOf(request.raw);
    const target = withoutBase(cluster.basePath, request.originalUrl);
    if (isBeside(target)) handOver(request, reply, done);
    else if (cluster.gate) cluster.gate.admit(request, reply, target, () => accept(cluster, request, reply, target, done));
    else accept(cluster, request, reply, target, done);
  });
  const handOver = (request: FastifyRequest, reply: FastifyReply, fail: (error: Error) => void): void =>
    void beside!.route().then((route) => {
      reply.hijack();
      if (!reply.raw.destroyed) route(request.raw, reply.raw);
    }, fail);
  if (beside) app.addHook('preClose', () => beside.close());
  const accept = ({ context: { state }, cache, advance, basePath }: ServedCluster, request: FastifyRequest, reply: FastifyReply, target: string, done: () => void): void => {
    if (basePath !== '' && request.originalUrl === basePath) {
      send(reply, names, { status: 302, contentType: null, body: '', allowOrigin: false, headers: ['location', `${basePath}/`] });
      return;
    }
    if (state.jobManager.availability === 'DOWN') {
      advance();
      if (state.jobManager.availability === 'DOWN') {
        reply.hijack();
        dropConnection(reply.raw, 'refuse');
        return;
      }
    }
    if (hasNoBody(request.raw)) {
      advance();
      const known = cache.get(target);
      if (known !== undefined) {
        send(reply, names, known);
        return;
      }
    }
    const refused = refusal(request, target, features, maxBodyBytes);
    if (refused) {
      send(reply, names, refused);
      return;
    }
    // Flink reads any body that is no form as JSON, whatever its type says.
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined && !isMultipart(request.method, headers['content-type'])) headers['content-type'] = 'application/json';
    done();
  };

  app.setErrorHandler((error: Error & { code?: string }, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
      send(reply, names, { ...TOO_LARGE, close: true });
      return;
    }
    // Whoever went away in the middle of a body gets no answer.
    if (request.raw.destroyed && error.code === 'ECONNRESET') {
      reply.hijack();
      return;
    }
    options.logger?.error({ err: error, url: request.originalUrl }, 'a request failed');
    const { status, errors } = internalServerError('java.lang.RuntimeException', error.message);
    send(reply, names, { status, contentType: JSON_TYPE, body: errorsJson(errors), allowOrigin: true });
  });

  app.setNotFoundHandler((request, reply) => {
    const target = targetOf(request);
    if (request.method !== 'GET') {
      send(reply, names, notFoundAnswer(target, features));
      return;
    }
    // Files too are served by whoever knows the leader only.
    if (clusterOf(request.raw).context.state.jobManager.availability === 'ELECTING') {
      send(reply, names, bareError(503, new LeaderElection().message, { allowOrigin: true }));
      return;
    }
    const decoded = decodedPath(target);
    const path = decoded.endsWith('/') ? `${decoded}index.html` : decoded;
    send(reply, names, options.staticFiles?.answer(path, request.headers['if-modified-since']) ?? bareError(404, `Unable to load requested file ${path}.`));
  });

  const tools: HandlerTools = {
    features,
    clusterOf,
    spec,
    serializerOf: createSerializers(spec),
    names,
    temporaryDirectory: options.temporaryDirectory,
    ...(options.uploadBudgetBytes === undefined ? {} : { uploadBudgetBytes: options.uploadBudgetBytes }),
    logger: options.logger ?? null,
  };
  const inVersion = new Map<string, EndpointSpec>(spec.endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint]));
  const present = resources.flatMap(({ endpoints }) => endpoints).filter(({ method, url }) => inVersion.has(`${method} ${url}`));
  const addRoutes = (routes: FastifyInstance, isPost: boolean): void => {
    for (const endpoint of present) {
      const { method, url } = endpoint;
      if ((method === 'POST') === isPost) routes.route({ method, url, handler: endpointHandler(endpoint, inVersion.get(`${method} ${url}`)!, tools) });
    }
  };
  addRoutes(app, false);
  // Forms cost every request of a scope a hook: only POST knows them.
  void app.register(async (routes) => {
    await routes.register(multipart);
    addRoutes(routes, true);
  });
  return app;
}
