import type { FastifyInstance } from 'fastify';
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
 * Prometheus, and what kafka_exporter and Burrow say of the simulated brokers.
 */
export async function reporterRoutes(scope: FastifyInstance, { state, reporters, commits, advance }: ReporterRoutesOptions): Promise<void> {
  const burrow = new Burrow(state, commits);
  scope.addHook('onRequest', (_request, _reply, done) => {
    advance();
    done();
  });

  scope.get('/metrics', { schema: { hide: true } }, (request): Target[] => {
    const targets = [request.headers.host ?? 'localhost'];
    const { prefix } = scope;
    const target = (path: string, job: string, instance: string): Target => ({ targets, labels: { __metrics_path__: `${prefix}/${path}`, job, instance } });
    return [...reportingProcesses(state).map((process) => target(`metrics/${encodeURIComponent(process)}`, 'flink', process)), ...(state.kafka.topics.size > 0 ? [target('kafka/metrics', 'kafka', 'kafka')] : [])];
  });
  scope.get<{ Params: { process: string } }>('/metrics/:process', { schema: { hide: true } }, (request, reply) => {
    const { process } = request.params;
    if (!reportingProcesses(state).includes(process)) return reply.code(404).type('text/plain; charset=utf-8').send(`there is no process ${process}; allowed: ${reportingProcesses(state).join(', ')}\n`);
    reply.hijack();
    void answerScrape(request.raw, reply.raw, state, process, reporters.prometheus?.exposition ?? DEFAULTS);
    return reply;
  });
  scope.get('/reporters', { schema: { hide: true } }, () => ({ reporters: reporters.status, endpoints: reporters.prometheus?.endpoints ?? [] }));

  scope.get('/kafka/metrics', { schema: { hide: true } }, (_request, reply) => reply.type(EXPOSITION_TYPE).send(kafkaExposition(state)));
  const answerBurrow = (path: string, host: string | undefined) => burrow.answer(path, host ?? 'localhost');
  for (const url of ['/kafka/v3/kafka', '/kafka/v3/kafka/*']) {
    scope.get(url, { schema: { hide: true } }, (request, reply) => {
      const { status, body } = answerBurrow((request.url.split('?')[0] ?? '').slice(request.url.indexOf('/v3/')), request.headers.host);
      return reply.code(status).send(body);
    });
  }
}
