import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StateSummary } from '../../src/control/state-summary.js';
import type { RunningServer } from '../../src/server/start-server.js';
import { chromiumPath, launch, openWatched, skipReason, type WatchedPage } from './chromium.js';
import { blanks, control, hasFocusRing, SCREENSHOTS, serveScenario, texts } from './console-support.js';

const chrome = chromiumPath();
const skip = skipReason([chrome], 'Chromium');

interface Clock {
  readonly nowMs: number;
  readonly paused: boolean;
  readonly speed: number;
}

/** One server and one page; the tests follow each other as a demonstration would. */
describe('the console before the job with a hot key', () => {
  let server: RunningServer;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  const asked: { readonly origin: string; readonly path: string; readonly atMs: number }[] = [];
  const clock = () => control<Clock>(server, '/clock');
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

  beforeAll(async () => {
    if (skip) return;
    server = await serveScenario('hot-key');
    browser = await launch(chrome!);
    watched = await openWatched(browser);
    page = watched.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    page.on('request', (request) => asked.push({ origin: new URL(request.url()).origin, path: new URL(request.url()).pathname, atMs: Date.now() }));
    await page.goto(`${server.url}/_mock`);
    await page.locator('.node').first().waitFor();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test.skipIf(skip)('is one page below /_mock/ that runs nothing but its own script', async () => {
    expect(new URL(page.url()).pathname).toBe('/_mock/');
    const response = await fetch(page.url());
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'/);
    expect(await response.text()).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style="/);
  });

  test.skipIf(skip)('draws every vertex in the colour of its level, with rates and how its time is spent', async () => {
    await control(server, '/clock', { paused: true });
    const { jobs } = await control<StateSummary>(server, '/state');
    await expect.poll(() => page.locator('.node').count()).toBe(jobs[0]!.vertices.length);
    await expect.poll(() => page.locator('.node-h').count()).toBe(2);
    for (const { name } of jobs[0]!.vertices.filter(({ level }) => level === 'high')) expect(await page.locator('.node-h', { hasText: name.slice(0, 12) }).count(), name).toBe(1);
    expect(await texts(page.locator('.node .sub'))).toContainEqual(expect.stringMatching(/^reads [\d.,]+( k)?\/s {3}out [\d.,]+( k)?\/s$/));
    const enrich = page.getByRole('option', { name: /^Enrich, parallelism 4, back pressure OK 0 %, busy \d+ %$/ });
    expect(await enrich.count()).toBe(1);
    const widths = await enrich.locator('rect.bar-busy, rect.bar-blocked, rect.bar-idle').evaluateAll((bars: { getAttribute(name: string): string | null }[]) => bars.map((bar) => Number(bar.getAttribute('width'))));
    // busy, back-pressured and idle fill the bar
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(188, -1);
  }, 60_000);

  test.skipIf(skip)('pauses the clock, lets it run, changes its speed', async () => {
    await control(server, '/clock', { paused: false });
    const play = page.locator('#play');
    await expect.poll(() => play.textContent()).toBe('Pause');
    await play.click();
    await expect.poll(async () => (await clock()).paused).toBe(true);
    const { nowMs } = await clock();
    await expect.poll(() => play.textContent()).toBe('Run');
    const shown = await page.locator('output.now').textContent();
    expect(new Date(nowMs).toISOString()).toContain(`T${shown}`);
    await page.locator('[data-speed="60"]').click();
    await expect.poll(async () => ((({ speed, paused }) => ({ speed, paused }))(await clock()))).toEqual({ speed: 60, paused: false });
    await page.keyboard.press('-');
    await expect.poll(async () => (await clock()).speed).toBe(10);
    await page.locator('[data-speed="1"]').click();
    await expect.poll(async () => (await clock()).speed).toBe(1);
    await play.click();
    await expect.poll(async () => (await clock()).paused).toBe(true);
  }, 60_000);

  test.skipIf(skip)('steps, and runs until something happens', async () => {
    const { nowMs } = await clock();
    await page.locator('[data-step="10000"]').click();
    await expect.poll(async () => (await clock()).nowMs).toBe(nowMs + 10_000);
    const before = (await control<StateSummary>(server, '/state')).jobs[0]!.checkpoints!.completed;
    await page.getByRole('combobox', { name: 'Run until' }).selectOption('completed');
    await page.locator('#run-until').click();
    await expect.poll(async () => (await control<StateSummary>(server, '/state')).jobs[0]!.checkpoints!.completed, { timeout: 20_000 }).toBe(before + 1);
  }, 60_000);

  test.skipIf(skip)('goes back with the keyboard by way of a mark, and says so before', async () => {
    await page.locator('#set-mark').click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Mark' }).locator('option').count()).toBe(2);
    const { nowMs } = await clock();
    await page.locator('[data-step="60000"]').click();
    await expect.poll(async () => (await clock()).nowMs).toBe(nowMs + 60_000);
    await expect.poll(() => page.locator('#scrubber').getAttribute('aria-valuenow')).toBe(String(Math.round((nowMs + 60_000) / 1_000)));
    await page.locator('#scrubber').focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
    expect(await page.locator('#seek-says').textContent()).toMatch(/^Back: restores mark “mark-1” \(.*\) and simulates forward to .*undone/);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await clock()).nowMs, { timeout: 20_000 }).toBe(nowMs + 30_000);
  }, 60_000);

  test.skipIf(skip)('charts throughput, lag, ratios and checkpoints', async () => {
    expect(await page.locator('#charts canvas').count()).toBe(3);
    const { jobs } = await control<StateSummary>(server, '/state');
    await expect.poll(() => page.locator('#chart-lag .value').textContent()).toBe(jobs[0]!.lag.toLocaleString('en-US'));
    // something is drawn: more than one colour
    const painted = await page.locator('#charts canvas').evaluateAll((canvases: { width: number; height: number; getContext(kind: '2d'): { getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray } } }[]) => canvases.map((canvas) => new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size));
    for (const colours of painted) expect(colours).toBeGreaterThan(10);
    expect(await page.locator('#chart-checkpoints .bars > g').count()).toBeGreaterThan(4);
    await tab('Checkpoints').click();
    const latest = server.simulation.state.jobs.values().next().value!.checkpoints!.history[0]!;
    await expect.poll(() => page.locator('#panel-checkpoints tbody tr').first().locator('td').first().textContent()).toBe(String(latest.id));
  }, 60_000);

  test.skipIf(skip)('shows the buffers of an edge as the simulation has them', async () => {
    await tab('Network buffers').click();
    await page.getByRole('combobox', { name: 'Edge' }).selectOption({ label: 'Parse → Enrich (hash)' });
    const [job] = [...server.simulation.state.jobs.values()];
    const [parse, enrich] = ['Parse', 'Enrich'].map((name) => job!.vertices.find(({ model }) => model.name === name)!.columns);
    for (const consumer of [0, 3]) {
      await page.getByRole('combobox', { name: 'Consumer' }).selectOption(String(consumer));
      const sums = page.locator('#buffer-sums');
      const exclusive = enrich!.exclusiveBuffers[consumer]!;
      const used = enrich!.inputExclusiveBuffersUsage[consumer]! * exclusive;
      const written = (value: number) => (value < 9.95 && Math.abs(value - Math.round(value)) >= 0.05 ? value.toFixed(1) : String(Math.round(value)));
      await expect.poll(() => sums.textContent()).toContain(`exclusive in use: ${written(used)} of ${exclusive} · floating in use:`);
      await expect.poll(() => page.locator('.buffer-picture').getAttribute('aria-label')).toContain(`(${consumer + 1}/4)`);
      const pools = await page.locator('.channel').evaluateAll((channels: { getAttribute(name: string): string | null; textContent: string }[]) => channels.map((channel) => [Number(channel.getAttribute('data-producer')), Number(/(\d+) of \d+ in use/.exec(channel.textContent)![1])]));
      expect(pools.length).toBe(4);
      for (const [producer, inUse] of pools) expect(inUse, `producer ${producer}`).toBe(parse!.outputQueueLength[producer!]);
    }
    expect(await blanks(page)).toEqual([]);
  }, 60_000);

  test.skipIf(skip)('samples stacks: back-pressured tasks wait for a buffer', async () => {
    await page.locator('.node', { hasText: 'Parse' }).click();
    await tab('Stack samples').click();
    await page.locator('.stack-row').first().waitFor();
    await expect.poll(() => page.locator('.thread-name').textContent()).toMatch(/^Parse \(1\/4\)/);
    const [job] = [...server.simulation.state.jobs.values()];
    const columns = job!.vertices.find(({ model }) => model.name === 'Parse')!.columns;
    expect(columns.hardBackPressuredShare[0]! + columns.softBackPressuredShare[0]!).toBeGreaterThan(0.5);
    await expect.poll(() => page.locator('.stack-row').first().textContent()).toMatch(/waits for a buffer|takes no input/);
    expect(await page.locator('.frames').textContent()).toMatch(/^(TIMED_)?WAITING on \S+\n {2}at .*\n( {2}at .*\n)+/);
  }, 60_000);

  test.skipIf(skip)('breaks the cluster by a click, shows it in force, and mends it again', async () => {
    await tab('Faults').click();
    const inForce = page.locator('#active-faults');
    const count = await inForce.getByRole('button', { name: 'Stop' }).count();
    await page.locator('[data-fault="event-setServiceTime"]').click();
    await page.locator('.fault-form select[name="operator"]').selectOption({ label: 'Parse' });
    await page.locator('.fault-form input[name="serviceTime"]').fill('40 ms');
    await page.getByRole('button', { name: 'Do it' }).click();
    const fault = inForce.locator('tr', { hasText: 'Parse takes 40 ms a record instead of 50 µs' });
    await fault.waitFor();
    await page.locator('[data-step="10000"]').click();
    await tab('Events').click();
    await page.locator('#panel-events tr', { hasText: 'set service time: Parse, 40 ms' }).waitFor();
    await tab('Faults').click();
    await fault.getByRole('button', { name: 'Stop' }).click();
    await fault.waitFor({ state: 'detached' });
    expect(await inForce.getByRole('button', { name: 'Stop' }).count()).toBe(count);
    const [job] = [...server.simulation.state.jobs.values()];
    expect(job!.vertices.find(({ model }) => model.name === 'Parse')!.model.operators[0]!.serviceTimeUs).toBe(50);
  }, 60_000);

  test.skipIf(skip)('adds an HTTP fault; what it does is in the journal, which gives it as curl', async () => {
    await page.locator('[data-fault="http-error"]').click();
    await page.locator('.fault-form input[name="path"]').fill('/jobs/**');
    await page.getByRole('button', { name: 'Add the fault' }).click();
    const fault = page.locator('#active-faults tr', { hasText: 'error 503, /jobs/**' });
    await fault.waitFor();
    expect((await fetch(`${server.url}/jobs/overview`)).status).toBe(503);
    await page.screenshot({ path: `${SCREENSHOTS}console-faults.png` });
    await fault.getByRole('button', { name: 'Stop' }).click();
    await fault.waitFor({ state: 'detached' });
    expect((await fetch(`${server.url}/jobs/overview`)).status).toBe(200);
    await tab('Requests').click();
    const struck = page.locator('#panel-requests tbody tr', { hasText: '503' });
    await struck.waitFor();
    expect(await struck.textContent()).toContain('/jobs/overview');
    await struck.getByRole('button', { name: 'Copy as curl' }).click();
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(`curl '${server.url}/jobs/overview'`);
    await page.locator('#panel-requests tbody tr').first().getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => page.locator('.answer').textContent()).toContain('"jobs": [');
  }, 60_000);

  test.skipIf(skip)('every fault of the API has its form', async () => {
    const { events, httpFaults } = await control<{ events: object; httpFaults: object }>(server, '/console/forms');
    await tab('Faults').click();
    const names = [...Object.keys(events).map((name) => `event-${name}`), ...Object.keys(httpFaults).map((name) => `http-${name}`)];
    expect(names.length).toBeGreaterThan(35);
    for (const name of names) {
      await page.locator(`[data-fault="${name}"]`).click();
      expect(await page.locator('.fault-form button[type="submit"]').count(), name).toBe(1);
      expect(await blanks(page), name).toEqual([]);
    }
  }, 90_000);

  test.skipIf(skip)('follows the log, by level', async () => {
    await tab('Log').click();
    await page.locator('#panel-log .line').first().waitFor();
    const { jobs } = await control<StateSummary>(server, '/state');
    await control(server, '/clock', { until: { checkpointCompleted: {} } });
    const id = jobs[0]!.checkpoints!.latestCompletedId! + 1;
    await page.locator('#panel-log .line', { hasText: `Completed checkpoint ${id} ` }).waitFor();
    await page.getByRole('combobox', { name: 'Least level' }).selectOption('WARN');
    await expect.poll(() => page.locator('#panel-log .line.INFO').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Least level' }).selectOption('INFO');
    await page.getByRole('combobox', { name: 'Process' }).selectOption({ index: 1 });
    await page.locator('#panel-log .line', { hasText: 'Enrich' }).first().waitFor();
  }, 60_000);

  test.skipIf(skip)('can be worked without a mouse, and shows where one is', async () => {
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('g');
    expect(await page.evaluate('document.activeElement.id')).toBe('graph-view');
    expect(await hasFocusRing(page)).toBe(true);
    // from the vertex that was chosen on to its output
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.node.current').getAttribute('aria-label')).toMatch(/^Enrich/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.node.selected').getAttribute('aria-label')).toMatch(/^Enrich/);
    await page.keyboard.press('1');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-vertex');
    await expect.poll(() => page.locator('#panel-vertex h3').textContent()).toBe('Enrich');
    expect(await page.locator('#panel-vertex tbody tr').count()).toBe(4);
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-buffers');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await page.keyboard.press('Escape');
    const { nowMs } = await clock();
    await page.keyboard.press('.');
    await expect.poll(async () => (await clock()).nowMs).toBe(nowMs + 10_000);
    // Tab goes through everything, each with a ring
    await page.locator('#play').focus();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement === document.body')) === true) break;
      expect(await hasFocusRing(page), await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 120)')).toBe(true);
    }
  }, 60_000);

  test.skipIf(skip)('is light or dark as the system is, until one chooses', async () => {
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).toBe('rgb(17, 21, 27)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).toBe('rgb(244, 245, 247)');
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('t');
    await expect.poll(background).toBe('rgb(17, 21, 27)');
    await page.keyboard.press('t');
    await expect.poll(background).toBe('rgb(244, 245, 247)');
  }, 60_000);

  test.skipIf(skip)('shows nothing blank and no NaN in any part', async () => {
    for (const name of ['Subtasks', 'Network buffers', 'Stack samples', 'Faults', 'Checkpoints', 'Events', 'Log', 'Requests']) {
      await tab(name).click();
      await page.waitForTimeout(300);
      expect(await blanks(page), name).toEqual([]);
    }
  }, 60_000);

  test.skipIf(skip)('is told the state on one connection, asks for no more than the open tab, and nobody but its server', async () => {
    await tab('Subtasks').click();
    await control(server, '/clock', { paused: false });
    const from = asked.length;
    const fromMs = Date.now();
    const { nowMs } = await clock();
    await expect.poll(async () => (await page.locator('output.now').textContent())! > new Date(nowMs + 2_000).toISOString().slice(11, 19)).toBe(true);
    const paths = asked.slice(from).map(({ path }) => path);
    expect(paths.filter((path) => path !== '/_mock/console/vertex')).toEqual([]);
    expect(paths.length).toBeLessThanOrEqual((Date.now() - fromMs) / 900 + 2);
    expect(asked.filter(({ path }) => path === '/_mock/console/state')).toEqual([]);
    expect([...new Set(asked.map(({ origin }) => origin))]).toEqual([server.url]);
    expect(watched.troubles).toEqual([]);
  }, 60_000);
});
