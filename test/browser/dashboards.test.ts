import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/server/start-server.js';
import { parseFlinkVersion, since, valueIn } from '../../src/versions/flink-versions.js';
import { chromiumPath, dashboardJar, launch, skipReason } from './chromium.js';
import { Dashboard, serveDashboard, walk } from './dashboard.js';
import { clusterPages, DASHBOARD_VERSIONS, jobPages, jobPath, vertexPages } from './dashboard-pages.js';

const chrome = chromiumPath();
const skip = skipReason([chrome, ...DASHBOARD_VERSIONS.map(dashboardJar)], 'Chromium and the dashboards');
let browser: Browser;

beforeAll(async () => {
  if (!skip) browser = await launch(chrome!);
});
afterAll(() => browser?.close());

/** Bytes as the dashboards write them. */
function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return unit === 0 ? `${value} B` : `${value.toPrecision(3)} ${units[unit]}`;
}

const number = (count: number): string => count.toLocaleString('en-US');

describe.each(DASHBOARD_VERSIONS)('the real dashboard of Flink %s', (version) => {
  const has = (minor: string): boolean => valueIn(since(minor), parseFlinkVersion(version)!);
  const jar = `bp-${has('2.0') ? 2 : 1}.jar`;
  let server: RunningServer;
  let dashboard: Dashboard;
  let job: string;
  let failed: string;
  const ask = async (path: string): Promise<any> => (await fetch(server.url + path)).json();

  /** Runs the uploaded jar from the page, and returns the job that the page then shows. */
  const submit = async (programArguments: string): Promise<string> => {
    await dashboard.show({ hash: '/submit', shows: new RegExp(jar) });
    const { page } = dashboard;
    await page.locator('nz-content tbody tr', { hasText: jar }).first().click();
    await page.locator('input[placeholder="Program Arguments"]').first().fill(programArguments);
    await page.locator('nz-content button', { hasText: 'Submit' }).click();
    await page.waitForURL(/#\/job\/(running\/)?[0-9a-f]{32}/);
    return /[0-9a-f]{32}/.exec(page.url())![0];
  };

  beforeAll(async () => {
    if (skip) return;
    server = await serveDashboard('recorded-script', version);
    dashboard = await Dashboard.open(browser, server.url);
  });

  afterAll(async () => {
    await dashboard?.close();
    await server?.close();
  });

  test.skipIf(skip)('uploads a jar, shows its plan and runs it', async () => {
    await dashboard.show({ hash: '/submit', shows: /Entry Class/ });
    const { page } = dashboard;
    await page.setInputFiles('#upload-file', fileURLToPath(new URL(`../golden/jars/${jar}`, import.meta.url)));
    await dashboard.settled(new RegExp(jar));
    expect(await dashboard.rows('Entry Class')).toMatchObject([{ Name: jar, 'Entry Class': 'Bp' }]);
    await page.locator('nz-content tbody tr', { hasText: jar }).first().click();
    await page.locator('nz-content button', { hasText: 'Show Plan' }).click();
    await expect.poll(() => page.locator('.ant-drawer .node-label', { hasText: 'Parallelism: 2' }).count()).toBe(4);
    // The plan zooms into its place: left meanwhile, the page logs an error of its own (docs/dashboards.md), and may stay where it is.
    await page.waitForTimeout(1_500);
    await page.goto(`${server.url}/#/overview`);
    job = await submit('--name bp --rate 2000 --us 1500');
    const [{ id }] = (await ask('/jars')).files;
    const run = await fetch(`${server.url}/jars/${id}/run`, { method: 'POST', body: JSON.stringify({ entryClass: 'Bp', programArgsList: ['--name', 'failing', '--rate', '200', '--us', '0', '--fail', '300'] }) });
    failed = ((await run.json()) as { jobid: string }).jobid;
    await server.advanceBy(45_000);
    expect((await ask('/jobs/overview')).jobs.map(({ name, state }: any) => [name, state]).toSorted()).toEqual([['bp', 'RUNNING'], ['failing', 'FAILED']]);
    // sampled ones take a while
    for (const { id } of (await ask(`/jobs/${job}`)).vertices) {
      await ask(`/jobs/${job}/vertices/${id}/backpressure`);
      await ask(`/jobs/${job}/vertices/${id}/flamegraph`);
    }
    await server.advanceBy(8_000);
  });

  test.skipIf(skip)('shows the pages of the cluster, of a running job and of its vertices', async () => {
    const { vertices } = await ask(`/jobs/${job}`);
    const { taskmanagers } = await ask('/taskmanagers');
    const busy = taskmanagers.find(({ freeSlots, slotsNumber }: any) => freeSlots < slotsNumber);
    const prefix = jobPath(version, job);
    expect(await walk(dashboard, version, [...clusterPages(version, busy.id), ...jobPages(version, prefix), ...vertexPages(version, prefix, vertices[1].id)])).toEqual([]);
  });

  test.skipIf(skip)('counts slots, task managers and jobs as the API does', async () => {
    const text = await dashboard.show({ hash: '/overview', shows: /Available Task Slots\s+\d+/ });
    const overview = await ask('/overview');
    expect(text).toMatch(new RegExp(`Available Task Slots\\s+${overview['slots-available']}\\s`));
    expect(text).toMatch(new RegExp(`Total Task Slots\\s*${overview['slots-total']}\\s*Task Managers\\s*${overview.taskmanagers}\\s`));
    expect(text).toMatch(/Failed\s*1\s/);
  });

  test.skipIf(skip)('draws the graph with the numbers of the API, and what is back-pressured darker', async () => {
    await dashboard.show({ hash: `${jobPath(version, job)}/overview`, shows: /Parallelism: 2[^]*Records Sent[^]*RUNNING/ });
    const { vertices } = await ask(`/jobs/${job}`);
    await expect.poll(() => dashboard.rows('Records Sent')).toMatchObject(
      vertices.map(({ name, status, parallelism, metrics }: any) => ({
        Name: name,
        Status: status,
        'Bytes Received': bytes(metrics['read-bytes']),
        'Records Received': number(metrics['read-records']),
        'Bytes Sent': bytes(metrics['write-bytes']),
        'Records Sent': number(metrics['write-records']),
        Parallelism: String(parallelism),
      })),
    );
    if (!has('1.13')) return;
    for (const { id } of vertices) {
      const metrics: { id: string; max: number }[] = await ask(`/jobs/${job}/vertices/${id}/subtasks/metrics?get=backPressuredTimeMsPerSecond,busyTimeMsPerSecond`);
      const node = dashboard.page.locator(`[id="${id}"] .node-label-wrapper`);
      const share = (name: string): string => {
        const max = metrics.find((metric) => metric.id === name)?.max ?? NaN;
        return Number.isNaN(Number(max)) ? 'N/A' : `${Math.round(Number(max) / 10)}%`;
      };
      await expect.poll(() => node.innerText()).toContain(`Backpressured (max): ${share('backPressuredTimeMsPerSecond')}`);
      expect(await node.innerText()).toContain(`Busy (max): ${share('busyTimeMsPerSecond')}`);
    }
    const brightness = async (name: string): Promise<number> => {
      const { id } = vertices.find((vertex: any) => vertex.name.includes(name));
      return dashboard.page.locator(`[id="${id}"] .node-label-wrapper`).evaluate((node: any) => (node.style.backgroundColor.match(/\d+/g) as string[]).slice(0, 3).reduce((sum, part) => sum + Number(part), 0));
    };
    await expect.poll(async () => (await brightness('Parse')) < (await brightness('Sink'))).toBe(true);
  });

  test.skipIf(skip)('lists subtasks and back pressure as the API does', async () => {
    const { vertices } = await ask(`/jobs/${job}`);
    const drawer = `${jobPath(version, job)}/overview/${vertices[1].id}`;
    await dashboard.show({ hash: `${drawer}/subtasks`, shows: /Attempt[^]*0\t/ });
    const { subtasks } = await ask(`/jobs/${job}/vertices/${vertices[1].id}`);
    expect(await dashboard.rows('Attempt')).toMatchObject(subtasks.map(({ subtask, status, metrics }: any) => ({ ID: String(subtask), Status: status, 'Bytes Received': bytes(metrics['read-bytes']), 'Records Sent': number(metrics['write-records']) })));
    await dashboard.show({ hash: `${drawer}/backpressure`, shows: /Back Pressure Status: HIGH/ });
    const sampled = await ask(`/jobs/${job}/vertices/${vertices[1].id}/backpressure`);
    const rows = await dashboard.rows(has('1.13') ? 'Backpressure Status' : 'Ratio');
    expect(rows.map((row) => row['Backpressure Status'] ?? row['Status'])).toEqual(sampled.subtasks.map((subtask: any) => (subtask.backpressureLevel ?? subtask['backpressure-level']).toUpperCase()));
  });

  test.skipIf(skip)('draws a chart of a metric and, from 1.13 on, a flame graph', async () => {
    const { vertices } = await ask(`/jobs/${job}`);
    const drawer = `${jobPath(version, job)}/overview/${vertices[1].id}`;
    const { page } = dashboard;
    await dashboard.show({ hash: `${drawer}/metrics`, shows: /Add Metric/ });
    await page.locator('nz-content nz-select').last().click();
    await page.locator('.ant-select-dropdown-menu-item, .ant-select-item-option').first().click();
    await expect.poll(() => page.locator('nz-content canvas').count()).toBeGreaterThan(0);
    if (!has('1.13')) return;
    await dashboard.show({ hash: `${drawer}/flamegraph`, shows: /On-CPU/ });
    await expect.poll(() => dashboard.text()).not.toMatch(/waiting for the first samples|currently disabled/);
  });

  test.skipIf(skip)('shows checkpoints: counts, history with details, summary, configuration', async () => {
    const text = await dashboard.show({ hash: `${jobPath(version, job)}/checkpoints`, shows: /Triggered: \d+/ });
    const { counts, history } = await ask(`/jobs/${job}/checkpoints`);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`Triggered: ${counts.total} ?In Progress: ${counts.in_progress} ?Completed: ${counts.completed} ?Failed: ${counts.failed} ?Restored: ${counts.restored}`));
    await dashboard.tab('History', /Trigger Time/);
    expect((await dashboard.rows('Trigger Time')).map((row) => row['ID']).slice(0, history.length)).toEqual(history.map(({ id }: any) => String(id)));
    const { page } = dashboard;
    await page.locator('nz-content .ant-table-row-expand-icon:visible').first().click();
    await dashboard.settled(/Checkpoint Detail/);
    await dashboard.tab('Summary', /Minimum[^]*Average[^]*Maximum/i);
    expect(await dashboard.tab('Configuration', /Checkpointing Mode/)).toMatch(/Checkpointing Mode\s+Exactly Once[^]*Interval\s+5s/);
  });

  test.skipIf(skip)('shows a failed job with its exceptions', async () => {
    const { vertices } = await ask(`/jobs/${failed}`);
    const prefix = jobPath(version, failed, 'completed');
    // tasks that are over are not sampled, and have no metrics to choose
    const drawer = vertexPages(version, prefix, vertices[1].id).filter(({ name }) => !/back pressure|metrics/.test(name));
    expect(await walk(dashboard, version, [...jobPages(version, prefix), ...drawer])).toEqual([]);
    await dashboard.show({ hash: `${prefix}/exceptions`, shows: /synthetic failure/ });
    const answer = await ask(`/jobs/${failed}/exceptions?maxExceptions=10`);
    await dashboard.tab('Exception History', /Time/);
    const entries = answer.exceptionHistory?.entries ?? answer['all-exceptions'];
    await expect.poll(async () => (await dashboard.rows('Time')).length).toBe(entries.length);
  });

  test.skipIf(skip)('profiles the job manager, from 1.20 on', async () => {
    if (!has('1.20')) return;
    const { page } = dashboard;
    await dashboard.show({ hash: '/job-manager/profiler', shows: /Profiling/ });
    await page.locator('nz-content button', { hasText: /Create Profiling Instance/i }).click();
    await expect.poll(async () => (await ask('/jobmanager/profiler')).profilingList.length).toBe(1);
  });

  test.skipIf(skip)('cancels the job and deletes the jar', async () => {
    const { page } = dashboard;
    await dashboard.show({ hash: `${jobPath(version, job)}/overview`, shows: /Cancel Job/ });
    await page.locator('nz-content a, nz-content button', { hasText: 'Cancel Job' }).last().click();
    await page.locator('.ant-popover button, .ant-modal button', { hasText: /yes|ok/i }).last().click();
    await expect.poll(async () => {
      await server.advanceBy(500);
      return (await ask(`/jobs/${job}`)).state;
    }).toBe('CANCELED');
    await dashboard.show({ hash: '/submit', shows: new RegExp(jar) });
    await page.locator('nz-content a, nz-content button', { hasText: 'Delete' }).first().click();
    await page.locator('.ant-popover button, .ant-modal button', { hasText: /yes|ok/i }).last().click({ timeout: 2_000 }).catch(() => undefined);
    await expect.poll(async () => (await ask('/jars')).files).toEqual([]);
  });

  test.skipIf(skip)('has made no failing request and logged no error on any page', () => {
    expect(dashboard.faults).toEqual([]);
  });
});
