import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { SimulationModel } from '../../src/simulation/model/simulation-model.js';
import { startServer, type RunningServer } from '../../src/server/start-server.js';
import { freePort } from '../support/running-server.js';
import { bpJob, twoTaskManagers } from '../simulation/fixture.js';
import { chainJob, kafka, operator, TOPIC } from '../simulation/metrics/running-cluster.js';
import { parseExposition } from './recorded-exposition.js';

let server: RunningServer | undefined;
afterEach(() => server?.close());

async function serve(overrides: Partial<SimulationModel>, version = '1.20.5'): Promise<RunningServer> {
  const base = twoTaskManagers(version);
  return (server = await startServer({ model: { ...base, ...overrides, options: { ...base.options, ...overrides.options } }, port: 0, clock: { mode: 'manual' } }));
}

const text = async (url: string): Promise<string> => (await fetch(url)).text();
const prometheusOptions = (more: Readonly<Record<string, string>>): Record<string, string> => ({
  'metrics.reporter.prom.factory.class': 'org.apache.flink.metrics.prometheus.PrometheusReporterFactory',
  ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`metrics.reporter.prom.${key}`, value])),
});

interface Reporters {
  readonly endpoints: readonly { readonly process: string; readonly port: number }[];
}
const endpoints = async ({ url }: RunningServer): Promise<Reporters['endpoints']> => ((await (await fetch(`${url}/_mock/reporters`)).json()) as Reporters).endpoints;

describe('metrics on the port of the server', () => {
  it('are listed for Prometheus by process, with no reporter set up', async () => {
    const { url } = await serve({ jobs: [{ atMs: 0, job: bpJob() }] });
    await server!.advanceBy(20_000);
    const targets = (await (await fetch(`${url}/_mock/metrics`)).json()) as { targets: string[]; labels: Record<string, string> }[];
    expect(targets.map(({ labels }) => labels['instance'])).toEqual(['jobmanager', ...server!.simulation.state.taskManagers.keys()]);
    for (const { targets: hosts, labels } of targets) {
      expect(hosts).toEqual([new URL(url).host]);
      const { samples } = parseExposition(await text(url + labels['__metrics_path__']));
      expect(samples.length).toBeGreaterThan(20);
    }
  });

  it('of a process that is not there are not found', async () => {
    const { url } = await serve({});
    const response = await fetch(`${url}/_mock/metrics/nobody`);
    expect(response.status).toBe(404);
    expect(await response.text()).toMatch(/^there is no process nobody; allowed: jobmanager, /);
  });
});

describe('endpoints of the Prometheus reporter', () => {
  it('take the ports of the range in order; a task manager that is lost gives its port back', async () => {
    const port = await freePort();
    await serve({ options: { ...prometheusOptions({ port: `${port}-${port + 20}` }), 'heartbeat.timeout': '5 s' } });
    await server!.advanceBy(5000);
    const before = await endpoints(server!);
    expect(before.map(({ process }) => process)).toEqual(['jobmanager', ...server!.simulation.state.taskManagers.keys()]);
    expect(before.every((each, i) => i === 0 || each.port > before[i - 1]!.port)).toBe(true);
    expect(await text(`http://127.0.0.1:${before[0]!.port}/metrics`)).toContain('flink_jobmanager_taskSlotsTotal{host="localhost",} 8.0\n');
    expect(await text(`http://127.0.0.1:${before[0]!.port}/-/healthy`)).toBe('Exporter is Healthy.');
    const lost = before[1]!;
    server!.simulation.apply({ kind: 'kill-task-manager', taskManager: lost.process });
    await server!.advanceBy(60_000);
    await expect(fetch(`http://127.0.0.1:${lost.port}/`)).rejects.toThrow();
    server!.simulation.apply({ kind: 'add-task-managers', count: 1 });
    await server!.advanceBy(60_000);
    expect((await endpoints(server!)).map((each) => each.port)).toContain(lost.port);
  });

  it('say in the log of their process where they are', async () => {
    const port = await freePort();
    const { url } = await serve({ options: prometheusOptions({ port: String(port) }) });
    await server!.advanceBy(5000);
    const [first] = await endpoints(server!);
    expect(await text(`${url}/jobmanager/log`)).toMatch(new RegExp(`INFO  org\\.apache\\.flink\\.metrics\\.prometheus\\.PrometheusReporter +\\[\\] - Started PrometheusReporter HTTP server on port ${first!.port}\\.\n`));
    expect(await text(`${url}/jobmanager/log`)).toContain('MetricRegistryImpl          [] - Reporting metrics for reporter prom of type org.apache.flink.metrics.prometheus.PrometheusReporter.\n');
  });

  it('show only the names asked for, compressed when the scraper can read that', async () => {
    const port = await freePort();
    await serve({ options: prometheusOptions({ port: String(port) }) });
    await server!.advanceBy(5000);
    const [first] = await endpoints(server!);
    const answer = await new Promise<{ encoding: string | undefined; type: string | undefined; body: Buffer }>((resolve, reject) => {
      request({ port: first!.port, path: '/metrics?name[]=flink_jobmanager_numRunningJobs', headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve({ encoding: response.headers['content-encoding'], type: response.headers['content-type'], body: Buffer.concat(chunks) }));
      })
        .on('error', reject)
        .end();
    });
    expect(answer).toMatchObject({ encoding: 'gzip', type: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(gunzipSync(answer.body).toString('utf8')).toBe('# HELP flink_jobmanager_numRunningJobs numRunningJobs (scope: jobmanager)\n# TYPE flink_jobmanager_numRunningJobs gauge\nflink_jobmanager_numRunningJobs{host="localhost",} 0.0\n');
  });
});

describe('Kafka lag', () => {
  const topic = { name: TOPIC, partitions: 2, startOffset: 100, backlogPerPartition: 0, rateSteps: [{ afterMs: 0, recordsPerSecond: 200, rampMs: 0 }], partitionShares: null, recordBytes: 100 };
  const checkpointing = { intervalMs: 10_000, timeoutMs: 60_000, minPauseMs: 0, maxConcurrent: 1, mode: 'EXACTLY_ONCE', unaligned: false, alignedTimeoutMs: 0, retention: 'DELETE_ON_CANCELLATION', tolerableFailures: 0, afterTasksFinish: true, stateBackend: 'hashmap', incremental: false } as const;
  const job = { ...chainJob([[kafka('Source: Kafka')], [operator('Work', { serviceTimeUs: 20_000 })]]), checkpointing };

  async function lagging(): Promise<RunningServer> {
    await serve({ kafka: { brokers: [{ id: 1, host: 'kafka-1', port: 9092 }], topics: [topic] }, jobs: [{ atMs: 0, job }] });
    await server!.advanceBy(600_000);
    return server!;
  }

  it('as kafka_exporter says it: ends, commits and their difference', async () => {
    const { url, simulation } = await lagging();
    const exposition = await text(`${url}/_mock/kafka/metrics`);
    const value = (name: string, labels: string): number => Number(new RegExp(`^${name}\\{${labels}\\} (\\S+)$`, 'm').exec(exposition)![1]);
    let lag = 0;
    for (const partition of [0, 1]) {
      const end = value('kafka_topic_partition_current_offset', `partition="${partition}",topic="${TOPIC}"`);
      const committed = value('kafka_consumergroup_current_offset', `consumergroup="mf.streaming.nlp.v1",partition="${partition}",topic="${TOPIC}"`);
      expect(end).toBe(Math.floor(simulation.state.kafka.topics.get(TOPIC)!.endOffsets[partition]!));
      expect(committed).toBe(simulation.state.kafka.groups.get('mf.streaming.nlp.v1')!.get(TOPIC)![partition]);
      expect(value('kafka_consumergroup_lag', `consumergroup="mf.streaming.nlp.v1",partition="${partition}",topic="${TOPIC}"`)).toBe(end - committed);
      expect(value('kafka_topic_partition_oldest_offset', `partition="${partition}",topic="${TOPIC}"`)).toBe(100);
      lag += end - committed;
    }
    expect(value('kafka_consumergroup_lag_sum', `consumergroup="mf.streaming.nlp.v1",topic="${TOPIC}"`)).toBe(lag);
    expect(lag).toBeGreaterThan(5000);
  });

  it('is not known while no broker answers', async () => {
    const { url, simulation } = await lagging();
    simulation.apply({ kind: 'set-kafka-broker', state: 'down' });
    expect(await text(`${url}/_mock/kafka/metrics`)).toBe('# HELP kafka_brokers Number of Brokers in the Kafka Cluster.\n# TYPE kafka_brokers gauge\nkafka_brokers 0\n');
  });

  it('as Burrow says it: with a growing lag in every commit the group is warned of', async () => {
    const { url } = await lagging();
    const get = async (path: string): Promise<Record<string, unknown>> => (await (await fetch(`${url}/_mock/kafka/v3/kafka${path}`)).json()) as Record<string, unknown>;
    expect(await get('')).toMatchObject({ error: false, clusters: ['mock'] });
    expect(await get('/mock/consumer')).toMatchObject({ consumers: ['mf.streaming.nlp.v1'] });
    expect(await get(`/mock/topic/${TOPIC}`)).toMatchObject({ offsets: [expect.any(Number), expect.any(Number)] });
    const { status } = (await get('/mock/consumer/mf.streaming.nlp.v1/lag')) as { status: { status: string; complete: number; totallag: number; partitions: { current_lag: number; status: string; start: { lag: number }; end: { lag: number } }[] } };
    expect(status).toMatchObject({ status: 'WARN', complete: 1 });
    expect(status.partitions.map((each) => each.status)).toEqual(['WARN', 'WARN']);
    expect(status.totallag).toBe(status.partitions.reduce((sum, { current_lag }) => sum + current_lag, 0));
    for (const { start, end } of status.partitions) expect(end.lag).toBeGreaterThan(start.lag);
    expect(await get('/mock/consumer/nobody/lag')).toMatchObject({ error: true });
  });
});
