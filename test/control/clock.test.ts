import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConditionInput, EventInput, MockFlink } from '../../src/index.js';
import { CONDITION_NAMES } from '../../src/control/conditions.js';
import { restSpec } from '../../src/versions/rest-spec.js';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { ask, smallCluster } from './small-cluster.js';

const MINUTE_MS = 60_000;

/** Brings about and asks for: a case for each condition that there is. */
const CONDITIONS: Readonly<Record<(typeof CONDITION_NAMES)[number] | 'all' | 'any', readonly [EventInput | null, ConditionInput, (flink: MockFlink) => boolean]>> = {
  vertexLevel: [{ setSinkCapacity: { job: 'numbers', operator: 'Sink: Out', capacity: '50/s' } }, { vertexLevel: { job: 'numbers', vertex: 'Square', level: 'high' } }, (flink) => flink.jobs.get('numbers').vertices[1]!.level === 'high'],
  jobStatus: [{ cancelJob: { job: 'numbers' } }, { jobStatus: { job: 'numbers', status: 'CANCELED' } }, (flink) => flink.jobs.get('numbers').status === 'CANCELED'],
  allTasksRunning: [{ failSubtask: { job: 'numbers', operator: 'Square' } }, { all: [{ restarts: { job: 'numbers', count: 1 } }, { allTasksRunning: { job: 'numbers' } }] }, (flink) => flink.jobs.get('numbers').vertices.every(({ tasks }) => tasks['RUNNING'] === 1)],
  checkpointCompleted: [null, { checkpointCompleted: { job: 'numbers', id: 9 } }, (flink) => flink.jobs.get('numbers').checkpoints!.latestCompletedId === 9],
  checkpointFailed: [{ setCheckpointStorage: { failing: true } }, { checkpointFailed: { job: 'orders', count: 2 } }, (flink) => flink.jobs.get('orders').checkpoints!.failed === 2],
  restarts: [{ setFailure: { job: 'numbers', operator: 'Square', afterRecords: 100 } }, { restarts: { job: 'numbers', count: 3 } }, (flink) => flink.jobs.get('numbers').restarts === 3],
  lagAbove: [{ setKafkaBroker: { state: 'stalled' } }, { lagAbove: { job: 'orders', records: 1_000 } }, (flink) => flink.jobs.get('orders').lag > 1_000],
  lagBelow: [{ burst: { topic: 'orders', rate: '20000/s', for: '1 s' } }, { all: [{ lagBelow: { job: 'orders', records: 100 } }, { checkpointCompleted: { job: 'orders' } }] }, (flink) => flink.jobs.get('orders').lag < 100],
  taskManagers: [{ addTaskManagers: { count: 2 } }, { taskManagers: { count: 4 } }, (flink) => flink.cluster.taskManagers === 4],
  all: [null, { all: [{ jobStatus: { job: 'numbers', status: 'RUNNING' } }, { checkpointCompleted: {} }] }, () => true],
  any: [null, { any: [{ jobStatus: { job: 'numbers', status: 'FAILED' } }, { checkpointCompleted: {} }] }, () => true],
};

/** Of each kind, one that never comes true here. */
const NEVER: Readonly<Record<keyof typeof CONDITIONS, ConditionInput>> = {
  vertexLevel: { vertexLevel: { job: 'numbers', vertex: 'Sink: Out', level: 'high' } },
  jobStatus: { jobStatus: { job: 'numbers', status: 'FINISHED' } },
  allTasksRunning: { all: [{ allTasksRunning: { job: 'numbers' } }, { jobStatus: { job: 'numbers', status: 'FAILED' } }] },
  checkpointCompleted: { checkpointCompleted: { job: 'numbers', id: 1_000_000 } },
  checkpointFailed: { checkpointFailed: { job: 'numbers', count: 1_000 } },
  restarts: { restarts: { job: 'numbers', count: 1_000 } },
  lagAbove: { lagAbove: { job: 'orders', records: 1e15 } },
  lagBelow: { lagBelow: { job: 'orders', records: 0 } },
  taskManagers: { taskManagers: { count: 77 } },
  all: { all: [{ jobStatus: { status: 'RUNNING' } }, { taskManagers: { count: 77 } }] },
  any: { any: [{ jobStatus: { status: 'FINISHED' } }, { taskManagers: { count: 77 } }] },
};

describe('a held clock', () => {
  let flink: MockFlink;
  beforeAll(async () => {
    flink = await smallCluster({ control: true });
    await flink.advanceUntil({ allTasksRunning: { job: 'numbers' } });
    await flink.advanceBy('20 s');
    await flink.history.mark('running');
  });
  afterAll(() => flink.close());

  it.each(['advanceMs', 'to'] as const)('is advanced by %s, to the millisecond', async (form) => {
    await flink.reset('running');
    const before = flink.clock.nowMs;
    const change = form === 'to' ? { to: new Date(before + 12_345).toISOString() } : { advanceMs: 12_345 };
    expect(await ask(flink.controlUrl, 'POST', '/clock', change)).toMatchObject({ status: 200, body: { nowMs: before + 12_345, mode: 'manual', paused: true } });
    expect(flink.state.nowMs).toBe(before + 12_345);
  });

  it.each(Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[])('is advanced until %s, and not further than a tick', async (name) => {
    await flink.reset('running');
    const [event, condition, isSo] = CONDITIONS[name];
    if (event) flink.events.apply(event);
    const before = flink.clock.nowMs;
    expect(await ask(flink.controlUrl, 'POST', '/clock', { until: condition })).toMatchObject({ status: 200, body: { met: true } });
    const after = flink.clock.nowMs;
    expect(isSo(flink)).toBe(true);
    expect(after).toBeGreaterThan(before);
    // Back to a tick before: it was not so yet.
    await flink.reset('running');
    if (event) flink.events.apply(event);
    expect(await ask(flink.controlUrl, 'POST', '/clock', { until: condition, limitMs: after - before - flink.state.model.tickMs })).toMatchObject({ body: { met: false } });
  });

  it.each(Object.keys(NEVER) as (keyof typeof NEVER)[])('stops at a bound when %s never comes true, and says so', async (name) => {
    await flink.reset('running');
    const before = flink.clock.nowMs;
    expect(await ask(flink.controlUrl, 'POST', '/clock', { until: NEVER[name], limitMs: MINUTE_MS })).toMatchObject({ status: 200, body: { met: false, nowMs: before + MINUTE_MS } });
    await expect(flink.advanceUntil(NEVER[name], '1 min')).rejects.toThrow(/was not met in 60 s of virtual time; it is 2024-/);
    // Without a limit it is an hour.
    if (name === 'taskManagers') expect(await ask(flink.controlUrl, 'POST', '/clock', { until: NEVER[name] })).toMatchObject({ body: { met: false, nowMs: before + 2 * MINUTE_MS + 3_600_000 } });
    expect(await ask(flink.controlUrl, 'POST', '/wait', { until: NEVER[name], timeoutMs: 30 })).toMatchObject({ status: 200, body: { met: false } });
  });

  it('does not run by itself: resume is refused, a speed changes nothing', async () => {
    const before = flink.clock.nowMs;
    expect(await ask(flink.controlUrl, 'POST', '/clock', { paused: false })).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/a manual clock stands by itself; advance it/) } });
    expect((await ask(flink.controlUrl, 'POST', '/clock', { speed: 100_000 })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(flink.clock.nowMs).toBe(before);
  });
});

/** Each GET of the version that needs no trigger id, for what there is; not those that act (`yarn-cancel`, `yarn-stop`). */
function targetsOf(flink: MockFlink): string[] {
  const [job] = flink.summary().jobs;
  const [taskManager] = flink.state.taskManagers.keys();
  const values: Readonly<Record<string, string>> = { jobid: job!.id, vertexid: job!.vertices[0]!.id, subtaskindex: '0', attempt: '0', checkpointid: '2', taskmanagerid: encodeURIComponent(taskManager!), filename: 'taskmanager.log' };
  const urls = restSpec(parseFlinkVersion(flink.state.model.flinkVersion)!).endpoints.filter(({ method }) => method === 'GET').map(({ url }) => url);
  const paths = urls.filter((url) => !/:triggerid|:jarid|\/yarn-/.test(url)).map((url) => url.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x'));
  return [...paths, ...['/jobmanager/metrics', `/jobs/${job!.id}/metrics`].map((path) => `${path}?get=numRunningJobs,numRestarts,uptime`)];
}

async function answersOf(flink: MockFlink): Promise<string[]> {
  return Promise.all(targetsOf(flink).map(async (target) => {
    const response = await flink.fetch(target);
    return `${target} ${response.status} ${await response.text()}`;
  }));
}

const wallTime = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('while nobody advances, no answer changes', () => {
  it.each(['1.9', '1.13', '1.20', '2.3'])('Flink %s: the first, the second, and that after a while', async (flinkVersion) => {
    await using flink = await smallCluster({ listen: false, flinkVersion });
    await flink.advanceUntil({ allTasksRunning: { job: 'numbers' } });
    await flink.advanceBy('31 s');
    for (let round = 0; round < 2; round++) {
      const first = await answersOf(flink);
      expect(first.length).toBeGreaterThan(25);
      expect(first.filter((answer) => / 200 /.test(answer)).length).toBeGreaterThan(20);
      expect(await answersOf(flink)).toEqual(first);
      await wallTime(300);
      expect(await answersOf(flink)).toEqual(first);
      await flink.advanceBy('13 s');
      expect(await answersOf(flink)).not.toEqual(first);
    }
  });

  it.each([['paused', (flink: MockFlink) => flink.clock.pause()], ['at speed 0', (flink: MockFlink) => flink.clock.setSpeed(0)]] as const)('a running clock that is %s', async (_, hold) => {
    await using flink = await smallCluster({ listen: false, clock: 'real', speed: 1_000 });
    await flink.clock.waitUntil({ checkpointCompleted: { job: 'numbers', id: 3 } }, 30_000);
    hold(flink);
    const first = await answersOf(flink);
    await wallTime(150);
    expect(await answersOf(flink)).toEqual(first);
    // A held one can be advanced, and goes on from there.
    const before = flink.clock.nowMs;
    await flink.advanceBy('1 min');
    expect(flink.clock.nowMs).toBe(before + MINUTE_MS);
    flink.clock.setSpeed(100);
    flink.clock.resume();
    while (flink.clock.nowMs === before + MINUTE_MS) await wallTime(2);
    expect(flink.clock.view()).toMatchObject({ mode: 'real', paused: false, speed: 100 });
  });
});

describe('a running clock', () => {
  it.each([1, 60, 100_000])('runs at ×%d, or as fast as the simulation can', async (speed) => {
    await using flink = await smallCluster({ listen: false, clock: 'real', speed });
    const startMs = flink.clock.nowMs;
    const wallMs = performance.now();
    while (flink.clock.nowMs - startMs < speed * 20) await wallTime(5);
    // Never faster than asked for; how far behind depends on the machine.
    expect(flink.clock.nowMs - startMs).toBeLessThanOrEqual(Math.ceil((performance.now() - wallMs) * speed) + speed);
    expect(Math.abs(flink.state.nowMs - flink.clock.nowMs)).toBeLessThanOrEqual(speed * 1_000);
  });

  it('takes speeds of 0 to 100,000 and no others', async () => {
    await using flink = await smallCluster({ listen: false, clock: 'real' });
    for (const speed of [0, 0.5, 1, 100_000]) {
      flink.clock.setSpeed(speed);
      expect(flink.clock.view().speed).toBe(speed);
    }
    for (const speed of [-1, -0.001, 100_001, NaN, Infinity]) expect(() => flink.clock.setSpeed(speed)).toThrow(/allowed: a speed from 0 to 100000/);
    expect(flink.clock.view().speed).toBe(100_000);
  });
});
