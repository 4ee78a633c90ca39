import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ServerStartError } from '../../../src/server/errors.js';
import { startServer, type ServerOptions } from '../../../src/server/start-server.js';
import { recordedCluster } from './model.js';

const start = (more: Partial<ServerOptions> = {}) => startServer({ model: recordedCluster('1.20.5'), port: 0, clock: { mode: 'manual' }, ...more });

describe('servers', () => {
  it('live side by side in one process, each with its own version and time', async () => {
    await using a = await start();
    await using b = await startServer({ model: recordedCluster('1.9.3'), port: 0, clock: { mode: 'manual' } });
    await a.advanceBy(60_000);
    const flinkVersion = async (url: string) => ((await (await fetch(`${url}/config`)).json()) as Record<string, unknown>)['flink-version'];
    expect([await flinkVersion(a.url), await flinkVersion(b.url)]).toEqual(['1.20.5', '1.9.3']);
    expect(a.simulation.nowMs - a.simulation.state.model.startMs).toBe(60_000);
    expect(b.simulation.nowMs).toBe(b.simulation.state.model.startMs);
  });

  it('open with history behind them', async () => {
    await using server = await start({ openAtMs: 120_000 });
    expect(server.clock.now() - server.simulation.state.model.startMs).toBe(120_000);
  });

  it('say in a typed error that the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const error = await start({ port }).catch((reason: unknown) => reason);
    taken.close();
    expect(error).toBeInstanceOf(ServerStartError);
    expect(error).toMatchObject({ code: 'EADDRINUSE', port, message: `port ${port} on 127.0.0.1 is in use` });
  });

  it('refuse a version that does not exist', async () => {
    await expect(start({ version: '1.8' })).rejects.toThrow('there is no Flink version 1.8');
  });

  it('close although a client keeps its connection, and leave no folder behind', async () => {
    const server = await start();
    const folder = server.temporaryDirectory;
    expect(existsSync(folder)).toBe(true);
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve, reject) => {
      request(`${server.url}/overview`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject).end();
    });
    await server.close();
    agent.destroy();
    await expect(fetch(`${server.url}/overview`)).rejects.toThrow();
    expect(existsSync(folder)).toBe(false);
  });

  it('close on DELETE /cluster, after the answer', async () => {
    let asked = 0;
    await using server = await start({ onShutdown: () => asked++ });
    expect((await fetch(`${server.url}/cluster`, { method: 'DELETE' })).status).toBe(200);
    await expect.poll(() => asked).toBe(1);
  });
});

describe('a base path, as behind the proxy of YARN', () => {
  const basePath = '/proxy/application_1582644888198_0190';

  it('is in front of everything', async () => {
    await using server = await start({ basePath });
    expect((await fetch(`${server.url}${basePath}/overview`)).status).toBe(200);
    expect((await fetch(`${server.url}${basePath}/v1/jobs`)).status).toBe(200);
    expect((await fetch(`${server.url}${basePath}/_mock/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/overview`)).status).toBe(200);
  });

  it('is not part of what the cluster sees', async () => {
    await using server = await start({ basePath });
    expect(await (await fetch(`${server.url}${basePath}/nope`)).text()).toBe('{"errors":["Unable to load requested file /nope."]}');
    expect(await (await fetch(`${server.url}${basePath}/overview`, { method: 'PUT' })).text()).toBe('{"errors":["Not found: /overview"]}');
  });

  it('gets the slash that relative links need', async () => {
    await using server = await start({ basePath });
    const response = await fetch(`${server.url}${basePath}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, `${basePath}/`]);
  });
});

it('moves the API below rest.url-prefix where the version knows that option', async () => {
  const model = recordedCluster('1.20.5');
  const withPrefix = { ...model, options: { ...model.options, 'rest.url-prefix': '/flink/' } };
  await using server = await start({ model: withPrefix });
  expect((await fetch(`${server.url}/flink/overview`)).status).toBe(200);
  expect((await fetch(`${server.url}/overview`)).status).toBe(404);
  await using old = await startServer({ model: { ...withPrefix, flinkVersion: '1.17.2' }, port: 0, clock: { mode: 'manual' } });
  expect((await fetch(`${old.url}/overview`)).status).toBe(200);
});
