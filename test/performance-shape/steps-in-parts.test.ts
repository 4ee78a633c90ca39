import type { ServerResponse } from 'node:http';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { largeScenario } from '../../bench/large-scenario.js';
import { loadScenario, parseScenario } from '../../src/scenario/load-scenario.js';
import { VirtualClock } from '../../src/server/clock.js';
import { ClockDriver } from '../../src/server/clock-driver.js';
import { Simulation } from '../../src/simulation/simulation.js';

const large = parseScenario(largeScenario(4, 300), 'large.yaml').model;

describe('a passage of time in parts', () => {
  it.each(['incident-2020-04-09', 'crash-loop'])('comes to the same as one in one go, wherever it is put down: %s', (name) => {
    const { model, openAtMs } = loadScenario(name);
    const [whole, inParts] = [new Simulation({ model, openAtMs }), new Simulation({ model, openAtMs })];
    whole.advanceBy(60_000);
    const endMs = inParts.nowMs + 60_000;
    for (let asked = 0; !inParts.advanceInParts(endMs, () => ++asked % 3 !== 0); );
    expect(inParts.state).toStrictEqual(whole.state);
  });

  it('has many parts where there are many subtasks, in deployment and in flow', () => {
    const simulation = new Simulation(large);
    const parts = (ms: number): number => {
      let count = 1;
      const endMs = simulation.nowMs + ms;
      while (!simulation.advanceInParts(endMs, () => false)) count++;
      return count;
    };
    expect(parts(5_000)).toBeGreaterThan(100);
    simulation.advanceBy(60_000);
    // Of 1,200 subtasks: three passes over them.
    expect(parts(500)).toBeGreaterThanOrEqual(9);
  });

  it('is completed by whatever else is done to the simulation', () => {
    const [whole, inParts] = [new Simulation(large), new Simulation(large)];
    const endMs = whole.nowMs + 5_000;
    whole.advanceTo(endMs);
    expect(inParts.advanceInParts(endMs, () => false)).toBe(false);
    expect(inParts.isUnderway).toBe(true);
    inParts.complete();
    expect(inParts.isUnderway).toBe(false);
    expect(inParts.state).toStrictEqual(whole.state);
    inParts.advanceInParts(endMs + 5_000, () => false);
    for (const simulation of [whole, inParts]) simulation.advanceTo(endMs + 6_000);
    expect(inParts.state).toStrictEqual(whole.state);
  });
});

describe('the driver of a clock that runs', () => {
  /** Wall time passes a millisecond at each look, so that every part is a long one. */
  function driven() {
    let wallMs = 0;
    const simulation = new Simulation(large);
    const clock = new VirtualClock('real', simulation.nowMs, 1, () => wallMs);
    const driver = new ClockDriver(simulation, clock, () => ++wallMs);
    driver.splitsSteps = true;
    const follow = (): void => (driver as unknown as { follow(): void }).follow();
    driver.beforeAnswer();
    wallMs += 20_000;
    return { simulation, driver, follow, pass: (ms: number) => void (wallMs += ms), stop: () => driver.stop() };
  }
  const response = () => new EventEmitter() as unknown as ServerResponse;

  it('puts long steps down, and says that it is between instants', () => {
    const { simulation, driver, follow, pass, stop } = driven();
    const startMs = simulation.nowMs;
    follow();
    expect(simulation.isUnderway).toBe(true);
    // What was known when the last request came, 20 s ago, is old.
    expect(driver.justBefore()).toBeGreaterThan(startMs + 19_000);
    driver.beforeAnswer();
    expect(driver.justBefore()).toBeNull();
    expect(simulation.isUnderway).toBe(false);
    const lookedAtMs = simulation.nowMs;
    pass(150);
    follow();
    expect(driver.justBefore()).toBeLessThan(lookedAtMs);
    stop();
  });

  it('shows nobody a state of no instant: while a request is open it moves by whole steps', () => {
    const { simulation, driver, follow, pass, stop } = driven();
    follow();
    const open = response();
    driver.hold(open);
    expect(simulation.isUnderway).toBe(false);
    follow();
    expect(simulation.isUnderway).toBe(false);
    open.emit('close');
    pass(150);
    follow();
    expect(simulation.isUnderway).toBe(true);
    stop();
  });

  it('answers as of a moment ago while a long step is due, and begins with the step', async () => {
    const { simulation, driver, follow, pass, stop } = driven();
    follow();
    driver.beforeAnswer();
    const beforeMs = simulation.nowMs;
    pass(150);
    expect(driver.justBefore()).toBeLessThan(beforeMs);
    expect(simulation.nowMs).toBe(beforeMs);
    await new Promise(setImmediate);
    expect(simulation.isUnderway).toBe(true);
    stop();
  });

  it('lets requests wait for the end of a long step, beside others', async () => {
    const { simulation, driver, follow, pass, stop } = driven();
    follow();
    driver.beforeAnswer();
    expect(driver.isReady(() => undefined)).toBe(true);
    pass(150);
    const beforeMs = simulation.nowMs;
    let turns = 0;
    let isReady = false;
    const later = (): void => {
      isReady = true;
      expect(simulation.isUnderway).toBe(false);
    };
    expect(driver.isReady(later)).toBe(false);
    for (; !isReady; turns++) await new Promise(setImmediate);
    expect(turns).toBeGreaterThan(2);
    expect(simulation.nowMs).toBeGreaterThan(beforeMs);
    stop();
  });

  it('lets those who waited go a few at a time', async () => {
    const { driver, follow, pass, stop } = driven();
    follow();
    driver.beforeAnswer();
    pass(150);
    let gone = 0;
    for (let i = 0; i < 20; i++) driver.isReady(() => void gone++);
    const perTurn: number[] = [];
    while (gone < 20) {
      const before = gone;
      await new Promise(setImmediate);
      perTurn.push(gone - before);
    }
    expect(Math.max(...perTurn)).toBeLessThan(10);
    stop();
  });

  it('lets nobody wait for ever: who waits for a step may go on when the driver is stopped', () => {
    const { driver, follow, pass, stop } = driven();
    follow();
    driver.beforeAnswer();
    pass(150);
    let gone = 0;
    for (let i = 0; i < 20; i++) expect(driver.isReady(() => void gone++)).toBe(false);
    stop();
    expect(gone).toBe(20);
    expect(driver.isReady(() => undefined)).toBe(true);
  });

  it('puts a step off for somebody who looks at the state, and answers others from the state as it is', () => {
    const { simulation, driver, follow, pass, stop } = driven();
    follow();
    driver.beforeAnswer();
    const open = response();
    driver.hold(open);
    const beforeMs = simulation.nowMs;
    pass(150);
    for (let i = 0; i < 5; i++) {
      follow();
      expect(driver.isReady(() => undefined)).toBe(true);
      driver.beforeAnswer();
      expect(simulation.nowMs).toBe(beforeMs);
    }
    open.emit('close');
    follow();
    expect(simulation.isUnderway).toBe(true);
    stop();
  });

  it('puts a step off for a while only: then others wait for whoever still looks, and at last the step is done anyway', () => {
    const { simulation, driver, follow, pass, stop } = driven();
    follow();
    driver.beforeAnswer();
    driver.hold(response());
    const beforeMs = simulation.nowMs;
    pass(150);
    follow();
    pass(200);
    expect(driver.isReady(() => undefined)).toBe(false);
    follow();
    expect(simulation.nowMs).toBe(beforeMs);
    pass(100);
    follow();
    expect(simulation.nowMs).toBeGreaterThan(beforeMs);
    expect(simulation.isUnderway).toBe(false);
    stop();
  });

  it('counts what others do to the cluster, not what time does', () => {
    const { simulation, driver, follow, pass, stop } = driven();
    const atFirst = driver.changes();
    const { revision } = simulation.state;
    for (let i = 0; i < 200; i++) {
      pass(50);
      follow();
    }
    expect(simulation.state.revision).toBeGreaterThan(revision);
    expect(driver.changes()).toBe(atFirst);
    simulation.apply({ kind: 'kill-task-manager', taskManager: [...simulation.state.taskManagers.keys()][0]! });
    pass(150);
    follow();
    expect(driver.changes()).toBe(atFirst + 1);
    stop();
  });

  it('does not wait longer for somebody whose answer has begun', () => {
    const { simulation, driver, follow, pass, stop } = driven();
    driver.beforeAnswer();
    driver.hold(Object.assign(response(), { headersSent: true }));
    pass(150);
    follow();
    expect(simulation.isUnderway).toBe(true);
    stop();
  });
});
