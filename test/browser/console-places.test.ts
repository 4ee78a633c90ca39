import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/server/start-server.js';
import { chromiumPath, launch, openWatched, skipReason } from './chromium.js';
import { blanks, control, manyVertices, SCREENSHOTS, serveScenario } from './console-support.js';

const chrome = chromiumPath();
const skip = skipReason([chrome], 'Chromium');

describe('the console elsewhere', () => {
  let browser: Browser;
  const servers: RunningServer[] = [];
  const serve = async (...args: Parameters<typeof serveScenario>): Promise<RunningServer> => {
    const server = await serveScenario(...args);
    servers.push(server);
    return server;
  };

  beforeAll(async () => {
    if (!skip) browser = await launch(chrome!);
  });

  afterAll(async () => {
    await browser?.close();
    for (const server of servers) await server.close();
  });

  test.skipIf(skip)('asks for the token, keeps it in the tab only, below a proxy’s path too', async () => {
    const { page, troubles } = await openWatched(browser);
    const { url } = await serve('healthy', { basePath: '/proxy/app_1', control: { token: 'open sesame'.replace(' ', '-') } });
    await page.goto(`${url}/proxy/app_1/_mock/`);
    await page.getByRole('dialog', { name: 'Token' }).waitFor();
    await page.keyboard.type('open-sesame');
    await page.keyboard.press('Enter');
    await page.locator('.node').first().waitFor();
    expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]')).toEqual([1, 0, '']);
    expect(await blanks(page)).toEqual([]);
    expect(troubles).toEqual([]);
    // a wrong one is said to be
    await page.evaluate("sessionStorage.setItem('mock-flink-token', 'close')");
    await page.getByText('The token is wrong.').waitFor();
    await page.keyboard.type('open-sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Token' }).waitFor({ state: 'detached' });
    await page.close();
  }, 60_000);

  test.skipIf(skip)('works on the control API’s own port', async () => {
    const { page, troubles } = await openWatched(browser);
    const { url, controlUrl } = await serve('healthy', { control: { port: 0 } });
    expect(new URL(controlUrl!).origin).not.toBe(url);
    await page.goto(`${controlUrl}/`);
    await page.locator('.node').first().waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  }, 60_000);

  test.skipIf(skip)('has something to say of a cluster without a job, and sees one come and go', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('empty', { clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    await page.getByText('No job has been submitted yet.').waitFor();
    expect(await blanks(page)).toEqual([]);
    const operators = (name: string, role: object) => ({ operators: [{ name, serviceTime: '1 ms', ...role }] });
    await control(server, '/jobs', { name: 'came late', parallelism: 1, vertices: [operators('Source: numbers', { source: { rate: '100/s' } }), operators('Sink: out', { sink: {} })], edges: [{ from: 'Source: numbers', to: 'Sink: out', ship: 'REBALANCE' }] });
    await control(server, '/clock', { advanceMs: 20_000 });
    await page.locator('.node', { hasText: 'Source: numbers' }).waitFor();
    await expect.poll(() => page.locator('.node .sub').allTextContents()).toContainEqual('reads 100/s   out 100/s');
    expect(await page.locator('#play').textContent()).toBe('Manual');
    expect(await blanks(page)).toEqual([]);
    await server.control.jobs.cancel('came late');
    await control(server, '/clock', { advanceMs: 20_000 });
    await expect.poll(() => page.locator('.bar .status').textContent()).toBe('CANCELED');
    expect(await blanks(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  }, 60_000);

  test.skipIf(skip)('follows a task manager that dies: failure, restart, task manager on the time-line', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('taskmanager-loss', { clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    await page.locator('.node').first().waitFor();
    await control(server, '/clock', { until: { restarts: { count: 1 } }, limitMs: 3_600_000 });
    await page.getByRole('tab', { name: /^Events/ }).click();
    await page.locator('#panel-events tr', { hasText: 'RESTARTING' }).first().waitFor();
    expect(await page.locator('#panel-events tr', { hasText: 'task manager' }).count()).toBeGreaterThan(0);
    expect(await page.locator('.happening.tone-grave').count()).toBeGreaterThan(0);
    // however long a message is, nothing is pushed out of view
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await blanks(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  }, 90_000);

  test.skipIf(skip)('shows nothing of jobs that a crashed job manager has lost', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('healthy', { clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    for (const name of ['Stack samples', 'Subtasks']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      await page.locator('.tab-panel:not([hidden]) :is(.stack-row, tbody tr)').first().waitFor();
    }
    await control(server, '/events', { crashJobManager: { restartAfter: '30 s' } });
    await page.getByText('There is no job any more.').waitFor();
    expect(await page.locator('.bar .status').textContent()).toBe('job manager down');
    await control(server, '/clock', { advanceMs: 120_000 });
    await expect.poll(() => page.locator('.bar .status').textContent()).toBe('no job');
    await expect.poll(() => page.locator('#panel-vertex h3').textContent()).toBe('Subtasks');
    for (const [name, empty] of [['Subtasks', 'Choose a vertex'], ['Network buffers', 'There is no job.'], ['Stack samples', 'There is no job.'], ['Checkpoints', 'There is no job.']] as const) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      const panel = page.locator('.tab-panel:not([hidden])');
      await panel.getByText(empty).first().waitFor();
      expect(await panel.locator('tbody tr, .stack-row, .buffer-picture, .frames:not(:empty)').count(), name).toBe(0);
    }
    expect(await page.locator('#graph h2').textContent()).toBe('Job graph');
    expect(await blanks(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  }, 60_000);

  test.skipIf(skip)('plays the incident: the article’s picture of the buffers, the stacks, light and dark', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('incident-2020-04-09', { clock: { speed: 10 } });
    await page.goto(`${server.controlUrl}/`);
    await page.locator('.node').first().waitFor();
    await page.locator('[data-range="3600000"]').click();
    await page.getByRole('tab', { name: /^Network buffers/ }).click();
    await page.locator('.credit.none').first().waitFor();
    // HIGH in front of the slow operator: its channels are full, and nobody in front has credit
    expect(await page.locator('.buffer-picture .buffer-full').count()).toBeGreaterThan(10);
    await page.waitForTimeout(4_000);
    expect(await blanks(page)).toEqual([]);
    await page.screenshot({ path: `${SCREENSHOTS}console.png` });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.node', { hasText: 'Source: Kafka nlp' }).click();
    await page.getByRole('tab', { name: /^Stack samples/ }).click();
    await expect.poll(() => page.locator('.frames').textContent()).toContain('requestMemorySegment');
    expect(await page.locator('.thread-name').allTextContents()).toContainEqual(expect.stringMatching(/^Legacy Source Thread - /));
    await page.waitForTimeout(2_000);
    await page.screenshot({ path: `${SCREENSHOTS}console-dark.png` });
    expect(await blanks(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  }, 90_000);

  test.skipIf(skip)('fits a narrow screen: nothing is pushed out of it, no labels touch each other, names stay in their boxes', async () => {
    const { page, troubles } = await openWatched(browser);
    await page.setViewportSize({ width: 390, height: 844 });
    const server = await serve('healthy', { clock: { mode: 'manual' } });
    await control(server, '/clock', { advanceMs: 3_600_000 });
    await page.goto(`${server.controlUrl}/`);
    await page.locator('.node').first().waitFor();
    for (const name of ['Subtasks', 'Network buffers', 'Stack samples', 'Faults', 'Checkpoints', 'Events', 'Log', 'Requests']) {
      await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
      if (name === 'Faults') await page.locator('[data-fault="event-submitJob"]').click();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBeLessThanOrEqual(0);
    }
    const boxes = (selector: string) => page.locator(selector).evaluateAll((all: { getBoundingClientRect(): { left: number; right: number } }[]) => all.map((each) => each.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
    const labels = await boxes('.lanes .axis text');
    expect(labels.length).toBeGreaterThan(1);
    labels.slice(1).forEach(({ left }, index) => expect(left).toBeGreaterThan(labels[index]!.right));
    expect(labels.at(-1)!.right).toBeLessThanOrEqual(390);
    const frames = await boxes('.node > .box');
    (await boxes('.node > .name')).forEach(({ right }, index) => expect(right).toBeLessThanOrEqual(frames[index]!.right));
    expect(troubles).toEqual([]);
    await page.evaluate('scrollTo(0, 0)');
    await page.screenshot({ path: `${SCREENSHOTS}console-narrow.png` });
    await page.close();
  }, 60_000);

  test.skipIf(skip)('draws a thousand vertices: far away as dots, near in full, and can be walked', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve(manyVertices(1_000));
    await page.goto(`${server.controlUrl}/`);
    await expect.poll(() => page.locator('.dots rect').count(), { timeout: 60_000 }).toBe(1_000);
    await expect.poll(() => page.locator('.dots .dot-h').count(), { timeout: 60_000 }).toBeGreaterThan(50);
    const elements = () => page.evaluate<number>("document.querySelectorAll('*').length");
    expect(await elements()).toBeLessThan(3_000);
    await page.keyboard.press('g');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.locator('.node.current').waitFor();
    expect(await page.locator('.graph-picture.near .node').count()).toBeGreaterThan(4);
    expect(await elements()).toBeLessThan(3_000);
    await page.screenshot({ path: `${SCREENSHOTS}console-thousand.png` });
    const measured = await page.evaluate<object>(`(async () => {
      const layout = Math.round(performance.getEntriesByName('layout').at(-1).duration);
      const frames = [];
      let last = performance.now();
      for (let i = 0; i < 60; i++) {
        document.getElementById('graph-view').dispatchEvent(new WheelEvent('wheel', { deltaY: i % 20 < 10 ? 60 : -60, clientX: 400, clientY: 400, cancelable: true }));
        await new Promise(requestAnimationFrame);
        frames.push(performance.now() - last);
        last = performance.now();
      }
      frames.sort((a, b) => a - b);
      return { layoutMs: layout, medianFrameMs: Math.round(frames[30]), worstFrameMs: Math.round(frames[59]) };
    })()`);
    console.log('1,000 vertices:', JSON.stringify(measured));
    expect(troubles).toEqual([]);
    await page.close();
  }, 180_000);
});
