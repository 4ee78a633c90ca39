import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, dashboardJar, launch, openWatched, skipReason, type WatchedPage } from './chromium.js';
import { startCli, type RunningServer } from '../support/running-server.js';

const JOB = '268d3f36d279f081fac6a21a98a6f94f';
const SCREENSHOTS = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));

interface DashboardCase {
  readonly version: string;
  /** Path of the job's pages below `#`. */
  readonly job: string;
  /** What a node of the graph says besides its name. */
  readonly nodeSays: RegExp;
}

const CASES: readonly DashboardCase[] = [
  { version: '1.9.3', job: `/job/${JOB}`, nodeSays: /Parallelism: \d+/ },
  { version: '2.3.0', job: `/job/running/${JOB}`, nodeSays: /Backpressured \(max\): (9\d|100)%/ },
];

const chrome = chromiumPath();

describe.each(CASES)('the real dashboard of Flink $version plays the incident', ({ version, job, nodeSays }) => {
  const jar = dashboardJar(version);
  const skip = skipReason([chrome, jar], `Chromium and the dashboard of Flink ${version}`);
  let server: RunningServer;
  let browser: Browser;
  let watched: WatchedPage;

  beforeAll(async () => {
    if (skip) return;
    mkdirSync(SCREENSHOTS, { recursive: true });
    server = await startCli(['--flink-version', version, '--dashboard', jar!]);
    browser = await launch(chrome!);
    watched = await openWatched(browser);
    await watched.page.goto(`${server.url}/`);
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Opens a page of the dashboard and waits until its text matches. */
  const show = async (hash: string, pattern: RegExp, screenshot?: string): Promise<string> => {
    const { page } = watched;
    await page.goto(`${server.url}/#${hash}`);
    await page.waitForFunction(`${pattern}.test(document.body.innerText)`, undefined, { timeout: 30_000 });
    // a page that is left while its editor still loads logs an error, on a real cluster too
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
    await page.waitForTimeout(1_000);
    if (screenshot) {
      await page.screenshot({ path: `${SCREENSHOTS}flink-${version}-${screenshot}.png` });
    }
    return page.evaluate<string>('document.body.innerText');
  };

  const restGet = async (path: string): Promise<any> => (await fetch(server.url + path)).json();

  it.skipIf(skip)('lists the running job on the overview', async () => {
    const { name } = await restGet(`/jobs/${JOB}`);
    const text = await show('/overview', new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')), 'overview');
    expect(text).toContain('RUNNING');
    expect(text).toContain(`Version: ${version}`);
  });

  it.skipIf(skip)('draws every vertex of the job graph', async () => {
    const details = await restGet(`/jobs/${JOB}`);
    const text = await show(`${job}/overview`, nodeSays, 'job');
    for (const vertex of details.vertices) expect(text).toContain(vertex.name.slice(0, 30));
  });

  it.skipIf(skip)('shows HIGH back pressure above the slow operator', async () => {
    const { vertices } = await restGet(`/jobs/${JOB}`);
    await restGet(`/jobs/${JOB}/vertices/${vertices[0].id}/backpressure`);
    await watched.page.waitForTimeout(7000);
    await show(`${job}/overview/${vertices[0].id}/backpressure`, /HIGH/, 'backpressure');
  });

  it.skipIf(skip)('shows the expired checkpoints', async () => {
    const text = await show(`${job}/checkpoints`, /Checkpoint expired before completing/, 'checkpoints');
    const { counts } = await restGet(`/jobs/${JOB}/checkpoints`);
    expect(counts.failed).toBeGreaterThan(0);
    expect(text).toMatch(/Failed: [1-9]/);
  });

  it.skipIf(skip)("shows the job's configuration", async () => {
    const text = await show(`${job}/configuration`, /Job parallelism/i);
    expect(text).toMatch(/Object reuse mode\s+false/);
  });

  it.skipIf(skip)('shows exceptions and the timeline without trouble', async () => {
    await show(`${job}/exceptions`, /Exception/);
    await show(`${job}/timeline`, /TimeLine/);
  });

  it.skipIf(skip)('lists the three task managers and their metrics, logs and stdout', async () => {
    const text = await show('/task-manager', /container_e06_1582644888198_0182_01_000004/, 'task-managers');
    for (const port of ['6277', '13077', '28322']) expect(text).toContain(port);
    const manager = '/task-manager/container_e06_1582644888198_0182_01_000002';
    await show(`${manager}/metrics`, /Direct/, 'task-manager');
    await show(`${manager}/logs`, /TaskManager|FetchSessionHandler/);
    await show(`${manager}/stdout`, /Stdout/);
  });

  it.skipIf(skip)("shows the job manager's configuration and log", async () => {
    await show('/job-manager/config', /jobmanager\.rpc\.address/);
    await show('/job-manager/logs', /INFO/, 'job-manager-log');
  });

  it.skipIf(skip)('has made no failing request and logged no error on any page', () => {
    expect(watched.troubles).toEqual([]);
  });
});
