import { afterEach, describe, expect, it } from 'vitest';
import type { MockFlink, MockFlinkOptions } from '../../src/index.js';
import { ask, smallCluster } from './small-cluster.js';

let flink: MockFlink;
afterEach(() => flink.close());

async function start(options: MockFlinkOptions): Promise<void> {
  flink = await smallCluster(options);
  await flink.advanceUntil({ allTasksRunning: { job: 'numbers' } });
}

/** Status, or the code of what happened to the connection. */
async function outcome(path = '/overview'): Promise<number | string> {
  try {
    return (await fetch(flink.url + path)).status;
  } catch (error) {
    return (error as { cause: { code: string } }).cause.code;
  }
}

const crash = { crashJobManager: { restartAfter: '10 s' } } as const;

describe('a job manager that is down', () => {
  it.each([
    ['where the control API has a port of its own', { control: { port: 0 } }],
    ['where there is no control API', { control: false }],
  ] as const)('refuses connections %s', async (_, options) => {
    await start(options);
    expect(await outcome()).toBe(200);
    flink.events.apply(crash);
    expect(await outcome()).toBe('ECONNREFUSED');
    await flink.advanceBy('5 s');
    expect(await outcome('/jobs')).toBe('ECONNREFUSED');
    if (flink.controlUrl) expect(await ask(flink.controlUrl, 'POST', '/clock', { advanceMs: 15_000 })).toMatchObject({ status: 200 });
    else await flink.advanceBy('15 s');
    expect(await outcome()).toBe(200);
  });

  it('cuts off who is connected already', async () => {
    await start({ control: false });
    flink.faults.add({ path: '/overview', latency: '30 s' });
    const waiting = outcome();
    while (flink.faults.list()[0]!.struck === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    flink.events.apply(crash);
    expect(await waiting).toBe('UND_ERR_SOCKET');
  });

  it('cuts requests off without an answer where the control API shares its port', async () => {
    await start({ control: true });
    flink.events.apply(crash);
    expect(await outcome()).toBe('UND_ERR_SOCKET');
    expect((await ask(flink.controlUrl, 'GET', '/health')).status).toBe(200);
    expect((await ask(flink.controlUrl, 'POST', '/clock', { advanceMs: 20_000 })).status).toBe(200);
    expect(await outcome()).toBe(200);
  });

  it('refuses them without a socket too', async () => {
    await start({ listen: false });
    flink.events.apply(crash);
    await expect(flink.fetch('/overview')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    using _ = flink.intercept('http://flink:8081');
    expect(await outcome()).toBe('ECONNREFUSED');
  });

  it('listens again when it is reset, restored, or closed', async () => {
    await start({ control: { port: 0 } });
    await flink.history.mark('up');
    flink.events.apply(crash);
    const down = await flink.snapshot();
    expect(await outcome()).toBe('ECONNREFUSED');
    await flink.reset('up');
    expect(await outcome()).toBe(200);
    await flink.restore(down);
    expect(await outcome()).toBe('ECONNREFUSED');
    await using other = await smallCluster({ snapshot: down });
    await expect(fetch(`${other.url}/overview`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('stays away as long as it is told to be, when connections are refused besides', async () => {
    await start({ control: { port: 0 } });
    await flink.faults.refuseConnections(30);
    flink.events.apply(crash);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(await outcome()).toBe('ECONNREFUSED');
    await flink.advanceBy('20 s');
    while ((await outcome()) === 'ECONNREFUSED') await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await outcome()).toBe(200);
  });
});
