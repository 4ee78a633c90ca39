import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { readFileSync } from 'node:fs';
import { openApiDocument, type OpenApiDocument } from '../rest/openapi.js';
import type { ClusterControl } from './cluster-control.js';
import { CONTROL_PREFIX } from './control-prefix.js';
import { EventStreams } from './event-streams.js';
import { useJsonApi } from './json-api.js';
import { clockRoutes } from './routes/clock-routes.js';
import { clusterRoutes } from './routes/cluster-routes.js';
import { eventRoutes } from './routes/event-routes.js';
import { faultRoutes } from './routes/fault-routes.js';
import { CONSOLE_PATHS, consolePage } from './routes/console-page.js';
import { consoleRoutes } from './routes/console-routes.js';
import { historyRoutes } from './routes/history-routes.js';
import { journalRoutes } from './routes/journal-routes.js';
import { logRoutes } from './routes/log-routes.js';
import { streamRoutes } from './routes/stream-routes.js';

export interface ControlApiOptions {
  readonly control: ClusterControl;
  /** Asked for on every route but health and documents; null = none. */
  readonly token: string | null;
}

/** Paths that say nothing about the cluster beyond its name. */
const OPEN_PATHS = ['/health', '/docs', '/openapi.json', '/flink-openapi.json', ...CONSOLE_PATHS].map((path) => `${CONTROL_PREFIX}${path}`);

/** Our own API beside Flink's, as a plugin to be registered below CONTROL_PREFIX. */
export async function controlApi(scope: FastifyInstance, { control, token }: ControlApiOptions): Promise<void> {
  await useJsonApi(scope, {
    title: 'mock-flink control API',
    description: 'Holds the clock, brings faults, looks in.',
    token,
    openPaths: OPEN_PATHS,
    documents: `${CONTROL_PREFIX}/openapi.json`,
  });
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  clockRoutes(routes, control);
  clusterRoutes(routes, control);
  eventRoutes(routes, control);
  faultRoutes(routes, control);
  historyRoutes(routes, control);
  journalRoutes(routes, control);
  logRoutes(routes, control);
  const streams = new EventStreams(routes);
  streamRoutes(routes, control, streams);
  consoleRoutes(routes, control, streams);
  consolePage(scope, token !== null);

  let flinkDocument: Promise<OpenApiDocument> | undefined;
  const page = readFileSync(new URL('./docs-page.html', import.meta.url), 'utf8');
  scope.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.type('text/html; charset=utf-8').serializer(String).send(page));
  scope.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.serializer(JSON.stringify).send(scope.swagger()));
  scope.get('/flink-openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.serializer(JSON.stringify).send(await (flinkDocument ??= openApiDocument(control.version))));
}
