import { afterEach, describe, expect, it } from 'vitest';
import type { ConsoleState } from '../../src/control/console/console-types.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { startServer, type RunningServer } from '../../src/server/start-server.js';

describe('the stream that the console follows', () => {
  const servers: RunningServer[] = [];
  const stops: AbortController[] = [];
  const serve = async (...[options]: [Partial<Parameters<typeof startServer>[0]>?]): Promise<RunningServer> => {
    const server = await startServer({ ...loadScenario('hot-key'), port: 0, clock: { mode: 'manual' }, ...options });
    servers.push(server);
    return server;
  };
  const open = async (server: RunningServer, query = '', headers: Record<string, string> = {}): Promise<Response> => {
    const stop = new AbortController();
    stops.push(stop);
    return fetch(`${server.controlUrl}/console/stream${query}`, { signal: stop.signal, headers });
  };
  /** The states, as they come. */
  async function* statesOf(response: Response): AsyncGenerator<ConsoleState, void, undefined> {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = `${rest}${chunk}`.split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) if (block.startsWith('event: state\ndata: ')) yield JSON.parse(block.slice('event: state\ndata: '.length)) as ConsoleState;
    }
  }
  const post = (server: RunningServer, path: string, body: object) => fetch(`${server.controlUrl}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  afterEach(async () => {
    for (const stop of stops.splice(0)) stop.abort();
    for (const server of servers.splice(0)) await server.close();
  });

  it('begins with everything, goes on with what is new, and begins anew after a reset', async () => {
    const server = await serve();
    const states = statesOf(await open(server));
    const first = (await states.next()).value!;
    const asked = (await (await fetch(`${server.controlUrl}/console/state`)).json()) as ConsoleState;
    expect(first.samples.length).toBeGreaterThan(8);
    expect(first.entries).toEqual(asked.entries);
    expect(first.job!.vertices).toEqual(asked.job!.vertices);
    await server.advanceBy(30_000);
    const next = (await states.next()).value!;
    expect(next.clock.nowMs).toBe(first.clock.nowMs + 30_000);
    expect(next.samples.length).toBeGreaterThan(0);
    for (const { atMs } of next.samples) expect(atMs).toBeGreaterThan(first.samples.at(-1)!.atMs);
    for (const { sequence } of next.entries) expect(sequence).toBeGreaterThan(first.entries.at(-1)!.sequence);
    await post(server, '/reset', {});
    let again = (await states.next()).value!;
    while (again.epoch === first.epoch) again = (await states.next()).value!;
    expect(again.epoch).toBe(first.epoch + 1);
    expect(again.samples.length).toBeGreaterThan(8);
  });

  it('says nothing while nothing changes, and tells of faults and marks that no event announces', async () => {
    const server = await serve();
    const states = statesOf(await open(server));
    await states.next();
    let came: ConsoleState | null = null;
    const next = states.next().then(({ value }) => (came = value!));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(came).toBeNull();
    await post(server, '/faults', { error: { status: 503 }, path: '/jobs/**' });
    expect((await next).faults.map(({ kind }) => kind)).toContain('http');
    await post(server, '/marks', { name: 'there' });
    expect((await states.next()).value!.marks.map(({ name }) => name)).toEqual(['start', 'there']);
    await fetch(`${server.url}/config`);
    expect((await states.next()).value!.requests).toBe(1);
  });

  it('does not send again what the client says it has, unless it has it from another server', async () => {
    const server = await serve();
    const { run, epoch, samples, entries } = (await (await fetch(`${server.controlUrl}/console/state`)).json()) as ConsoleState;
    const since = `sample=${samples.at(-1)!.atMs}&entry=${entries.at(-1)!.sequence}`;
    expect((await statesOf(await open(server, `?epoch=${epoch}&${since}`)).next()).value).toMatchObject({ samples: [], entries: [] });
    const other = await serve();
    const anew = (await statesOf(await open(other, `?epoch=${epoch}&${since}`)).next()).value!;
    expect(anew.run).not.toBe(run);
    expect(anew.entries).toEqual(entries);
  });

  it('asks for the token, has room for 50 clients with those of the feed, and ends when the server closes', async () => {
    const server = await serve({ control: { token: 'open-sesame' } });
    const headers = { authorization: 'Bearer open-sesame' };
    expect((await open(server)).status).toBe(401);
    const streams = await Promise.all(Array.from({ length: 25 }, () => open(server, '', headers)));
    const stop = new AbortController();
    stops.push(stop);
    await Promise.all(Array.from({ length: 25 }, () => fetch(`${server.controlUrl}/stream`, { headers, signal: stop.signal })));
    expect((await open(server, '', headers)).status).toBe(429);
    const ended = (async () => {
      for await (const state of statesOf(streams[0]!)) expect(state.run).toBeGreaterThan(0);
    })();
    await server.close();
    await ended;
  });
});
