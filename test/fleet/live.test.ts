import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { aFleet, ask, FLEET_FILE, json } from './a-fleet.js';

interface View {
  readonly name: string;
  readonly url: string;
  readonly status: string;
  readonly now: string;
}

const ONE = 'defaults: { scenario: ./two-jobs.yaml }\nclusters: [{ name: first }]';

describe('a fleet while it runs', () => {
  it('takes in a cluster that is there at once, and lets it go again', async () => {
    await using running = await aFleet(ONE);
    const add = await ask(`${running.url}/_fleet/clusters`, { method: 'POST', body: { name: 'second', scenario: 'healthy', flinkVersion: '1.17', seed: 3 } });
    expect(add.status).toBe(201);
    const [second] = (JSON.parse(add.body) as { clusters: View[] }).clusters;
    expect(second).toMatchObject({ name: 'second', url: `${running.url}/clusters/second`, scenario: 'healthy', flinkVersion: expect.stringMatching(/^1\.17\./) as string, seed: 3 });
    expect(await json(`${second!.url}/overview`)).toMatchObject({ 'jobs-running': 1 });
    expect((await ask(`${running.url}/_fleet/clusters/second`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(`${second!.url}/overview`)).status).toBe(404);
    expect((await ask(`${running.url}/clusters/first/overview`)).status).toBe(200);
    expect(await ask(`${running.url}/_fleet/clusters/second`, { method: 'DELETE' })).toMatchObject({ status: 404 });
  });

  it('answers an unknown route with where its own routes are described', async () => {
    await using running = await aFleet(ONE);
    const unknown = await ask(`${running.url}/_fleet/nope`);
    expect(unknown.status).toBe(404);
    const { documents } = JSON.parse(unknown.body) as { documents: string };
    expect(await json(`${running.url}${documents}`)).toMatchObject({ openapi: '3.1.0', paths: { '/_fleet/clusters': {} } });
  });

  it('takes in several of a kind', async () => {
    await using running = await aFleet(ONE);
    const { clusters } = await json<{ clusters: View[] }>(`${running.url}/_fleet/clusters`, { method: 'POST', body: { name: 'load-{n}', count: 5 } });
    expect(clusters.map(({ name }) => name)).toEqual(['load-1', 'load-2', 'load-3', 'load-4', 'load-5']);
    const list = await json<{ total: number; clusters: View[] }>(`${running.url}/_fleet/clusters?prefix=load-&offset=1&limit=2`);
    expect(list).toMatchObject({ total: 5, clusters: [{ name: 'load-2' }, { name: 'load-3' }] });
  });

  it('opens a new cluster at what its clock shows, or at an instant that replicas are told alike', async () => {
    const opensMs = Date.parse('2024-05-01T12:00:00Z');
    await using running = await aFleet(ONE, { startTimeMs: opensMs });
    await json(`${running.url}/_fleet/clock`, { method: 'POST', body: { advanceMs: 60_000 } });
    const add = (body: object) => json<{ clusters: View[] }>(`${running.url}/_fleet/clusters`, { method: 'POST', body });
    const started = async (name: string) => (await json<{ startMs: number }>(`${running.url}/clusters/${name}/_mock/clock`)).startMs;
    const [now] = (await add({ name: 'now' })).clusters;
    const [told] = (await add({ name: 'told', opensAt: '2024-05-01T12:00:00Z' })).clusters;
    expect(now!.now).toBe('2024-05-01T12:01:00.000Z');
    expect(told!.now).toBe('2024-05-01T12:01:00.000Z');
    // Two minutes of history lie before.
    expect(await started('now')).toBe(opensMs - 60_000);
    expect(await started('told')).toBe(opensMs - 120_000);
  });

  it('refuses a name that is taken, a template that holds one, and more than it can take', async () => {
    await using running = await aFleet(ONE);
    const add = (body: object) => ask(`${running.url}/_fleet/clusters`, { method: 'POST', body });
    await json(`${running.url}/_fleet/clusters`, { method: 'POST', body: { name: 'load-2' } });
    expect(await add({ name: 'first' })).toMatchObject({ status: 409, body: expect.stringContaining('there is a cluster first already') as string });
    expect((await add({ name: 'load-{n}', count: 3 })).status).toBe(409);
    expect((await json<{ total: number }>(`${running.url}/_fleet/clusters`)).total).toBe(2);
    expect(await add({ name: 'more-{n}', count: 20_000 })).toMatchObject({ status: 409, body: expect.stringContaining('at most 20000') as string });
    const twice = await Promise.all([add({ name: 'twin' }), add({ name: 'twin' })]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  it.each([
    [{ name: 'Bad' }, 'lower-case letters'],
    [{ name: 'x-', count: 1 }, '/name: found "x-" for 1 clusters'],
    [{ name: 'x', scenario: 'helthy' }, 'did you mean healthy?'],
    [{ name: 'x', scenario: '/etc/hostname' }, 'allowed: what the fleet'],
    [{ name: 'x', scenario: '../../package.yaml' }, 'allowed: what the fleet'],
    [{ name: 'x', flinkVersion: '0.1' }, 'a Flink version'],
    [{ name: 'x', options: { 'parallelism.default': 'many' } }, 'parallelism.default'],
    [{ name: 'x', colour: 'red' }, 'colour'],
  ])('says what is wrong with what it is asked to take in: %j', async (body, message) => {
    await using running = await aFleet('clusters: []');
    const answer = await ask(`${running.url}/_fleet/clusters`, { method: 'POST', body });
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining(message.replaceAll('"', '\\"')) as string });
    expect(running.fleet.size).toBe(0);
  });

  it('takes the scenarios of its own file under the names that they have there', async () => {
    await using running = await aFleet(ONE);
    expect((await ask(`${running.url}/_fleet/clusters`, { method: 'POST', body: { name: 'x', scenario: './two-jobs.yaml' } })).status).toBe(201);
  });

  it('says how its clusters are', async () => {
    await using running = await aFleet(ONE);
    expect(await json(`${running.url}/_fleet/health`)).toMatchObject({ clusters: 1, failed: 0, residentMiB: expect.any(Number) as number });
    await json(`${running.url}/clusters/first/overview`);
    expect(await json(`${running.url}/_fleet/clusters/first`)).toMatchObject({ status: 'running', behindMs: 0, jobs: 2, failure: null });
    expect(await ask(`${running.url}/_fleet/clusters/frist`)).toMatchObject({ status: 404, body: expect.stringContaining('did you mean first?') as string });
    expect(await ask(`${running.url}/_fleet/nothing`)).toMatchObject({ status: 404 });
    expect(await json(`${running.url}/_fleet/openapi.json`)).toMatchObject({ openapi: '3.1.0', paths: { '/_fleet/clusters': expect.any(Object) as object } });
  });

  it('keeps no more than a few control APIs ready, and answers for all', async () => {
    await using running = await aFleet("defaults: { scenario: empty }\nclusters: [{ name: 'a-{n}', count: 24 }]");
    for (let n = 1; n <= 24; n++) expect(await json(`${running.url}/clusters/a-${n}/_mock/health`)).toMatchObject({ status: 'ok' });
    expect(running.fleet.controlApps.size).toBeLessThanOrEqual(16);
    expect(await json(`${running.url}/clusters/a-1/_mock/health`)).toMatchObject({ status: 'ok' });
  });

  it('serves all clusters of a version by one app', async () => {
    await using running = await aFleet("defaults: { scenario: empty }\nclusters: [{ name: 'a-{n}', count: 20 }, { name: 'b-{n}', count: 20, flinkVersion: 1.9 }]");
    expect(running.fleet.apps.size).toBe(2);
  });
});

describe('who waits for a cluster to open', () => {
  const LONG = 'clusters: [{ name: long, scenario: ./two-jobs.yaml, openAt: 20 d }]';

  it('is told when it is taken away meanwhile', async () => {
    await using running = await aFleet(LONG);
    const waiting = ask(`${running.url}/clusters/long/overview`);
    await expect.poll(() => running.fleet.get('long').simulation.state.ticks).toBeGreaterThan(0);
    expect(await json(`${running.url}/_fleet/clusters/long`)).toMatchObject({ status: 'opening' });
    expect((await ask(`${running.url}/_fleet/ready`)).status).toBe(503);
    expect((await ask(`${running.url}/_fleet/clusters/long`, { method: 'DELETE' })).status).toBe(204);
    expect(await waiting).toMatchObject({ status: 404 });
  });

  it('does not keep the fleet from ending', async () => {
    const running = await aFleet(LONG);
    const waiting = ask(`${running.url}/clusters/long/overview`).catch((error: Error) => error.message);
    await expect.poll(() => running.fleet.get('long').simulation.state.ticks).toBeGreaterThan(0);
    await running.close();
    expect(await waiting).toBeDefined();
  });
});

describe('the end of a fleet', () => {
  it('removes its folder and listens no more', async () => {
    const running = await aFleet(ONE);
    await json(`${running.url}/clusters/first/_mock/health`);
    expect(existsSync(running.fleet.temporaryDirectory)).toBe(true);
    await running.close();
    expect(existsSync(running.fleet.temporaryDirectory)).toBe(false);
    await expect(ask(`${running.url}/clusters/first/overview`)).rejects.toThrow('ECONNREFUSED');
  });

  it('ends streams that somebody reads', async () => {
    const running = await aFleet(ONE);
    const stream = await fetch(`${running.url}/clusters/first/_mock/stream`);
    const read = stream.text().catch(() => 'cut off');
    await running.close();
    expect(await read).toBeDefined();
  });

  it('leaves nothing that keeps the process', async () => {
    const source = `
      import { parseFleet } from './src/fleet/load-fleet.ts';
      import { startFleet } from './src/fleet/start-fleet.ts';
      const running = await startFleet({ definition: parseFleet(${JSON.stringify("clusters: [{ name: 'a-{n}', count: 3 }, { name: b, flinkVersion: 1.9 }]")}, ${JSON.stringify(FLEET_FILE)}), port: 0 });
      for (const path of ['a-1/overview', 'a-2/_mock/state', 'b/jobs/overview', 'b/_mock/metrics/jobmanager']) await (await fetch(running.url + '/clusters/' + path)).text();
      await running.close();
      const left = process.getActiveResourcesInfo().filter((kind) => /Server|Timeout|Immediate/.test(kind));
      console.log('left: ' + left.join());
    `;
    const printed = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], { cwd: fileURLToPath(new URL('../../', import.meta.url)) }, (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)));
    });
    expect(printed.trim()).toBe('left:');
  }, 60_000);
});
