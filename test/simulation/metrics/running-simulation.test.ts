import { describe, expect, it } from 'vitest';
import { subtaskValue, vertexView, enumerateMetrics, Histogram } from '../../../src/simulation/metrics/index.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';

const [SOURCE, PARSE, ENRICH] = [0, 1, 2];

function simulate(version: string, job = bpJob()): { simulation: Simulation; value: (vertex: number, name: string, subtask?: number) => number } {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([job], 1000) }));
  const value = (vertex: number, name: string, subtask = 0): number => {
    const [running] = simulation.state.jobs.values();
    return Number(subtaskValue({ vertex: vertexView(simulation.state, running!, vertex), subtask }, name));
  };
  return { simulation, value };
}

describe('metrics of a job that runs', () => {
  it('show the slow operator busy and what is above it back-pressured', () => {
    const { simulation, value } = simulate('1.20.5');
    simulation.advanceBy(100_000);
    expect(value(ENRICH, 'busyTimeMsPerSecond')).toBeGreaterThan(950);
    expect(value(PARSE, 'backPressuredTimeMsPerSecond')).toBeGreaterThan(900);
    expect(value(SOURCE, 'backPressuredTimeMsPerSecond')).toBeGreaterThan(900);
    expect(value(SOURCE, 'busyTimeMsPerSecond')).toBeNaN();
    expect(value(ENRICH, 'numRecordsInPerSecond')).toBeGreaterThan(400);
    expect(value(ENRICH, 'numRecordsInPerSecond')).toBeLessThan(510);
    expect(value(ENRICH, 'Enrich.numRecordsIn')).toBe(value(ENRICH, 'numRecordsIn'));
  });

  it('count the buffers that went out, and those that barriers closed early', () => {
    const noCheckpoints = simulate('1.20.5', bpJob({ rate: 500, us: 100, p: 1, iv: 0 }));
    noCheckpoints.simulation.advanceBy(60_000);
    const buffers = noCheckpoints.value(PARSE, 'numBuffersOut');
    expect(buffers).toBeGreaterThan(100);
    expect(noCheckpoints.value(PARSE, 'numBytesOut') / buffers).toBeGreaterThan(31_000);
    expect(noCheckpoints.value(PARSE, 'numBytesOut') / buffers).toBeLessThan(33_500);
    const checkpoints = simulate('1.20.5', bpJob({ rate: 500, us: 100, p: 1, iv: 1000 }));
    checkpoints.simulation.advanceBy(60_000);
    expect(checkpoints.value(PARSE, 'numBuffersOut')).toBeGreaterThan(buffers + 20);
  });

  it('find whole buffers in the pools', () => {
    const { simulation, value } = simulate('1.20.5');
    for (let second = 0; second < 30; second++) {
      simulation.advanceBy(1_111);
      for (const vertex of [SOURCE, PARSE, ENRICH]) {
        // Two subtasks send to two: a pool of 2 × 2 + 8 buffers, and of 1 + 8 where the edge is FORWARD; a gate has one remote channel.
        const out = value(vertex, 'Shuffle.Netty.Output.Buffers.outPoolUsage');
        expect([9, 10, 12].some((size) => Math.abs(out * size - Math.round(out * size)) < 1e-6), String(out)).toBe(true);
        const exclusive = value(vertex, 'Shuffle.Netty.Input.Buffers.inputExclusiveBuffersUsage') * 2;
        if (vertex !== SOURCE) expect(exclusive).toBe(Math.round(exclusive));
      }
    }
  });

  it('have rates that climb for a minute', () => {
    const { simulation, value } = simulate('1.20.5');
    simulation.advanceBy(35_000);
    const early = value(ENRICH, 'numRecordsInPerSecond');
    simulation.advanceBy(60_000);
    expect(early).toBeLessThan(0.7 * value(ENRICH, 'numRecordsInPerSecond'));
  });

  it('begin at 0 with a new attempt, from its deployment on', () => {
    const { simulation, value } = simulate('1.20.5', bpJob({ rate: 500, us: 0, p: 1, fail: 5000 }));
    const attempt = () => [...simulation.state.jobs.values()][0]!.vertices[ENRICH]!.subtasks[0]!.current;
    simulation.advanceBy(8000);
    expect(value(ENRICH, 'numRecordsIn')).toBeGreaterThan(0);
    for (let i = 0; i < 60_000 && !(attempt().attemptNumber === 1 && attempt().state === 'DEPLOYING'); i++) simulation.advanceBy(1);
    expect(attempt().state).toBe('DEPLOYING');
    expect(value(ENRICH, 'numRecordsIn')).toBe(0);
    expect(value(ENRICH, 'accumulateIdleTimeMs')).toBe(0);
  });

  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('%s: have a value of their type each', (version) => {
    const { simulation } = simulate(version);
    simulation.advanceBy(20_000);
    let count = 0;
    for (const { metrics } of enumerateMetrics(simulation.state)) {
      for (const { name, kind, type, value } of metrics) {
        count++;
        const expected = kind === 'histogram' ? value instanceof Histogram : type === 'text' ? typeof value === 'string' : type === 'boolean' ? typeof value === 'boolean' : typeof value === 'number';
        expect(expected, `${name} = ${String(value)}`).toBe(true);
        if (type === 'long') expect(value, name).not.toBeNaN();
      }
    }
    expect(count).toBeGreaterThan(300);
  });
});
