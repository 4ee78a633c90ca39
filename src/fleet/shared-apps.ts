import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { createApp, type StaticFiles } from '../rest/create-app.js';
import { maxContentBytes } from '../rest/protocol.js';
import { RESOURCES } from '../rest/resources/index.js';
import { headerNames } from '../rest/send.js';
import { dashboardSource } from '../server/static/dashboard-source.js';
import type { FileSource } from '../server/static/file-source.js';
import { createStaticFiles } from '../server/static/static-files.js';
import { statusPage } from '../server/status-page.js';
import type { HostedCluster } from './hosted-cluster.js';
import { routedOf } from './routed-request.js';

export interface SharedAppsOptions {
  /** Folder for the parts of uploads. */
  readonly temporaryDirectory: string;
  /** Folder or jar with Flink's own dashboard. */
  readonly dashboard: string | null;
  readonly logger: Logger | null;
}

/** Flink's API for all clusters of a version at once: routes, schemas and serializers are there once, the cluster is found by the request. */
export class SharedApps {
  private readonly apps = new Map<string, Promise<FastifyInstance>>();
  private readonly ready = new Map<string, FastifyInstance>();
  private readonly sources = new Map<string, Promise<FileSource | undefined>>();

  constructor(private readonly options: SharedAppsOptions) {}

  get size(): number {
    return this.apps.size;
  }

  /** Makes the app that serves a cluster, unless it is there; gives what `answer` needs. */
  async prepare(cluster: HostedCluster): Promise<string> {
    const { version, urlPrefix, simulation, definition } = cluster;
    const key = JSON.stringify([version.full, urlPrefix, maxContentBytes(simulation.state.options), definition.control]);
    let app = this.apps.get(key);
    if (!app) this.apps.set(key, (app = this.create(cluster)));
    this.ready.set(key, await app);
    return key;
  }

  /** Answers a request that was routed to one of the clusters for which the app was prepared. */
  answer(key: string, request: IncomingMessage, response: ServerResponse): void {
    this.ready.get(key)!.server.emit('request', request, response);
  }

  async close(): Promise<void> {
    await Promise.all([...this.apps.values()].map(async (app) => (await app).close()));
  }

  private async create(cluster: HostedCluster): Promise<FastifyInstance> {
    const { context, cache, advance } = cluster.byHost;
    const { temporaryDirectory, logger } = this.options;
    const staticFiles = await this.staticFiles(cluster);
    const app = createApp({
      context,
      clusterOf: (request) => routedOf(request).served,
      answers: cache,
      advance,
      resources: RESOURCES,
      temporaryDirectory,
      ...(cluster.urlPrefix === '' ? {} : { urlPrefix: cluster.urlPrefix }),
      ...(staticFiles ? { staticFiles } : {}),
      ...(logger ? { logger } : {}),
    });
    await app.ready();
    return app;
  }

  private async staticFiles({ definition, byHost }: HostedCluster): Promise<StaticFiles | undefined> {
    const { dashboard } = this.options;
    const key = dashboard ?? (definition.control ? 'with console' : 'without');
    let source = this.sources.get(key);
    if (!source) this.sources.set(key, (source = dashboard === null ? statusPage(definition.control) : dashboardSource(dashboard)));
    const { features } = byHost.context;
    const found = await source;
    return found && createStaticFiles({ source: found, names: headerNames(features), notModifiedClosesLoudly: features.notModifiedClosesLoudly });
  }
}
