import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/start-server.js';
import { bpJob, BP_VERTICES, twoTaskManagers } from '../simulation/fixture.js';
import { chromiumPath, launch, openWatched, skipReason, type WatchedPage } from './chromium.js';

const chrome = chromiumPath();
const skip = skipReason([chrome], 'Chromium');

describe.each(['1.9.3', '2.3.0'])('our own page before a Flink %s', (version) => {
  let server: RunningServer;
  let browser: Browser;
  let watched: WatchedPage;
  const asked = new Set<string>();

  beforeAll(async () => {
    if (skip) return;
    server = await startServer({ model: twoTaskManagers(version, { jobs: [{ atMs: 0, job: bpJob() }] }), port: 0, clock: { mode: 'manual' } });
    await server.advanceBy(90_000);
    browser = await launch(chrome!);
    watched = await openWatched(browser);
    watched.page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await watched.page.goto(`${server.url}/`);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test.skipIf(skip)('draws the job graph coloured by back pressure, which sampling versions find after a while', async () => {
    const parse = watched.page.locator('.graph .node', { hasText: 'Parse' });
    await parse.waitFor();
    expect(await watched.page.locator('.graph .node').count()).toBe(4);
    await server.advanceBy(15_000);
    await watched.page.locator('.graph .node-high', { hasText: 'Parse' }).waitFor();
    await watched.page.locator('.graph .node-ok', { hasText: 'Enrich' }).waitFor();
    expect(await parse.getAttribute('aria-label')).toMatch(/^Parse, parallelism 2, running, back pressure high$/);
  }, 60_000);

  test.skipIf(skip)('shows a vertex’s subtasks to who presses Enter on it, and keeps the focus there', async () => {
    const { page } = watched;
    await page.locator('.graph .node', { hasText: 'Enrich' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Subtasks of Enrich' }).waitFor();
    expect(new URL(page.url()).hash).toMatch(new RegExp(`/${BP_VERTICES.enrich}$`));
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe(`node-${BP_VERTICES.enrich}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Subtasks of Enrich' }).waitFor({ state: 'detached' });
  }, 60_000);

  test.skipIf(skip)('lists checkpoints and the log', async () => {
    const { page } = watched;
    expect(await page.getByRole('region', { name: 'Checkpoints' }).locator('tbody tr').count()).toBeGreaterThan(3);
    await page.locator('#log-filter').fill('Triggering checkpoint');
    await expect.poll(() => page.locator('#log span').first().textContent(), { timeout: 15_000 }).toMatch(/Triggering checkpoint \d+/);
  }, 60_000);

  test.skipIf(skip)('has all columns of its tables in view at 1400 px, and a way to the console', async () => {
    const { page } = watched;
    await page.setViewportSize({ width: 1400, height: 1000 });
    await expect.poll(() => page.evaluate("[...document.querySelectorAll('.columns .scroll')].filter((table) => table.scrollWidth > table.clientWidth).length")).toBe(0);
    expect(await page.getByRole('link', { name: 'Console' }).getAttribute('href')).toBe('./_mock/');
  }, 60_000);

  test.skipIf(skip)('asked nobody but the cluster, and nothing that is not there', () => {
    expect([...asked]).toEqual([server.url]);
    expect(watched.troubles).toEqual([]);
  });
});
