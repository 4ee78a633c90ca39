import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../src/scenario/load-scenario.js';
import { ClockDriver } from '../../src/server/clock-driver.js';
import { VirtualClock } from '../../src/server/clock.js';
import { Simulation } from '../../src/simulation/simulation.js';
import { largeScenario } from '../../bench/large-scenario.js';

function channelsOf(vertices: number, parallelism: number): number {
  const simulation = new Simulation(parseScenario(largeScenario(vertices, parallelism), 'large.yaml').model);
  simulation.advanceBy(1_000);
  return [...simulation.state.jobs.values()][0]!.network.channels.count;
}

/** Elements of the job's columns that a second of simulation reads, once it runs. */
function elementsRead(vertices: number, parallelism: number): number {
  const simulation = new Simulation(parseScenario(largeScenario(vertices, parallelism), 'large.yaml').model);
  simulation.advanceBy(60_000);
  let read = 0;
  const counted = (column: object): unknown =>
    new Proxy(column, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        // A method, or going through it, is for all of them.
        if (typeof value === 'function') read += (target as Float64Array).length;
        else if (key !== 'length') read++;
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    });
  const { network, vertices: states } = [...simulation.state.jobs.values()][0]!;
  for (const holder of [network.channels, ...network.edges, ...network.edges.map(({ aggregate }) => aggregate!), ...network.vertices, ...states.map(({ columns }) => columns)] as unknown as Record<string, unknown>[]) {
    for (const [name, value] of Object.entries(holder)) if (ArrayBuffer.isView(value)) holder[name] = counted(value);
  }
  simulation.advanceBy(1_000);
  return read;
}

describe('the work of a tick', () => {
  it('reads for four times as many subtasks four times as much, not sixteen times', { timeout: 120_000 }, () => {
    const few = elementsRead(3, 100);
    expect(few).toBeGreaterThan(3 * 100);
    expect(elementsRead(3, 400) / few).toBeLessThan(5);
  });

  it('grows with the subtasks of all-to-all edges, not with their product', () => {
    expect(channelsOf(4, 400) / channelsOf(4, 100)).toBe(4);
  });
});

describe('the work of an answer', () => {
  function driven(mode: 'real' | 'manual') {
    let wallMs = 0;
    let advances = 0;
    const simulation = { nowMs: 0, state: { model: { tickMs: 100 } }, advanceTo: (epochMs: number) => (advances++, (simulation.nowMs = epochMs)) };
    const clock = new VirtualClock(mode, 0, 1, () => wallMs);
    const driver = new ClockDriver(simulation as unknown as Simulation, clock, () => wallMs);
    return { simulation, clock, driver, pass: (ms: number) => void (wallMs += ms), advances: () => advances };
  }

  it('is shared by requests of the same few milliseconds', () => {
    const { driver, pass, advances, simulation } = driven('real');
    for (let i = 0; i < 100; i++) {
      pass(1);
      driver.beforeAnswer();
    }
    expect(advances()).toBe(20);
    expect(simulation.nowMs).toBe(96);
  });

  it('is of the very instant where the clock is moved by hand', () => {
    const { driver, clock, simulation } = driven('manual');
    for (const atMs of [1, 2, 3]) {
      clock.moveTo(atMs);
      driver.beforeAnswer();
      expect(simulation.nowMs).toBe(atMs);
    }
  });
});
