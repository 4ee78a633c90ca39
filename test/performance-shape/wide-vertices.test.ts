import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { largeScenario } from '../../bench/large-scenario.js';
import type { EndpointContext } from '../../src/rest/endpoint.js';
import { metricStoreOf, putMetricStore } from '../../src/rest/metrics/metric-store.js';
import { RESOURCES } from '../../src/rest/resources/index.js';
import { joinPieces, longAnswer } from '../../src/rest/serializer/answer-pieces.js';
import { createSerializers } from '../../src/rest/serializer/compile-serializer.js';
import { Later, LongList } from '../../src/rest/serializer/long-list.js';
import type { MetricFetch } from '../../src/rest/services.js';
import { nextTurn } from '../../src/rest/turns.js';
import { parseScenario } from '../../src/scenario/load-scenario.js';
import { Simulation } from '../../src/simulation/simulation.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { restFeatures } from '../../src/versions/rest-features.js';
import { restSpec } from '../../src/versions/rest-spec.js';

const PARALLELISM = 600;
const TASK_MANAGERS = 60;

const version = parseFlinkVersion('1.20')!;
const spec = restSpec(version);
const serializerOf = createSerializers(spec);
const model = parseScenario(largeScenario(3, PARALLELISM), 'large.yaml').model;

function clusterOf(simulation: Simulation, metricFetch: MetricFetch): EndpointContext {
  return { simulation, state: simulation.state, version, features: restFeatures(version), services: { metricFetch: () => metricFetch } } as unknown as EndpointContext;
}

const VERTEX = '/jobs/:jobid/vertices/:vertexid';

function ask(context: EndpointContext, url: string, query: Readonly<Record<string, readonly string[]>> = {}): unknown {
  const [job] = context.state.jobs.values();
  const params = { jobid: job!.id, vertexid: job!.vertices[1]!.id, checkpointid: String(job!.checkpoints!.history[0]!.id) };
  const endpoint = RESOURCES.flatMap(({ endpoints }) => endpoints).find((each) => each.method === 'GET' && each.url === url)!;
  return endpoint.handle({ method: 'GET', path: '', params, query, body: {}, files: [] }, context);
}

function write(url: string, answer: unknown): Promise<Buffer> {
  const { response } = spec.endpoints.find((each) => each.method === 'GET' && each.url === url)!;
  return joinPieces(longAnswer(response!, answer, spec, serializerOf)!);
}

/** The same with nothing left for later. */
function whole(answer: unknown): unknown {
  if (answer instanceof LongList) return Array.from({ length: answer.groups }, (_, group) => answer.rowsOf(group)).flat();
  if (answer instanceof Later) return (answer as Later<unknown>).make();
  return Object.fromEntries(Object.entries(answer as object).map(([key, value]) => [key, value instanceof LongList || value instanceof Later ? whole(value) : value]));
}

/** Every look at the clock finds a slice over: work gives way wherever it may. */
function everySliceIsOver(): void {
  let ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (ms += 1_000));
}

afterEach(() => void vi.restoreAllMocks());

let simulation: Simulation;
beforeAll(() => {
  simulation = new Simulation(model);
  simulation.advanceBy(80_000);
}, 120_000);

describe('a fetch of the metrics of many tasks', () => {
  const cameHome = (context: EndpointContext) => {
    const store = metricStoreOf(context);
    const [job] = context.state.jobs.values();
    return { taskManagers: store.taskManagers().size, subtasks: job!.vertices.reduce((sum, { id }) => sum + (store.task(job!.id, id)?.known().length ?? 0), 0) };
  };

  it('comes home in parts, each of a few task managers or a vertex', async () => {
    putMetricStore(simulation, null);
    everySliceIsOver();
    const context = clusterOf(simulation, 'behind-the-answer');
    let before = cameHome(context);
    expect(before).toEqual({ taskManagers: 0, subtasks: 0 });
    const revision = simulation.state.revision;
    const parts: (typeof before)[] = [];
    while (before.subtasks < 3 * PARALLELISM) {
      await nextTurn();
      const now = cameHome(context);
      parts.push({ taskManagers: now.taskManagers - before.taskManagers, subtasks: now.subtasks - before.subtasks });
      before = now;
      expect(parts.length).toBeLessThan(50);
    }
    expect(before.taskManagers).toBe(TASK_MANAGERS);
    expect(Math.max(...parts.map(({ taskManagers }) => taskManagers))).toBe(20);
    expect(Math.max(...parts.map(({ subtasks }) => subtasks))).toBeLessThanOrEqual(2 * PARALLELISM);
    // Whatever answers were kept meanwhile does not outlast the part they were made in.
    expect(simulation.state.revision - revision).toBeGreaterThan(3);
  });

  it('is complete at once where a clock is held', async () => {
    putMetricStore(simulation, null);
    everySliceIsOver();
    cameHome(clusterOf(simulation, 'behind-the-answer'));
    await Promise.resolve();
    expect(cameHome(clusterOf(simulation, 'behind-the-answer')).taskManagers).toBe(20);
    const complete = { taskManagers: TASK_MANAGERS, subtasks: 3 * PARALLELISM };
    expect(cameHome(clusterOf(simulation, 'when-time-goes-on'))).toEqual(complete);
    putMetricStore(simulation, null);
    expect(cameHome(clusterOf(simulation, 'at-once'))).toEqual(complete);
  });

  it('leads nowhere once another store has taken its place', async () => {
    putMetricStore(simulation, null);
    everySliceIsOver();
    const store = metricStoreOf(clusterOf(simulation, 'behind-the-answer'));
    await Promise.resolve();
    expect(store.taskManagers().size).toBe(20);
    putMetricStore(simulation, null);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(store.taskManagers().size).toBe(20);
  });

  it('waits while a step of the simulation is under way', async () => {
    putMetricStore(simulation, null);
    everySliceIsOver();
    const store = metricStoreOf(clusterOf(simulation, 'behind-the-answer'));
    await Promise.resolve();
    const endMs = simulation.nowMs + 100;
    expect(simulation.advanceInParts(endMs, () => false)).toBe(false);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(store.taskManagers().size).toBe(20);
    simulation.complete();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(store.taskManagers().size).toBe(TASK_MANAGERS);
  });
});

describe('the names of the metrics of a wide vertex', () => {
  it('are listed once, and anew when a task that has ended takes some with it', () => {
    const own = new Simulation(model);
    own.advanceBy(80_000);
    const context = clusterOf(own, 'at-once');
    const url = `${VERTEX}/metrics`;
    const names = (): { id: string }[] => whole(ask(context, url)) as { id: string }[];
    names();
    own.advanceBy(11_000);
    const first = ask(context, url);
    const { lastUpdateMs } = metricStoreOf(context);
    own.advanceBy(11_000);
    expect(ask(context, url)).toBe(first);
    expect(metricStoreOf(context).lastUpdateMs).toBeGreaterThan(lastUpdateMs);
    const before = names();
    const [job] = own.state.jobs.values();
    own.apply({ kind: 'cancel-job', job: job!.id });
    own.advanceBy(22_000);
    const after = names();
    expect(after.length).toBeLessThan(before.length);
  });
});

describe('an answer about a wide vertex', () => {
  it.each([VERTEX, `${VERTEX}/taskmanagers`, `${VERTEX}/subtasktimes`, `${VERTEX}/metrics`, `${VERTEX}/backpressure`, `${VERTEX}/watermarks`, `${VERTEX}/subtasks/accumulators`, `/jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid`])(
    'makes its rows when they are written, all of the instant at which it was asked for: %s',
    async (url) => {
      const context = clusterOf(simulation, 'at-once');
      const answer = ask(context, url);
      expect(answer instanceof LongList || Object.values(answer as object).some((value) => value instanceof LongList)).toBe(true);
      const { response } = spec.endpoints.find((each) => each.method === 'GET' && each.url === url)!;
      const expected = serializerOf(response!)(whole(answer));
      const asked = ask(context, url);
      simulation.advanceBy(20_000);
      metricStoreOf(context);
      expect((await write(url, asked)).toString()).toBe(expected);
    },
  );

  it('is kept, where it is of metrics alone, until the next fetch', () => {
    const context = clusterOf(simulation, 'at-once');
    const sums = (): unknown => ask(context, `${VERTEX}/subtasks/metrics`, { get: ['numRecordsIn'] });
    const first = sums();
    expect(sums()).toBe(first);
    simulation.advanceBy(20_000);
    expect(sums()).not.toBe(first);
  });

  it('sums metrics up one after the other', async () => {
    const context = clusterOf(simulation, 'at-once');
    const get = ['numRecordsIn', 'numRecordsOut', 'busyTimeMsPerSecond', 'idleTimeMsPerSecond', 'numBytesIn', 'numBytesOut', 'numBuffersOut', 'isBackPressured', 'Shuffle.Netty.Input.Buffers.inPoolUsage', 'Shuffle.Netty.Output.Buffers.outPoolUsage'];
    metricStoreOf(context);
    everySliceIsOver();
    let turns = 0;
    let done = false;
    const answer = (ask(context, `${VERTEX}/subtasks/metrics`, { get }) as Promise<{ id: string; sum: number }[]>).finally(() => (done = true));
    while (!done) {
      await nextTurn();
      turns++;
    }
    expect(turns).toBeGreaterThanOrEqual(2);
    const [{ id: jobId, vertices }] = simulation.state.jobs.values();
    const store = metricStoreOf(context);
    const summed = (await answer).map(({ id, sum }) => [id, sum]);
    const expected = get.filter((id) => id !== 'isBackPressured').map((id) => [id, Array.from({ length: PARALLELISM }, (_, subtask) => Number(store.subtask(jobId, vertices[1]!.id, subtask)!.get(id))).reduce((sum, value) => sum + value, 0)]);
    expect(summed).toEqual(expected);
  });

  it('gives way between the vertices of /jobs/:id and the metrics of each', async () => {
    const context = clusterOf(simulation, 'at-once');
    metricStoreOf(context);
    const few = (await ask(context, '/jobs/:jobid')) as { vertices: { metrics: { 'read-records': number } }[] };
    everySliceIsOver();
    let turns = 0;
    let done = false;
    const details = (ask(context, '/jobs/:jobid') as Promise<typeof few>).finally(() => (done = true));
    while (!done) {
      await nextTurn();
      turns++;
    }
    expect(await details).toEqual(few);
    // Each of three vertices: its tasks' states, seven metrics, their sums.
    expect(turns).toBeGreaterThanOrEqual(3 * 9);
  });
});

describe('turns of the event loop', () => {
  it('are given to one piece of long work each, so that others never wait for several', async () => {
    const order: string[] = [];
    const work = async (name: string): Promise<void> => {
      await nextTurn();
      order.push(name);
    };
    const loop = async (): Promise<void> => {
      for (let turn = 0; turn < 4; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('|');
      }
    };
    await Promise.all([work('a'), work('b'), work('c'), loop()]);
    expect(order.join('')).toMatch(/^\|?a\|b\|c/);
  });
});
