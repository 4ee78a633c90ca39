import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/server/start-server.js';
import { chromiumPath, dashboardJar, launch, skipReason } from './chromium.js';
import { Dashboard, serveDashboard, walk } from './dashboard.js';
import { clusterPages, DASHBOARD_VERSIONS, jobPages, jobPath, vertexPages, type DashboardPage } from './dashboard-pages.js';

const chrome = chromiumPath();
const skip = skipReason([chrome, ...DASHBOARD_VERSIONS.map(dashboardJar)], 'Chromium and the dashboards');
let browser: Browser;

beforeAll(async () => {
  if (!skip) browser = await launch(chrome!);
});
afterAll(() => browser?.close());

interface Cluster {
  readonly server: RunningServer;
  readonly dashboard: Dashboard;
  ask(path: string): Promise<any>;
}

async function played<T>(scenario: string, version: string, look: (cluster: Cluster) => Promise<T>): Promise<T> {
  const server = await serveDashboard(scenario, version);
  try {
    const dashboard = await Dashboard.open(browser, server.url);
    const answer = await look({ server, dashboard, ask: async (path) => (await fetch(server.url + path)).json() });
    expect(dashboard.faults).toEqual([]);
    await dashboard.close();
    return answer;
  } finally {
    await server.close();
  }
}

/** All pages of the cluster, of its first job and of that job's last vertex. */
async function allPages({ ask }: Cluster, version: string): Promise<DashboardPage[]> {
  const { taskmanagers } = await ask('/taskmanagers');
  const { jobs } = await ask('/jobs/overview');
  const pages = clusterPages(version, taskmanagers[0].id);
  if (jobs.length === 0) return pages;
  const [{ jid, 'end-time': endTime }] = jobs;
  const isOver = endTime > 0;
  const { vertices } = await ask(`/jobs/${jid}`);
  const checkpoints = await ask(`/jobs/${jid}/checkpoints/config`);
  const prefix = jobPath(version, jid, isOver ? 'completed' : 'running');
  const drawer = vertexPages(version, prefix, vertices.at(-1).id);
  return [
    ...pages,
    ...jobPages(version, prefix, checkpoints.errors ? 'batch' : 'streaming'),
    // tasks that are over are not sampled, and have no metrics to choose
    ...drawer.filter(({ name }) => !isOver || !/back pressure|metrics/.test(name)),
  ];
}

describe.each(DASHBOARD_VERSIONS)('the real dashboard of Flink %s', (version) => {
  test.skipIf(skip).each(['healthy', 'incident-2020-04-09'])('shows the job of %s without trouble or a field that is wrongly blank', async (scenario) => {
    await played(scenario, version, async (cluster) => {
      const pages = (await allPages(cluster, version)).filter(({ name }) => /^(overview|job|vertex|task managers|task manager: metrics)/.test(name));
      expect(await walk(cluster.dashboard, version, pages)).toEqual([]);
    });
  });

  test.skipIf(skip)('shows an empty cluster', async () => {
    await played('empty', version, async (cluster) => {
      const pages = (await allPages(cluster, version)).filter(({ name }) => !/stdout|logs|profiler/.test(name));
      expect(await walk(cluster.dashboard, version, pages)).toEqual([]);
      expect(await cluster.dashboard.show(pages[0]!)).toMatch(/Available Task Slots\s+4\s[^]*Running (Job|Application)s\s+0/);
    });
  });

  test.skipIf(skip)('shows a batch job while it runs and when it has finished', async () => {
    await played('batch', version, async (cluster) => {
      await cluster.server.advanceBy(80_000);
      const [{ jid, state }] = (await cluster.ask('/jobs/overview')).jobs;
      expect(state).toBe('RUNNING');
      expect(await walk(cluster.dashboard, version, jobPages(version, jobPath(version, jid), 'batch'), [/^(Start Time|Duration|Tasks) of (Sum|Check|Report: Writer): [-–]?$/])).toEqual([]);
      await cluster.server.advanceBy(30 * 60_000);
      expect((await cluster.ask(`/jobs/${jid}`)).state).toBe('FINISHED');
      const over = (await allPages(cluster, version)).filter(({ name }) => /^(job|vertex):/.test(name));
      expect(await walk(cluster.dashboard, version, over)).toEqual([]);
      const [row] = await cluster.dashboard.show({ hash: '/job/completed', shows: /nightly report/ }).then(() => cluster.dashboard.rows('Job Name'));
      expect(row).toMatchObject({ 'Job Name': 'nightly report', Status: 'FINISHED' });
    });
  });
});
