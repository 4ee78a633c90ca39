import { fastify, LogController, type FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { requireToken } from '../control/access.js';
import { controlApi } from '../control/control-api.js';
import { CONTROL_PREFIX } from '../control/control-prefix.js';
import { isBelow, readableTarget } from '../rest/request-target.js';
import { withoutBase } from '../rest/served-cluster.js';
import { reporterRoutes } from '../reporters/routes.js';
import type { HostedCluster } from './hosted-cluster.js';
import { routedOf } from './routed-request.js';

/** Control APIs that are kept ready; that of a cluster whose turn was longest ago goes first. */
const KEPT = 16;

/** Metrics are scraped from all clusters for ever: they have an app for all. */
const METRICS = ['/metrics', '/reporters', '/kafka'].map((path) => `${CONTROL_PREFIX}${path}`);

/** What lies below the clusters' `/_mock`: a control API of each that asks for it, and everybody's metrics. */
export class ControlApps {
  private readonly apps = new Map<HostedCluster, Promise<FastifyInstance>>();
  private readonly metrics: Promise<FastifyInstance>;

  constructor(private readonly options: { readonly token: string | null; readonly logger: Logger | null }) {
    const { token } = options;
    this.metrics = this.create(async (scope) => {
      if (token !== null) requireToken(scope, token, () => false);
      await reporterRoutes(scope, ({ raw }) => {
        const { cluster, served } = routedOf(raw);
        const { simulation, reporters, commits } = cluster;
        return { state: simulation.state, reporters, commits, advance: served.advance, basePath: served.basePath };
      });
    });
  }

  /** Control APIs there are now. */
  get size(): number {
    return this.apps.size;
  }

  /** Answers a routed request; `target` is without the cluster's base path. */
  async answer(cluster: HostedCluster, target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const app = await (METRICS.some((path) => isBelow(target, path)) ? this.metrics : this.of(cluster));
    app.server.emit('request', request, response);
  }

  async removed(cluster: HostedCluster): Promise<void> {
    const app = this.apps.get(cluster);
    this.apps.delete(cluster);
    await (await app)?.close();
  }

  async close(): Promise<void> {
    await Promise.all([this.metrics, ...this.apps.values()].map(async (app) => (await app).close()));
    this.apps.clear();
  }

  private of(cluster: HostedCluster): Promise<FastifyInstance> {
    const known = this.apps.get(cluster);
    const app = known ?? this.create((scope) => controlApi(scope, { control: cluster.control, token: this.options.token }));
    this.apps.delete(cluster);
    this.apps.set(cluster, app);
    cluster.record();
    if (known === undefined) this.makeRoom();
    return app;
  }

  /** Whoever still listens to a cluster's stream keeps its app. */
  private makeRoom(): void {
    if (this.apps.size <= KEPT) return;
    for (const cluster of this.apps.keys()) {
      if (cluster.control.feed.size > 0) continue;
      this.apps.delete(cluster);
      return;
    }
  }

  private async create(plugin: (scope: FastifyInstance) => Promise<void>): Promise<FastifyInstance> {
    const { logger } = this.options;
    const app = fastify({
      ...(logger ? { loggerInstance: logger } : { logger: false }),
      logController: new LogController({ disableRequestLogging: true }),
      exposeHeadRoutes: false,
      rewriteUrl: (request) => readableTarget(withoutBase(routedOf(request as unknown as IncomingMessage).served.basePath, request.url ?? '/')),
    }) as unknown as FastifyInstance;
    await app.register(plugin, { prefix: CONTROL_PREFIX });
    await app.ready();
    return app;
  }
}
