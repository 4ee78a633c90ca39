import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest';
import { createJobTemplates } from '../../src/scenario/job-templates.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import type { RunningServer } from '../../src/server/start-server.js';
import { chromiumPath, launch, openWatched, skipReason } from './chromium.js';
import { blanks, control, serveScenario } from './console-support.js';

const chrome = chromiumPath();
const skip = skipReason([chrome], 'Chromium');

describe('the console and the stream of its server', () => {
  let browser: Browser;
  const servers: RunningServer[] = [];
  const serve = async (...args: Parameters<typeof serveScenario>): Promise<RunningServer> => {
    const server = await serveScenario(...args);
    servers.push(server);
    return server;
  };
  const paths = (page: Page): string[] => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/^.*\/_mock/, '')));
    return asked;
  };
  const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

  beforeAll(async () => {
    if (!skip) browser = await launch(chrome!);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });
  afterAll(() => browser?.close());

  test.skipIf(skip)('asks for nothing while the clock stands, and sees at once what somebody else does', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('hot-key', { clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    await page.locator('#panel-vertex tbody tr').first().waitFor();
    await page.waitForTimeout(2_000);
    const asked = paths(page);
    await page.waitForTimeout(3_000);
    expect(asked).toEqual([]);
    await control(server, '/events', { setServiceTime: { operator: 'Parse', serviceTime: '40 ms' } });
    await control(server, '/faults', { error: { status: 503 }, path: '/jobs/**' });
    await control(server, '/marks', { name: 'there' });
    await expect.poll(() => page.locator('#tab-faults .badge').textContent()).toBe('3');
    await expect.poll(() => page.getByRole('combobox', { name: 'Mark' }).locator('option').count()).toBe(2);
    await fetch(`${server.url}/overview`);
    await tab(page, 'Requests').click();
    await page.locator('#panel-requests tbody tr', { hasText: '/overview' }).waitFor();
    expect(asked.filter((path) => path === '/console/state' || path === '/console/stream')).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test.skipIf(skip)('gives its connection back while it is out of view, and goes on from there', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('healthy', { clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    await page.locator('.node').first().waitFor();
    expect(server.control.feed.size).toBe(1);
    const turn = (state: string) => page.evaluate(`Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' }); document.dispatchEvent(new Event('visibilitychange'))`);
    await turn('hidden');
    await expect.poll(() => server.control.feed.size).toBe(0);
    await control(server, '/clock', { advanceMs: 60_000 });
    await page.waitForTimeout(1_500);
    expect(server.control.feed.size).toBe(0);
    await turn('visible');
    const { nowMs } = await control<{ nowMs: number }>(server, '/clock');
    await expect.poll(() => page.locator('output.now').textContent()).toBe(new Date(nowMs).toISOString().slice(11, 19));
    expect(server.control.feed.size).toBe(1);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test.skipIf(skip)('follows the job that is chosen', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('many-jobs', { clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    await page.locator('.node').first().waitFor();
    const jobs = page.getByRole('combobox', { name: 'Job' });
    const shown = await jobs.inputValue();
    const [other] = [...server.simulation.state.jobs.values()].filter(({ id, status }) => id !== shown && status === 'RUNNING');
    await jobs.selectOption(other!.id);
    await expect.poll(() => page.locator('#graph h2').textContent()).toBe(other!.name);
    await control(server, '/clock', { advanceMs: 30_000 });
    const { samples, job } = await control<{ samples: readonly { readonly lag: number }[]; job: { id: string } }>(server, `/console/state?job=${other!.id}`);
    expect(job.id).toBe(other!.id);
    await expect.poll(() => page.locator('#chart-lag .value').textContent()).toBe(samples.at(-1)!.lag.toLocaleString('en-US'));
    expect(await jobs.inputValue()).toBe(other!.id);
    expect(troubles).toEqual([]);
    await page.close();
  });

  test.skipIf(skip)('brings the token along, as no EventSource could', async () => {
    const { page, troubles } = await openWatched(browser);
    const server = await serve('healthy', { control: { token: 'open-sesame' } });
    const stream = page.waitForRequest((request) => request.url().includes('/console/stream'));
    await page.goto(`${server.controlUrl}/`);
    await page.getByRole('dialog', { name: 'Token' }).waitFor();
    await page.keyboard.type('open-sesame');
    await page.keyboard.press('Enter');
    expect(await (await stream).headerValue('authorization')).toBe('Bearer open-sesame');
    await page.locator('.node').first().waitFor();
    expect(troubles).toEqual([]);
    await page.close();
  });

  test.skipIf(skip).each([
    ['there is none', async (page: Page) => page.route('**/console/stream*', (route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{}' }))],
    ['it answers something else', async (page: Page) => page.route('**/console/stream*', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: 'a proxy' }))],
  ])('asks twice a second at most where %s', async (_, change) => {
    const { page } = await openWatched(browser);
    const server = await serve('healthy');
    await change(page);
    const asked = paths(page);
    await page.goto(`${server.controlUrl}/`);
    await page.locator('.node').first().waitFor();
    const fromMs = Date.now();
    const from = asked.length;
    const time = await page.locator('output.now').textContent();
    await expect.poll(() => page.locator('output.now').textContent()).not.toBe(time);
    await page.waitForTimeout(2_000);
    const states = asked.slice(from).filter((path) => path === '/console/state').length;
    expect(states).toBeGreaterThan(1);
    expect(states).toBeLessThanOrEqual((2 * (Date.now() - fromMs)) / 1_000 + 1);
    expect(asked.filter((path) => path === '/console/stream').length).toBe(1);
    await page.close();
  });

  test.skipIf(skip)('comes back when the server has started anew, and has forgotten what the one before told', async () => {
    const { page } = await openWatched(browser);
    const first = await serveScenario('hot-key', { clock: { mode: 'manual' } });
    await control(first, '/clock', { advanceMs: 600_000 });
    await control(first, '/events', { setServiceTime: { operator: 'Parse', serviceTime: '40 ms' } });
    for (let i = 0; i < 5; i++) await fetch(`${first.url}/overview`);
    await page.goto(`${first.controlUrl}/`);
    await tab(page, 'Requests').click();
    await expect.poll(() => page.locator('#panel-requests tbody tr').count()).toBe(5);
    const before = await page.locator('output.now').textContent();
    const { port } = new URL(first.url);
    await first.close();
    await page.getByRole('alert').waitFor();
    const second = await serve('hot-key', { port: Number(port), clock: { mode: 'manual' } });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await expect.poll(async () => (await page.locator('output.now').textContent())! < before!).toBe(true);
    await page.getByText('Nobody has asked anything yet.').waitFor();
    await fetch(`${second.url}/config`);
    await expect.poll(() => page.locator('#panel-requests tbody tr').allTextContents()).toEqual([expect.stringContaining('/config')]);
    await tab(page, 'Events').click();
    await page.locator('#panel-events tbody tr').first().waitFor();
    expect(await page.locator('#panel-events tr', { hasText: 'Parse, 40 ms' }).count()).toBe(0);
    const { samples } = await control<{ samples: readonly { readonly lag: number }[] }>(second, '/console/state');
    await expect.poll(() => page.locator('#chart-lag .value').textContent()).toBe(samples.at(-1)!.lag.toLocaleString('en-US'));
    expect(await blanks(page)).toEqual([]);
    await page.close();
  });

  test.skipIf(skip)('submits a program of the scenario with its arguments, and a job that was written there', async () => {
    const { page, troubles } = await openWatched(browser);
    const loaded = loadScenario('recorded-script');
    const server = await serve(loaded, { jobTemplates: createJobTemplates(loaded.jarTemplates), clock: { mode: 'manual' } });
    await page.goto(`${server.controlUrl}/`);
    await tab(page, 'Faults').click();
    await page.locator('[data-fault="event-submitJob"]').click();
    const form = page.locator('.fault-form form');
    expect(await form.getByRole('combobox', { name: 'program' }).locator('option').allTextContents()).toEqual([...loaded.jarTemplates.map(({ entryClass }) => entryClass), 'a job written here']);
    expect(await form.locator('input[name="--rate"]').getAttribute('placeholder')).toBe('5000');
    await form.locator('input[name="--name"]').fill('from the form');
    await form.locator('input[name="--p"]').fill('3');
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect.poll(() => [...server.simulation.state.jobs.values()].map(({ name, model }) => [name, model.vertices[0]!.parallelism])).toEqual([['from the form', 3]]);
    await expect.poll(() => page.locator('.bar select option').allTextContents()).toEqual([expect.stringMatching(/^from the form/)]);
    await form.locator('input[name="--rate"]').fill('many');
    await form.getByRole('button', { name: 'Submit' }).click();
    await page.locator('.message.trouble', { hasText: 'argument --rate: found "many"; allowed: a whole number' }).waitFor();
    await form.getByRole('combobox', { name: 'program' }).selectOption({ label: 'a job written here' });
    const text = form.locator('textarea');
    await text.fill((await text.inputValue()).replace('"numbers"', '"by hand"'));
    await form.locator('input[name="after"]').fill('5');
    await form.getByRole('button', { name: 'Submit' }).click();
    await page.locator('#active-faults tr', { hasText: 'submit job' }).waitFor();
    expect(server.simulation.state.jobs.size).toBe(1);
    await control(server, '/clock', { advanceMs: 30_000 });
    expect([...server.simulation.state.jobs.values()].map(({ name, status }) => [name, status])).toEqual([['from the form', 'RUNNING'], ['by hand', 'RUNNING']]);
    await page.locator('.bar select').first().selectOption({ label: 'by hand (running)' });
    await page.locator('.node', { hasText: 'Source: numbers' }).waitFor();
    expect(await blanks(page)).toEqual([]);
    // the refusal
    expect(troubles.filter((trouble) => !/\/_mock\/events|400/.test(trouble))).toEqual([]);
    await page.close();
  });
});
