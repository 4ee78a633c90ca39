import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Agent, fetch as undiciFetch, MockAgent, request } from 'undici';
import { describe, expect, it, test as base } from 'vitest';
import { ConditionNotMet, loadScenario, mockFlinkFixture, ScenarioError, Simulation, startMockFlink } from '../../src/index.js';
import { SMALL_SCENARIO, smallCluster } from '../control/small-cluster.js';

describe('startMockFlink', () => {
  it('stands still until it is told to move', async () => {
    await using flink = await smallCluster();
    const overview = async () => (await fetch(`${flink.url}/jobs/overview`)).text();
    const first = await overview();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await overview()).toBe(first);
    await flink.advanceUntil({ jobStatus: { job: 'numbers', status: 'RUNNING' } });
    expect(await overview()).not.toBe(first);
  });

  it('advances until a function of the state holds, and throws beyond the limit', async () => {
    await using flink = await smallCluster({ listen: false });
    await flink.advanceUntil(({ jobs }) => jobs.size === 2);
    await flink.advanceUntil(({ nowMs, model }) => nowMs >= model.startMs + 60_000);
    expect(flink.clock.nowMs).toBe(flink.state.model.startMs + 60_000);
    await expect(flink.advanceUntil({ restarts: { count: 5 } }, '20 s')).rejects.toThrow(ConditionNotMet);
    await expect(flink.advanceUntil(() => false, '1 s')).rejects.toThrow(/the condition was not met in 1 s of virtual time/);
  });

  it('lives many times at once, each for itself', async () => {
    const clusters = await Promise.all(['1.9', '1.13', '1.20', '2.3', '2.3'].map((flinkVersion) => smallCluster({ flinkVersion })));
    expect(new Set(clusters.map(({ url }) => url)).size).toBe(clusters.length);
    await Promise.all(clusters.map((flink, i) => flink.advanceBy(`${10 * (i + 1)} s`)));
    for (const [i, flink] of clusters.entries()) {
      expect(flink.clock.nowMs - flink.state.model.startMs).toBe(10_000 * (i + 1));
      expect(await (await fetch(`${flink.url}/overview`)).json()).toMatchObject({ 'flink-version': flink.state.model.flinkVersion });
    }
    clusters[3]!.faults.add({ error: { status: 502 } });
    expect(await Promise.all(clusters.map(async ({ url }) => (await fetch(`${url}/overview`)).status))).toEqual([200, 200, 200, 502, 200]);
    await Promise.all(clusters.map((flink) => flink.close()));
    for (const { url } of clusters) await expect(fetch(`${url}/overview`)).rejects.toThrow();
  });

  it('leaves nothing behind that would keep a process', async () => {
    // Ends by itself when nothing is open; its last line tells what is.
    const script = `
      import { startMockFlink } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
      for (let i = 0; i < 3; i++) {
        const flink = await startMockFlink({ scenario: 'empty', control: i === 1 ? { port: 0 } : i === 2 });
        await (await fetch(flink.url + '/overview')).text();
        const undo = flink.intercept('http://flink-' + i + ':8081');
        await (await fetch('http://flink-' + i + ':8081/overview')).text();
        if (flink.controlUrl) void fetch(flink.controlUrl + '/stream').then((response) => response.text()).catch(() => undefined);
        void flink.clock.waitUntil({ taskManagers: { count: 99 } }, 600_000);
        await flink.close();
      }
      console.log(JSON.stringify(process.getActiveResourcesInfo().filter((name) => /Server|Timeout|FSReq/.test(name))));`;
    const tsx = fileURLToPath(import.meta.resolve('tsx'));
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', `file://${tsx}`, '--input-type=module', '-e', script], { timeout: 50_000 });
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).not.toContain('TCPServerWrap');
  });

  it('removes its folder', async () => {
    const { startServer } = await import('../../src/index.js');
    const server = await startServer({ model: loadScenario('empty').model, port: 0, clock: { mode: 'manual' } });
    expect(existsSync(server.temporaryDirectory)).toBe(true);
    await server.close();
    expect(existsSync(server.temporaryDirectory)).toBe(false);
  });

  it('says what is wrong with a scenario or a version', async () => {
    await expect(startMockFlink({ scenario: 'helthy' })).rejects.toThrow(/did you mean `healthy`/);
    await expect(startMockFlink({ scenario: { yaml: 'jobs: 3' } })).rejects.toThrow(ScenarioError);
    await expect(startMockFlink({ flinkVersion: '1.8' })).rejects.toThrow(/there is no Flink version 1\.8; allowed: 1\.9/);
    await expect(smallCluster({ openAt: 'soon' })).rejects.toThrow(/allowed: milliseconds, or a duration/);
  });
});

describe('a cluster without HTTP', () => {
  it('is simulated', () => {
    const simulation = new Simulation(loadScenario('slow-sink'));
    expect(simulation.nowMs).toBe(simulation.state.model.startMs + 600_000);
    const [job] = simulation.state.jobs.values();
    expect(simulation.advanceUntil(() => job!.checkpoints!.counts.completed >= 70, 3_600_000)).toBe(true);
    simulation.apply({ kind: 'cancel-job', job: job!.id });
    expect(simulation.advanceUntil(() => job!.status === 'CANCELED', 60_000)).toBe(true);
    expect(simulation.advanceUntil(() => false, 1_000)).toBe(false);
  });
});

describe('without a socket', () => {
  it('fetches', async () => {
    await using flink = await smallCluster({ listen: false });
    expect(flink.url).toBe('http://flink:8081');
    const response = await flink.fetch('/overview');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=UTF-8']);
    expect((await flink.fetch('/nothing')).status).toBe(404);
    flink.faults.add({ path: '/overview', connection: 'reset' });
    await expect(flink.fetch('/overview')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('answers an origin for fetch, until disposed of', async () => {
    await using flink = await smallCluster({ listen: false });
    {
      using _ = flink.intercept('http://flink:8081');
      expect(await (await fetch('http://flink:8081/overview')).json()).toMatchObject({ taskmanagers: 2 });
      await flink.advanceUntil({ allTasksRunning: { job: 'numbers' } });
      const { jobs } = (await (await fetch('http://flink:8081/jobs')).json()) as { jobs: { id: string }[] };
      const cancelled = await fetch(`http://flink:8081/jobs/${jobs[0]!.id}`, { method: 'PATCH' });
      expect(cancelled.status).toBe(202);
      const triggered = await fetch(`http://flink:8081/jobs/${jobs[1]!.id}/savepoints`, { method: 'POST', body: JSON.stringify({ 'cancel-job': false, 'target-directory': 'file:///s' }) });
      expect([triggered.status, await triggered.json()]).toEqual([202, { 'request-id': expect.stringMatching(/^[0-9a-f]{32}$/) }]);
      const form = new FormData();
      form.append('jarfile', new Blob(['PK']), 'a.jar');
      expect((await fetch('http://flink:8081/jars/upload', { method: 'POST', body: form })).status).toBe(200);
      flink.faults.add({ connection: 'reset' });
      await expect(fetch('http://flink:8081/overview')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    }
    await expect(fetch('http://flink:8081/overview', { signal: AbortSignal.timeout(2_000) })).rejects.toThrow();
  });

  it('answers several clusters at once, and lets other origins through', async () => {
    await using a = await smallCluster({ listen: false, flinkVersion: '1.9' });
    await using b = await smallCluster({ listen: false, flinkVersion: '2.3' });
    await using real = await smallCluster();
    using _a = a.intercept('http://a:8081');
    using _b = b.intercept('http://b:8081', 'http://c:8081');
    const versions = await Promise.all(['http://a:8081', 'http://b:8081', 'http://c:8081', real.url].map(async (url) => ((await (await fetch(`${url}/overview`)).json()) as { 'flink-version': string })['flink-version'].split('.').slice(0, 2).join('.')));
    expect(versions).toEqual(['1.9', '2.3', '2.3', '1.20']);
  });

  it('is composed into an agent of undici', async () => {
    await using flink = await smallCluster({ listen: false });
    const dispatcher = new Agent().compose(flink.interceptor('http://flink:8081') as never);
    const { statusCode, body } = await request('http://flink:8081/overview', { dispatcher });
    expect([statusCode, await body.json()]).toEqual([200, expect.objectContaining({ taskmanagers: 2 })]);
    expect((await undiciFetch('http://flink:8081/overview', { dispatcher })).status).toBe(200);
    const refused = new MockAgent();
    refused.disableNetConnect();
    await expect(request('http://elsewhere/', { dispatcher: refused.compose(flink.interceptor('http://flink:8081') as never) })).rejects.toThrow();
    await dispatcher.close();
  });
});

const withFlink = base.extend<{ flink: Awaited<ReturnType<typeof startMockFlink>> }>({ flink: mockFlinkFixture({ scenario: { yaml: SMALL_SCENARIO }, listen: false }) });

describe('the fixture', () => {
  const seen: unknown[] = [];
  withFlink('gives a cluster', async ({ flink }) => {
    seen.push(flink);
    await flink.advanceBy('10 s');
    expect(flink.summary().jobs).toHaveLength(2);
  });
  withFlink('gives another one to the next test', ({ flink }) => {
    expect(seen).not.toContain(flink);
    expect(flink.clock.nowMs).toBe(flink.state.model.startMs);
  });
});
