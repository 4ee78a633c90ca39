import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/server/clock.js';
import { ClockDriver } from '../../../src/server/clock-driver.js';
import type { Simulation } from '../../../src/simulation/simulation.js';
import { startServer } from '../../../src/server/start-server.js';
import { recordedCluster } from './model.js';

function wall() {
  let nowMs = 1_000;
  return { now: () => nowMs, pass: (ms: number) => void (nowMs += ms) };
}

describe('the clock', () => {
  it('runs at its speed, across changes of it', () => {
    const time = wall();
    const clock = new VirtualClock('real', 0, 10, time.now);
    time.pass(100);
    expect(clock.now()).toBe(1_000);
    clock.setSpeed(0.5);
    time.pass(100);
    expect(clock.now()).toBe(1_050);
  });

  it('stands while paused and goes on from there', () => {
    const time = wall();
    const clock = new VirtualClock('real', 0, 1, time.now);
    time.pass(10);
    clock.pause();
    time.pass(1_000);
    expect(clock.now()).toBe(10);
    clock.resume();
    time.pass(5);
    expect(clock.now()).toBe(15);
  });

  it('does not go back', () => {
    const time = wall();
    const clock = new VirtualClock('manual', 500, 1, time.now);
    clock.moveTo(100);
    expect(clock.now()).toBe(500);
  });

  it('refuses a speed that is none', () => {
    for (const speed of [-1, NaN, Infinity]) expect(() => new VirtualClock('real', 0, 1).setSpeed(speed)).toThrow(RangeError);
  });
});

/** A simulation whose every step takes a given time of the wall. */
function slowSimulation(stepWallMs: number, time: ReturnType<typeof wall>) {
  const simulation = { nowMs: 0, state: { model: { tickMs: 100 } }, advanceTo: (epochMs: number) => (time.pass(stepWallMs), (simulation.nowMs = epochMs)) };
  return simulation;
}

describe('the driver', () => {
  it('lets virtual time slip, rather than holding up requests, when the simulation cannot follow', () => {
    const time = wall();
    const simulation = slowSimulation(2, time);
    const clock = new VirtualClock('real', 0, 1_000, time.now);
    const driver = new ClockDriver(simulation as unknown as Simulation, clock, time.now);
    time.pass(10_000);
    const before = time.now();
    expect(driver.catchUp()).toBe(false);
    expect(time.now() - before).toBe(4);
    expect(clock.now()).toBe(simulation.nowMs);
  });

  it('moves a manual clock in slices and all the way', async () => {
    const time = wall();
    const simulation = slowSimulation(3, time);
    const clock = new VirtualClock('manual', 0, 1, time.now);
    const driver = new ClockDriver(simulation as unknown as Simulation, clock, time.now);
    await driver.moveTo(5_050);
    expect([simulation.nowMs, clock.now()]).toEqual([5_050, 5_050]);
  });
});

const post = (url: string, body: unknown) => fetch(`${url}/_mock/clock`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('the control of the clock', () => {
  const manual = () => startServer({ model: recordedCluster('2.3.0'), port: 0, clock: { mode: 'manual' } });

  it('moves a manual clock by and to, and only then', async () => {
    await using server = await manual();
    const { startMs } = server.simulation.state.model;
    expect(await (await post(server.url, { advanceMs: 1_500 })).json()).toMatchObject({ mode: 'manual', nowMs: startMs + 1_500, paused: true });
    expect(await (await post(server.url, { to: new Date(startMs + 60_000).toISOString() })).json()).toMatchObject({ nowMs: startMs + 60_000 });
    expect(server.simulation.nowMs).toBe(startMs + 60_000);
    await fetch(`${server.url}/overview`);
    expect(server.simulation.nowMs).toBe(startMs + 60_000);
  });

  it('adds up what is asked at once', async () => {
    await using server = await manual();
    await Promise.all([post(server.url, { advanceMs: 1_000 }), post(server.url, { advanceMs: 2_000 }), post(server.url, { advanceMs: 3_000 })]);
    expect(server.simulation.nowMs - server.simulation.state.model.startMs).toBe(6_000);
  });

  it('changes speed and pauses a running clock', async () => {
    await using server = await startServer({ model: recordedCluster('2.3.0'), port: 0 });
    expect(await (await post(server.url, { speed: 50 })).json()).toMatchObject({ speed: 50, paused: false });
    expect(await (await post(server.url, { paused: true })).json()).toMatchObject({ paused: true });
    const { nowMs } = (await (await fetch(`${server.url}/_mock/clock`)).json()) as { nowMs: number };
    expect(await (await fetch(`${server.url}/_mock/clock`)).json()).toMatchObject({ nowMs });
  });

  it.each([
    [{ to: 0 }, 409, /time does not go back/],
    [{ paused: false }, 409, /manual clock/],
    [{ advanceMs: -1 }, 400, /advanceMs|Invalid/],
    [{ advanceMs: 1, speed: 2 }, 400, /one of \{advanceMs\}/],
    [{ to: 8.64e15 }, 400, /year/],
    [{ speed: -1 }, 400, /speed: found -1; allowed: at least 0/],
    ['{', 400, /JSON/],
    ['{"__proto__":{"a":1}}', 400, /JSON/],
  ])('answers %j with a problem', async (body, status, detail) => {
    await using server = await manual();
    const response = await post(server.url, body);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    const problem = (await response.json()) as { status: number; detail: string };
    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(detail);
  });

  it('has no access-control header and its own 404', async () => {
    await using server = await manual();
    const health = await fetch(`${server.url}/_mock/health`);
    expect(health.headers.get('access-control-allow-origin')).toBeNull();
    expect(await health.json()).toMatchObject({ status: 'ok', flinkVersion: '2.3.0' });
    expect(await (await fetch(`${server.url}/_mock/nope`)).json()).toMatchObject({ status: 404, detail: 'there is no GET /_mock/nope' });
  });

  it('serves the documents of both APIs and a page to read them', async () => {
    await using server = await manual();
    const flink = (await (await fetch(`${server.url}/_mock/flink-openapi.json`)).json()) as { info: { version: string }; paths: object };
    expect(flink.info.version).toBe('v1/2.3');
    expect(Object.keys(flink.paths)).toContain('/jobs/{jobid}/rescales/history');
    const control = (await (await fetch(`${server.url}/_mock/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(control.paths)).toEqual(expect.arrayContaining(['/_mock/health', '/_mock/clock', '/_mock/events', '/_mock/jobs/{job}']));
    expect((await fetch(`${server.url}/_mock/docs`)).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});
