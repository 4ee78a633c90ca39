import { fastify, LogController, type FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { z } from 'zod';
import { useJsonApi } from '../control/json-api.js';
import { ControlError } from '../control/problem.js';
import { FARTHEST_MS } from '../control/time-control.js';
import { readableTarget } from '../rest/request-target.js';
import { reportingProcesses } from '../reporters/reported-metrics.js';
import { ScenarioError } from '../scenario/scenario-error.js';
import { nearestName } from '../scenario/nearest-name.js';
import { shippedScenarioNames } from '../scenario/shipped-scenarios.js';
import { definitionsOf, entryProblems, type ClusterDefinition } from './cluster-definition.js';
import type { Fleet } from './fleet.js';
import { fleetPage } from './fleet-page.js';
import { clusterEntrySchema, type ClusterEntry } from './fleet-schema.js';
import { FLEET_PREFIX } from './router.js';
import { CLUSTER_VIEW, clusterView, FLEET_HEALTH, fleetHealth } from './views.js';

const NEW_CLUSTERS = clusterEntrySchema.extend({
  opensAt: z.iso.datetime({ offset: true }).optional().meta({ description: "Virtual instant at which they open; the fleet's present when left out. Replicas that are told the same instant answer alike" }),
});
const NAME = z.object({ name: z.string().meta({ description: "The cluster's name." }) });
const LIST_QUERY = z.object({
  prefix: z.string().max(100).default('').meta({ description: 'Only names that begin with this.' }),
  status: z.enum(['opening', 'running', 'failed']).optional(),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(0).max(20_000).default(1_000),
});

/** Paths that say nothing of any cluster. */
const OPEN_PATHS = ['/health', '/ready', '/openapi.json'].map((path) => `${FLEET_PREFIX}${path}`);

/** The clusters of an entry that came over HTTP: it may play what ships and what the fleet plays, and read no other file. */
function checkedDefinitions(fleet: Fleet, entry: ClusterEntry): ClusterDefinition[] {
  const { defaults, findScenario, scenarios } = fleet.definition;
  const [problem] = entryProblems(entry);
  if (problem) throw new ControlError(400, `/${problem.key}: ${problem.message}`);
  const scenario = entry.scenario ?? defaults.scenario;
  const shipped = shippedScenarioNames();
  if (!shipped.includes(scenario) && !scenarios.has(findScenario(scenario))) {
    const near = nearestName(scenario, shipped);
    throw new ControlError(400, `/scenario: found ${JSON.stringify(scenario.slice(0, 100))}; ${near === null ? '' : `did you mean ${near}? `}allowed: what the fleet's file names, ${shipped.join(', ')}`);
  }
  const definitions = definitionsOf(entry, defaults, findScenario);
  try {
    scenarios.of(definitions[0]!);
  } catch (error) {
    throw error instanceof ScenarioError ? new ControlError(400, error.message) : error;
  }
  return definitions;
}

async function fleetApi(scope: FastifyInstance, fleet: Fleet, token: string | null, url: () => string): Promise<void> {
  await useJsonApi(scope, {
    title: 'mock-flink fleet API',
    description: 'The clusters of a process: which there are, how they are; adds and takes away.',
    token,
    openPaths: OPEN_PATHS,
    documents: `${FLEET_PREFIX}/openapi.json`,
  });
  const routes = scope.withTypeProvider<ZodTypeProvider>();

  routes.get('/health', { schema: { operationId: 'getHealth', tags: ['fleet'], summary: 'Is it up, and how are its clusters?', response: { 200: FLEET_HEALTH } } }, () => fleetHealth(fleet));
  routes.get('/ready', { schema: { operationId: 'getReady', tags: ['fleet'], summary: 'Are all clusters open? 503 until then', response: { 200: FLEET_HEALTH, 503: FLEET_HEALTH } } }, (_request, reply) => {
    const health = fleetHealth(fleet);
    void reply.code(health.opening > 0 ? 503 : 200);
    return health;
  });
  routes.get('/clusters', { schema: { operationId: 'listClusters', tags: ['clusters'], summary: 'Clusters, in the order in which they came', querystring: LIST_QUERY, response: { 200: z.object({ total: z.int(), clusters: z.array(CLUSTER_VIEW) }) } } }, ({ query }) => {
    const { prefix, status, offset, limit } = query;
    const found = [...fleet.list()].filter((cluster) => cluster.name.startsWith(prefix) && (status === undefined || cluster.status === status));
    return { total: found.length, clusters: found.slice(offset, offset + limit).map((cluster) => clusterView(fleet, cluster, url())) };
  });
  routes.post('/clusters', { schema: { operationId: 'addClusters', tags: ['clusters'], summary: 'Add a cluster, or several of a kind', body: NEW_CLUSTERS, response: { 201: z.object({ clusters: z.array(CLUSTER_VIEW) }) } } }, async ({ body }, reply) => {
    const { opensAt, ...entry } = body;
    const added = await fleet.add(checkedDefinitions(fleet, entry), opensAt === undefined ? null : Date.parse(opensAt));
    void reply.code(201);
    return { clusters: added.map((cluster) => clusterView(fleet, cluster, url())) };
  });
  routes.get('/clusters/:name', { schema: { operationId: 'getCluster', tags: ['clusters'], summary: 'One cluster', params: NAME, response: { 200: CLUSTER_VIEW } } }, ({ params }) => clusterView(fleet, fleet.get(params.name), url()));
  routes.delete('/clusters/:name', { schema: { operationId: 'removeCluster', tags: ['clusters'], summary: 'Take a cluster away', params: NAME, response: { 204: z.null() } } }, async ({ params }, reply) => {
    await fleet.remove(params.name);
    void reply.code(204);
    return null;
  });
  routes.post('/clock', { schema: { operationId: 'advanceClocks', tags: ['fleet'], summary: 'Move all clocks on, where they are held', body: z.strictObject({ advanceMs: z.int().min(0).max(FARTHEST_MS) }), response: { 200: z.object({ clusters: z.int() }) } } }, ({ body }) => {
    fleet.advance(body.advanceMs);
    return { clusters: fleet.size };
  });
  routes.get('/targets', { schema: { operationId: 'getTargets', tags: ['fleet'], summary: "All processes' metrics, as Prometheus's http_sd_configs reads them", response: { 200: z.array(z.object({ targets: z.array(z.string()), labels: z.record(z.string(), z.string()) })) } } }, ({ headers }) => {
    const targets = [headers.host ?? new URL(url()).host];
    const { path, host } = fleet.definition.routing;
    return [...fleet.list()].filter(({ definition }) => definition.control).flatMap(({ name, simulation }) =>
      reportingProcesses(simulation.state).map((process) => ({
        targets: path === null ? [`${name}.${host}:${targets[0]!.split(':').at(-1)}`] : targets,
        labels: { __metrics_path__: `${path === null ? '' : `${path}/${name}`}/_mock/metrics/${encodeURIComponent(process)}`, job: 'flink', cluster: name, instance: `${name}/${process}` },
      })),
    );
  });
  scope.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.serializer(JSON.stringify).send(scope.swagger()));
  scope.get('/', { schema: { hide: true } }, (_request, reply) => reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').serializer(String).send(fleetPage(fleet, url())));
}

/** The fleet's own routes, as an app that does not listen. */
export async function createFleetApp(options: { readonly fleet: Fleet; readonly token: string | null; readonly url: () => string; readonly logger: Logger | null }): Promise<FastifyInstance> {
  const { fleet, token, url, logger } = options;
  const app = fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    rewriteUrl: (request) => readableTarget(request.url ?? '/'),
  }) as unknown as FastifyInstance;
  await app.register((scope) => fleetApi(scope, fleet, token, url), { prefix: FLEET_PREFIX });
  await app.ready();
  return app;
}
