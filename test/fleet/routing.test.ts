import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningFleet } from '../../src/fleet/start-fleet.js';
import { aFleet, ask, json } from './a-fleet.js';

describe('clusters behind one port', () => {
  let running: RunningFleet;
  let url: string;
  beforeAll(async () => {
    running = await aFleet("routing: { host: flink.local }\ndefaults: { scenario: ./two-jobs.yaml }\nclusters:\n  - { name: 'team-{n}', count: 2 }\n  - { name: old, flinkVersion: 1.9 }\n  - { name: plain, control: false }\n  - { name: prefixed, flinkVersion: 2.2, options: { rest.url-prefix: /flink/ } }\n");
    ({ url } = running);
  });
  afterAll(() => running.close());

  it('are found by path', async () => {
    const [one, two] = await Promise.all(['team-1', 'team-2'].map((name) => json<{ jobs: { jid: string; name: string }[] }>(`${url}/clusters/${name}/jobs/overview`)));
    expect(one!.jobs.map(({ name }) => name)).toEqual(two!.jobs.map(({ name }) => name));
    expect(one!.jobs[0]!.jid).not.toBe(two!.jobs[0]!.jid);
  });

  it('are found by host name, with or without a port, whatever its case', async () => {
    const byPath = await ask(`${url}/clusters/team-2/jobs/overview`);
    for (const host of ['team-2.flink.local', 'team-2.flink.local:8081', 'TEAM-2.Flink.Local']) expect((await ask(`${url}/jobs/overview`, { host })).body).toBe(byPath.body);
  });

  it('are each of its own version', async () => {
    expect(await json(`${url}/clusters/old/overview`)).toMatchObject({ 'flink-version': '1.9.3' });
    expect(await json(`${url}/clusters/team-1/overview`)).toMatchObject({ 'flink-version': '1.20.5' });
    expect((await ask(`${url}/clusters/old/jobs/${'0'.repeat(32)}/status`)).status).toBe(404);
    expect((await ask(`${url}/clusters/old/nothing`, { method: 'POST', body: {} })).body).toBe('{"errors":["Not found."]}');
    expect((await ask(`${url}/clusters/team-1/nothing`, { method: 'POST', body: {} })).body).toBe('{"errors":["Not found: /nothing"]}');
  });

  it('keep their own options', async () => {
    expect((await ask(`${url}/clusters/prefixed/overview`)).status).toBe(404);
    expect((await ask(`${url}/clusters/prefixed/flink/overview`)).status).toBe(200);
  });

  it('are served below their path: status page, its files, relative links, redirects', async () => {
    expect(await ask(`${url}/clusters/team-1`)).toMatchObject({ status: 302, headers: { location: '/clusters/team-1/' } });
    const page = await ask(`${url}/clusters/team-1/`);
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html' } });
    const links = [...page.body.matchAll(/(?:href|src)="([^"#][^"]*)"/g)].map(([, link]) => link!).filter((link) => !link.startsWith('data:'));
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) {
      const { pathname } = new URL(link, `${url}/clusters/team-1/`);
      expect(pathname).toMatch(/^\/clusters\/team-1\//);
      expect((await ask(`${url}${pathname}`)).status, link).toBe(200);
    }
  });

  it('have a control API each, below their own path and host', async () => {
    expect(await json(`${url}/clusters/team-1/_mock/health`)).toMatchObject({ status: 'ok', scenario: 'two-jobs' });
    expect(await json(`${url}/_mock/health`, { host: 'old.flink.local' })).toMatchObject({ flinkVersion: '1.9.3' });
    expect(await ask(`${url}/clusters/team-1/_mock`)).toMatchObject({ status: 302, headers: { location: '_mock/' } });
    expect((await ask(`${url}/clusters/team-1/_mock/docs`)).status).toBe(200);
  });

  it('have no control API where it is off', async () => {
    expect(await ask(`${url}/clusters/plain/_mock/health`)).toMatchObject({ status: 404, body: '{"errors":["Unable to load requested file /_mock/health."]}' });
    expect((await ask(`${url}/clusters/plain/`)).body).not.toContain('_mock');
  });

  it('have metrics for Prometheus by path', async () => {
    const [target] = await json<{ targets: string[]; labels: Record<string, string> }[]>(`${url}/clusters/team-1/_mock/metrics`);
    expect(target!.labels['__metrics_path__']).toBe('/clusters/team-1/_mock/metrics/jobmanager');
    const scraped = await ask(`${url}${target!.labels['__metrics_path__']}`);
    expect(scraped.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(scraped.body).toContain('flink_jobmanager_numRunningJobs');
    expect((await ask(`${url}/_mock/metrics/jobmanager`, { host: 'team-2.flink.local' })).body).toContain('flink_jobmanager_numRunningJobs');
    expect((await ask(`${url}/clusters/team-1/_mock/kafka/metrics`)).body).toContain('kafka_consumergroup_lag');
    const all = await json<{ labels: Record<string, string> }[]>(`${url}/_fleet/targets`);
    expect(new Set(all.map(({ labels }) => labels['cluster']))).toEqual(new Set(['team-1', 'team-2', 'old', 'prefixed']));
    for (const { labels } of all) expect((await ask(`${url}${labels['__metrics_path__']}`)).status).toBe(200);
  });

  it.each(['/clusters/nobody/overview', '/clusters/nobody', '/clusters/', '/clusters//overview', '/clusters/team-1%2F/overview', '/clusters/TEAM-1/overview', '/clusters/__proto__/overview'])('answer 404 as a proxy where there is no such cluster: %s', async (target) => {
    const { status, headers, body } = await ask(`${url}${target}`);
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json; charset=UTF-8');
    expect((JSON.parse(body) as { errors: string[] }).errors[0]).toMatch(/^there is no cluster/);
  });

  it('answer 404 for other paths and host names, and show who comes to the root the list', async () => {
    expect(await ask(`${url}/jobs/overview`)).toMatchObject({ status: 404, body: expect.stringContaining('/_fleet/clusters') as string });
    expect((await ask(`${url}/jobs/overview`, { host: 'nobody.flink.local' })).status).toBe(404);
    expect((await ask(`${url}/jobs/overview`, { host: 'a.team-1.flink.local' })).status).toBe(404);
    expect((await ask(`${url}/clustersteam-1/overview`)).status).toBe(404);
    expect(await ask(`${url}/`)).toMatchObject({ status: 302, headers: { location: '/_fleet/' } });
    expect((await ask(`${url}/_fleet/`)).body).toContain('href="/clusters/team-1/"');
  });

  it('answer what cannot be read with 400, and go on', async () => {
    const { hostname, port } = new URL(url);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect((await ask(`${url}/clusters/team-1/overview`)).status).toBe(200);
  });
});

describe('secrets of a fleet', () => {
  it('the token guards the fleet and the control APIs, the password everything else', async () => {
    await using running = await aFleet('clusters: [{ name: a, scenario: empty }]', { token: 'secret-token', basicAuth: 'user:word' });
    const bearer = { authorization: 'Bearer secret-token' };
    const basic = { authorization: `Basic ${Buffer.from('user:word').toString('base64')}` };
    const status = async (target: string, headers: Record<string, string>) => (await ask(`${running.url}${target}`, { headers })).status;
    expect(await status('/clusters/a/overview', {})).toBe(401);
    expect(await status('/clusters/a/overview', basic)).toBe(200);
    for (const target of ['/clusters/a/_mock/state', '/clusters/a/_mock/metrics/jobmanager', '/_fleet/clusters']) {
      expect(await status(target, {}), target).toBe(401);
      expect(await status(target, basic), target).toBe(401);
      expect(await status(target, bearer), target).toBe(200);
    }
    expect(await status('/_fleet/health', {})).toBe(200);
  });
});
