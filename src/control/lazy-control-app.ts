import { fastify, LogController, type FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { PROTOCOL_LIMITS } from '../rest/protocol.js';
import { CONTROL_PREFIX } from './control-prefix.js';

/** Takes a request over that nobody has begun to answer. */
export type Route = (request: IncomingMessage, response: ServerResponse) => void;

export interface LazyControlAppOptions {
  /** Adds the routes below CONTROL_PREFIX. */
  readonly plugin: (scope: FastifyInstance) => Promise<void>;
  readonly logger?: Logger;
}

/**
 * The control API beside Flink's on one port: an app of its own that is made for the first request to it. Its routes and schemas cost more
 * than the rest of a start, and whoever starts a cluster in a test seldom asks for them.
 */
export class LazyControlApp {
  readonly prefix = CONTROL_PREFIX;
  // In an object, as an app can be awaited itself.
  private made: Promise<{ readonly app: FastifyInstance }> | null = null;

  constructor(private readonly options: LazyControlAppOptions) {}

  /** Where requests go whose target is below the prefix. They come over the port of another app, which has read no body. */
  async route(): Promise<Route> {
    const { app } = await (this.made ??= this.make());
    return (request, response) => app.routing(request, response);
  }

  /** Ends what goes on for ever; answers in flight are the port's. */
  async close(): Promise<void> {
    await this.made?.then(({ app }) => app.close());
  }

  private async make(): Promise<{ readonly app: FastifyInstance }> {
    const { plugin, logger } = this.options;
    const app = fastify({
      ...(logger ? { loggerInstance: logger } : { logger: false }),
      logController: new LogController({ disableRequestLogging: true }),
      exposeHeadRoutes: false,
      return503OnClosing: false,
      routerOptions: { maxParamLength: PROTOCOL_LIMITS.requestLineBytes },
    }) as unknown as FastifyInstance;
    app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
    await app.register(plugin, { prefix: this.prefix });
    await app.ready();
    return { app };
  }
}
