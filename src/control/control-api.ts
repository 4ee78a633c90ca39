import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { readFileSync } from 'node:fs';
import { openApiDocument, type OpenApiDocument } from '../rest/openapi.js';
import { requireToken } from './access.js';
import type { ClusterControl } from './cluster-control.js';
import { useProblems } from './problem.js';
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

/** A path that Flink never uses. */
export const CONTROL_PREFIX = '/_mock';

export const MAX_CONTROL_BODY_BYTES = 4 * 1024 * 1024;

export interface ControlApiOptions {
  readonly control: ClusterControl;
  /** Asked for on every route but health and documents; null = none. */
  readonly token: string | null;
}

export type ControlRoutes = FastifyInstance & { readonly withTypeProvider: FastifyInstance['withTypeProvider'] };

/** Paths that say nothing about the cluster beyond its name. */
const OPEN_PATHS = ['/health', '/docs', '/openapi.json', '/flink-openapi.json', ...CONSOLE_PATHS].map((path) => `${CONTROL_PREFIX}${path}`);

/** Our own API beside Flink's, as a plugin to be registered below CONTROL_PREFIX. No access-control headers: pages of other origins have no business here. */
export async function controlApi(scope: FastifyInstance, { control, token }: ControlApiOptions): Promise<void> {
  const known: { method: string; url: string }[] = [];
  scope.addHook('onRoute', ({ method, url }) => void [method].flat().forEach((each) => known.push({ method: each, url })));
  useProblems(scope, () => known);
  if (token !== null) requireToken(scope, token, (request) => OPEN_PATHS.includes(request.url.split('?')[0]!));
  scope.setValidatorCompiler(validatorCompiler);
  scope.setSerializerCompiler(serializerCompiler);
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_CONTROL_BODY_BYTES }, scope.getDefaultJsonParser('error', 'error'));
  await scope.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'mock-flink control API', version: '1', description: 'Holds the clock, brings faults, looks in. Errors are application/problem+json.', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/' }],
      ...(token === null ? {} : { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] }),
    },
    transform: jsonSchemaTransform,
  });
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  clockRoutes(routes, control);
  clusterRoutes(routes, control);
  eventRoutes(routes, control);
  faultRoutes(routes, control);
  historyRoutes(routes, control);
  journalRoutes(routes, control);
  logRoutes(routes, control);
  streamRoutes(routes, control);
  consoleRoutes(routes, control);
  consolePage(scope, token !== null);

  let flinkDocument: Promise<OpenApiDocument> | undefined;
  const page = readFileSync(new URL('./docs-page.html', import.meta.url), 'utf8');
  scope.get('/docs', { schema: { hide: true } }, (_request, reply) => reply.type('text/html; charset=utf-8').serializer(String).send(page));
  scope.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.serializer(JSON.stringify).send(scope.swagger()));
  scope.get('/flink-openapi.json', { schema: { hide: true } }, async (_request, reply) => reply.serializer(JSON.stringify).send(await (flinkDocument ??= openApiDocument(control.version))));
}
