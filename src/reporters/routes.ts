import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { Burrow } from './kafka/burrow.js';
import type { CommitHistory } from './kafka/commit-history.js';
import { kafkaExposition } from './kafka/kafka-exporter.js';
import { metricFilter } from './metric-filter.js';
import { EXPOSITION_TYPE } from './prometheus/exposition.js';
import type { ExpositionConfig } from './prometheus/families.js';
import { answerScrape } from './prometheus/prometheus-reporter.js';
import { reportingProcesses } from './reported-metrics.js';
import type { ReporterRegistry } from './reporter-registry.js';

export interface ReporterRoutesOptions {
  readonly state: SimulationState;
  readonly reporters: ReporterRegistry;
  readonly commits: CommitHistory;
  /** Brings the state to now. */
  readonly advance: () => void;
  /** Path in front of the cluster's own paths. Default: none. */
  readonly basePath?: string;
}

/** A Prometheus reporter without any option. */
const DEFAULTS: ExpositionConfig = { filter: metricFilter('*:*:*', ''), excludedVariables: new Set(), additionalVariables: {}, filterLabelValueCharacters: true };

/** What Prometheus's http_sd_configs reads: where the metrics of each process are. */
interface Target {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * All processes' metrics on the server's own port, whether or not a reporter is set up: `metrics/<process>`, a list of them for
 * Prometheus, and what kafka_exporter and Burrow say of the simulated brokers. `of`: whose metrics are asked for.
 */
export async function reporterRoutes(scope: FastifyInstance, of: (request: FastifyRequest) => ReporterRoutesOptions): Promise<void> {
  scope.addHook('onRequest', (request, _reply, done) => {
    of(request).advance();
    done();
  });

  scope.get('/metrics', { schema: { hide: true } }, (request): Target[] => {
    const targets = [request.headers.host ?? 'localhost'];
    const { state, basePath = '' } = of(request);
    const prefix = `${basePath}${scope.prefix}`;
    const target = (path: string, job: string, instance: string): Target => ({ targets, labels: { __metrics_path__: `${prefix}/${path}`, job, instance } });
    return [...reportingProcesses(state).map((process) => target(`metrics/${encodeURIComponent(process)}`, 'flink', process)), ...(state.kafka.topics.size > 0 ? [target('kafka/metrics', 'kafka', 'kafka')] : [])];
  });
  scope.get<{ Params: { process: string } }>('/metrics/:process', { schema: { hide: true } }, (request, reply) => {
    const { state, reporters } = of(request);
    const { process } = request.params;
    if (!reportingProcesses(state).includes(process)) return reply.code(404).type('text/plain; charset=utf-8').send(`there is no process ${process}; allowed: ${reportingProcesses(state).join(', ')}\n`);
    reply.hijack();
    void answerScrape(request.raw, reply.raw, state, process, reporters.prometheus?.exposition ?? DEFAULTS);
    return reply;
  });
  scope.get('/reporters', { schema: { hide: true } }, (request) => {
    const { reporters } = of(request);
    return { reporters: reporters.status, endpoints: reporters.prometheus?.endpoints ?? [] };
  });

  scope.get('/kafka/metrics', { schema: { hide: true } }, (request, reply) => reply.type(EXPOSITION_TYPE).send(kafkaExposition(of(request).state)));
  for (const url of ['/kafka/v3/kafka', '/kafka/v3/kafka/*']) {
    scope.get(url, { schema: { hide: true } }, (request, reply) => {
      const { state, commits } = of(request);
      const { status, body } = new Burrow(state, commits).answer((request.url.split('?')[0] ?? '').slice(request.url.indexOf('/v3/')), request.headers.host ?? 'localhost');
      return reply.code(status).send(body);
    });
  }
}
