import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backfillText } from '../../../src/cli/backfill.js';
import { loadScenario } from '../../../src/scenario/load-scenario.js';
import { startServer, type RunningServer } from '../../../src/server/start-server.js';
import { twoTaskManagers, bpJob } from '../../simulation/fixture.js';
import { eventually, query, run, startPrometheus, startPushGateway, type RealServer } from './real-servers.js';

const DEMO = new URL('../../../demo/', import.meta.url);
const demoFile = (name: string): Promise<string> => readFile(new URL(name, DEMO), 'utf8');

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string | { readonly query: string }; readonly allValue?: string }[] };
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboards = async (): Promise<Dashboard[]> => {
  const files = await readdir(new URL('grafana/dashboards/', DEMO));
  return Promise.all(files.map(async (file) => JSON.parse(await demoFile(`grafana/dashboards/${file}`)) as Dashboard));
};

/** A panel's query as Grafana sends it with every job selected. */
function interpolated(expr: string): string {
  return expr.replaceAll('$job', '.*').replaceAll('$speed', '60').replaceAll('$__rate_interval', '4s');
}

describe("the demo's Prometheus, beside mock-flink with the incident at 60 times its speed", () => {
  let flink: RunningServer;
  let prometheus: RealServer;

  beforeAll(async () => {
    const { model, openAtMs } = loadScenario('incident-2020-04-09', { flinkVersion: '1.20.5' });
    flink = await startServer({ model: { ...model, startMs: Date.now() - openAtMs }, openAtMs, port: 0, clock: { speed: 60 } });
    const config = (await demoFile('prometheus/prometheus.yml')).replace('http://mock-flink:8081', flink.url);
    prometheus = await startPrometheus(config, { 'alerts-x60.yml': await demoFile('prometheus/alerts-x60.yml') });
    await eventually(async () => expect((await query(prometheus, 'count_over_time(up[1h]) > 12')).length).toBeGreaterThanOrEqual(5));
  });
  afterAll(async () => {
    await prometheus[Symbol.asyncDispose]();
    await flink.close();
  });

  it('scrapes the job manager, each task manager and Kafka', async () => {
    const up = await query(prometheus, 'up');
    expect(up.map(({ metric, value }) => [metric['job'], metric['instance'], value[1]]).sort()).toEqual([
      ['flink', 'container_e06_1582644888198_0182_01_000002', '1'],
      ['flink', 'container_e06_1582644888198_0182_01_000003', '1'],
      ['flink', 'container_e06_1582644888198_0182_01_000004', '1'],
      ['flink', 'jobmanager', '1'],
      ['kafka', 'kafka', '1'],
    ]);
  });

  it('every query of every panel finds data', async () => {
    const empty: string[] = [];
    for (const { uid, panels } of await dashboards()) {
      for (const { title, targets } of panels) {
        for (const { expr } of targets) if ((await query(prometheus, interpolated(expr))).length === 0) empty.push(`${uid} / ${title}: ${expr}`);
      }
    }
    expect(empty).toEqual([]);
  });

  it('so do the variables of the dashboards', async () => {
    for (const { templating } of await dashboards()) {
      const [variable] = templating.list;
      const [, metric, label] = /^label_values\((\w+), (\w+)\)$/.exec((variable!.query as { query: string }).query)!;
      expect((await query(prometheus, metric!)).map((each) => each.metric[label!])).toContain('mf_streaming_nlp');
    }
  });

  it('the alerts of the incident fire', async () => {
    await eventually(async () => {
      const firing = await query(prometheus, 'group by (alertname) (ALERTS{alertstate="firing"})');
      expect(firing.map(({ metric }) => metric['alertname']).sort()).toEqual(['FlinkBackPressureHigh', 'FlinkCheckpointsFailing', 'KafkaLagGrowing']);
    }, 90);
  });

  it('values agree with the REST API', async () => {
    const [{ metric, value }] = (await query(prometheus, 'flink_jobmanager_job_numberOfFailedCheckpoints')) as [Awaited<ReturnType<typeof query>>[number]];
    const checkpoints = (await (await fetch(`${flink.url}/jobs/${metric['job_id']}/checkpoints`)).json()) as { counts: { failed: number } };
    expect(checkpoints.counts.failed).toBeGreaterThanOrEqual(Number(value[1]));
    expect(checkpoints.counts.failed).toBeLessThanOrEqual(Number(value[1]) + 3);
  });
});

describe('ports of the processes', () => {
  it('Prometheus scrapes an endpoint for each, also of one that comes later', async () => {
    const base = twoTaskManagers('2.3.0');
    const options = { ...base.options, 'metrics.reporter.prom.factory.class': 'org.apache.flink.metrics.prometheus.PrometheusReporterFactory', 'metrics.reporter.prom.port': '19349-19360' };
    await using flink = await startServer({ model: { ...base, options, jobs: [{ atMs: 0, job: bpJob() }] }, port: 0, clock: { speed: 10 } });
    const targets = [19349, 19350, 19351, 19352].map((port) => `'127.0.0.1:${port}'`).join(', ');
    await using prometheus = await startPrometheus(`global: { scrape_interval: 1s, scrape_timeout: 1s }\nscrape_configs: [{ job_name: flink, static_configs: [{ targets: [${targets}] }] }]\n`);
    const up = async (): Promise<string[]> => (await query(prometheus, 'up == 1')).map(({ metric }) => metric['instance']!).sort();
    await eventually(async () => expect(await up()).toEqual(['127.0.0.1:19349', '127.0.0.1:19350', '127.0.0.1:19351']));
    await eventually(async () => expect((await query(prometheus, 'count by (instance) (flink_taskmanager_job_task_numRecordsIn)')).length).toBeGreaterThanOrEqual(1));
    flink.simulation.apply({ kind: 'add-task-managers', count: 1 });
    await eventually(async () => expect(await up()).toContain('127.0.0.1:19352'));
  });
});

describe('the PushGateway', () => {
  it('holds a group for each process while the cluster runs', async () => {
    await using gateway = await startPushGateway();
    const base = twoTaskManagers('1.20.5');
    const options = { ...base.options, 'metrics.reporter.push.factory.class': 'org.apache.flink.metrics.prometheus.PrometheusPushGatewayReporterFactory', 'metrics.reporter.push.hostUrl': gateway.url, 'metrics.reporter.push.jobName': 'flink', 'metrics.reporter.push.interval': '5 s' };
    const groups = async (): Promise<number> => new Set((await (await fetch(`${gateway.url}/metrics`)).text()).match(/\bjob="flink[0-9a-f]{32}"/g)).size;
    {
      await using flink = await startServer({ model: { ...base, options, jobs: [{ atMs: 0, job: bpJob() }] }, port: 0, clock: { mode: 'manual' } });
      await flink.advanceBy(20_000);
      await eventually(async () => expect(await groups()).toBe(3));
    }
    expect(await groups()).toBe(0);
  });
});

describe('history', () => {
  it('in OpenMetrics becomes blocks that Prometheus answers from', async () => {
    const { model } = loadScenario('incident-2020-04-09');
    await using prometheus = await startPrometheus('scrape_configs: []\n', {}, async (directory) => {
      const file = path.join(directory, 'incident.om');
      await writeFile(file, [...backfillText({ model, forMs: 90 * 60_000, everyMs: 60_000, format: 'openmetrics', isWanted: (name) => /numberOfFailedCheckpoints|lag_sum|outPoolUsage|mailboxLatency/.test(name), out: null })].join(''));
      const { code, output } = await run('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, path.join(directory, 'data')]);
      expect(code, output).toBe(0);
    });
    const at = model.startMs / 1000 + 90 * 60;
    const [failed] = await query(prometheus, 'max(flink_jobmanager_job_numberOfFailedCheckpoints)', at);
    expect(Number(failed!.value[1])).toBeGreaterThan(10);
    const [growth] = await query(prometheus, 'deriv(kafka_consumergroup_lag_sum[20m])', at);
    expect(Number(growth!.value[1])).toBeGreaterThan(10);
  });
});
