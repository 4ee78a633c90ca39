import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleState, ConsoleVertex } from '../../src/control/console/console-types.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { startServer, type RunningServer } from '../../src/server/start-server.js';
import type { EdgeView } from '../../src/simulation/network/edge-view.js';

describe('what the console asks for', () => {
  let server: RunningServer;
  const get = async <T>(path: string): Promise<T> => (await server.app.inject(`/_mock/console/${path}`)).json() as T;
  const post = (path: string, body: object) => server.app.inject({ method: 'POST', url: `/_mock${path}`, payload: body });
  const state = (since = '') => get<ConsoleState>(`state${since}`);

  beforeAll(async () => {
    server = await startServer({ ...loadScenario('hot-key'), listen: false, clock: { mode: 'manual' } });
  });
  afterAll(() => server.close());

  it('knows the time before it was asked: a sample a minute, and what has happened', async () => {
    const { samples, entries, pending, clock } = await state();
    expect(samples.length).toBeGreaterThan(8);
    // offered all the time, consumed less since the key is hot
    expect(samples[2]!.offered).toBe(1_200);
    expect(samples[2]!.lag).toBeLessThan(1_000);
    expect(samples.at(-1)!.consumed).toBeLessThan(900);
    expect(samples.at(-1)!.lag).toBeGreaterThan(50_000);
    expect(entries.filter(({ kind }) => kind === 'scenario').map(({ text }) => text)).toEqual(['set skew: Enrich, customer-4711 60 %']);
    expect(pending).toMatchObject([{ origin: 'scenario', text: 'set skew: Enrich, none', atMs: clock.startMs + 20 * 60_000 }]);
  });

  it('tells only what is new, and everything after a reset', async () => {
    const first = await state();
    const since = (of: ConsoleState) => `?epoch=${of.epoch}&sample=${first.samples.at(-1)!.atMs}&entry=${first.entries.at(-1)!.sequence}`;
    expect(await state(since(first))).toMatchObject({ samples: [], entries: [] });
    await server.advanceBy(5_000);
    const next = await state(since(first));
    expect(next.samples.length).toBeGreaterThan(0);
    for (const { atMs } of next.samples) expect(atMs).toBeGreaterThan(first.samples.at(-1)!.atMs);
    await post('/reset', {});
    const again = await state(since(first));
    expect(again.epoch).toBe(first.epoch + 1);
    expect(again.samples.length).toBeGreaterThan(8);
    for (const { atMs } of [...again.samples, ...again.entries]) expect(atMs).toBeLessThanOrEqual(again.clock.nowMs);
  });

  it('shares of a vertex sum to its time, levels are those of the worst subtask', async () => {
    await server.advanceBy(20_000);
    const { vertices } = (await state()).job!;
    expect(vertices.levels).toBe('hhoo');
    vertices.busy.forEach((busy, v) => expect(busy + vertices.idle[v]! + vertices.backPressured[v]!).toBeCloseTo(1, 2));
  });

  it('buffers of an edge are those that the metrics count', async () => {
    const [job] = [...server.simulation.state.jobs.values()];
    const [parse, enrich] = [1, 2].map((vertex) => job!.vertices[vertex]!.columns);
    for (let consumer = 0; consumer < 4; consumer++) {
      const { gate, channels, pools } = await get<EdgeView>(`buffers?job=${job!.id}&edge=1&consumer=${consumer}`);
      expect(channels.length).toBe(gate.remoteChannels + gate.localChannels);
      expect(gate.exclusiveBuffers).toBe(enrich!.exclusiveBuffers[consumer]);
      expect(gate.floatingBuffers).toBe(enrich!.floatingBuffers[consumer]);
      expect(gate.usedExclusive / gate.exclusiveBuffers).toBeCloseTo(enrich!.inputExclusiveBuffersUsage[consumer]!, 9);
      expect(pools.map(({ usedBuffers }) => usedBuffers)).toEqual([...parse!.outputQueueLength]);
      for (const { credit, usedFloating } of channels) expect(credit + usedFloating).toBeLessThanOrEqual(gate.exclusiveBuffers + gate.floatingBuffers + 1e-9);
    }
  });

  it('a fault is in force until its own request stops it, whoever began it', async () => {
    const faults = async () => (await state()).faults;
    expect((await faults()).map(({ text }) => text)).toEqual([expect.stringMatching(/^Enrich: subtask 2 gets 70(\.\d)? % of the records$/)]);
    await post('/events', { setKafkaBroker: { state: 'stalled' } });
    await post('/events', { setSinkCapacity: { operator: 'Results: Writer', capacity: '10/s' } });
    await post('/events', { setCheckpointStorage: { failing: true } });
    await post('/faults', { error: { status: 503 }, path: '/jobs/**' });
    const begun = await faults();
    expect(begun.map(({ text }) => text).slice(0, 2)).toEqual(['Kafka brokers are stalled', 'Checkpoint storage fails']);
    expect(begun.length).toBe(5);
    for (const { stop } of begun) {
      const { method, path, body } = stop!;
      const answer = await server.app.inject({ method, url: `/_mock${path}`, ...(body === undefined ? {} : { payload: body as object }) });
      expect(answer.statusCode, `${path} ${JSON.stringify(body)}`).toBeLessThan(300);
    }
    expect(await faults()).toEqual([]);
  });

  it('knows nothing of another simulation’s past', async () => {
    const other = await startServer({ ...loadScenario('healthy'), listen: false, clock: { mode: 'manual' } });
    const bytes = (await other.app.inject('/_mock/snapshot')).rawPayload;
    const foreign = (await other.app.inject('/_mock/console/state')).json() as ConsoleState;
    await other.close();
    const before = await state();
    expect(before.entries.map(({ text }) => text)).toContain('set skew: Enrich, customer-4711 60 %');
    expect((await server.app.inject({ method: 'PUT', url: '/_mock/snapshot', payload: bytes, headers: { 'content-type': 'application/octet-stream' } })).statusCode).toBeLessThan(300);
    const after = await state(`?epoch=${before.epoch}&sample=${before.samples.at(-1)!.atMs}&entry=${before.entries.at(-1)!.sequence}`);
    expect(after.job!.name).toBe(foreign.job!.name);
    expect(after.entries.filter(({ kind }) => kind === 'scenario' || kind === 'live')).toEqual(foreign.entries.filter(({ kind }) => kind === 'scenario' || kind === 'live'));
    for (const { atMs } of after.samples) expect(atMs).toBe(after.clock.nowMs);
    await post('/reset', {});
    await server.advanceBy(120_000);
  });

  it('a task that does not run does nothing, whatever it did before', async () => {
    const [job] = [...server.simulation.state.jobs.values()];
    const vertex = job!.vertices.find(({ model }) => model.name === 'Enrich')!;
    const subtasks = async () => (await get<ConsoleVertex>(`vertex?job=${job!.id}&vertex=${vertex.id}`)).subtasks;
    expect((await subtasks()).map(({ recordsIn }) => recordsIn > 0)).not.toContain(false);
    await post('/events', { failSubtask: { operator: 'Enrich', subtask: 0 } });
    await server.advanceBy(500);
    const rows = await subtasks();
    expect(rows.map(({ state: each }) => each)).not.toContain('RUNNING');
    for (const { recordsIn, recordsOut, busy, idle, backPressured } of rows) expect([recordsIn, recordsOut, busy, idle, backPressured]).toEqual([0, 0, 0, 0, 0]);
    await server.advanceBy(60_000);
  });

  it('says what is not there', async () => {
    const [job] = [...server.simulation.state.jobs.keys()];
    for (const path of ['graph?job=none', `vertex?job=${job}&vertex=none`, `buffers?job=${job}&edge=99`, `buffers?job=${job}&edge=0&consumer=99`, 'log?process=none']) expect((await server.app.inject(`/_mock/console/${path}`)).statusCode, path).toBe(404);
    expect((await server.app.inject('/_mock/console/state?entry=some')).statusCode).toBe(400);
  });
});
