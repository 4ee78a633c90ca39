import { fastify, LogController, type FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Logger } from 'pino';
import { readableTarget } from '../rest/request-target.js';
import { requireBasicAuth, type BasicAuth } from '../server/basic-auth.js';
import { CONTROL_PREFIX } from './control-prefix.js';

export interface ControlPort {
  readonly url: string;
  close(): Promise<void>;
  /** Cuts off who is still connected. */
  closeAllConnections(): void;
}

/** The control API on a port of its own. */
export async function startControlPort(options: { readonly host: string; readonly port: number; readonly plugin: (scope: FastifyInstance) => Promise<void>; readonly logger?: Logger; readonly tls?: TlsOptions; readonly basicAuth?: BasicAuth; readonly onRequest?: (response: ServerResponse) => void }): Promise<ControlPort> {
  const { host, port, plugin, logger, tls, basicAuth } = options;
  const app = fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    rewriteUrl: (request) => readableTarget(request.url ?? '/'),
    forceCloseConnections: 'idle',
    requestTimeout: 300_000,
    ...(tls ? { https: tls } : {}),
  }) as unknown as FastifyInstance;
  if (basicAuth !== undefined) requireBasicAuth(app.server, basicAuth, () => false);
  const { onRequest } = options;
  if (onRequest) app.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => onRequest(response));
  await app.register(plugin, { prefix: CONTROL_PREFIX });
  await app.listen({ host, port });
  return { url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${(app.server.address() as AddressInfo).port}`, close: () => app.close(), closeAllConnections: () => app.server.closeAllConnections() };
}
