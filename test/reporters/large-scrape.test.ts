import { describe, expect, it } from 'vitest';
import { metricFilter } from '../../src/reporters/metric-filter.js';
import { exposition } from '../../src/reporters/prometheus/exposition.js';
import { Simulation } from '../../src/simulation/simulation.js';
import { bpJob, taskManager, twoTaskManagers } from '../simulation/fixture.js';

describe('a scrape of a hundred thousand metrics', () => {
  it('comes in pieces, and lets other work run between them', async () => {
    const base = twoTaskManagers('1.20.5');
    const parallelism = 330;
    const cluster = { ...base.cluster, taskManagers: [taskManager(0, { slots: parallelism })] };
    const simulation = new Simulation({ ...base, tickMs: 1000, cluster, jobs: [{ atMs: 0, job: bpJob({ p: parallelism, rate: 10 }) }] });
    simulation.advanceBy(10_000);
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    let samples = 0;
    let pieces = 0;
    let longest = 0;
    for await (const piece of exposition(simulation.state, null, { filter: metricFilter('*:*:*', ''), excludedVariables: new Set(), additionalVariables: {}, filterLabelValueCharacters: true })) {
      pieces++;
      longest = Math.max(longest, piece.length);
      for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) if (piece[at + 1] !== '#') samples++;
    }
    running = false;
    expect(samples).toBeGreaterThan(100_000);
    expect(pieces).toBeGreaterThan(500);
    expect(longest).toBeLessThan(100_000);
    expect(turns).toBeGreaterThan(20);
  });
});
