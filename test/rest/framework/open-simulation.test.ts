import { serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { openSimulation } from '../../../src/server/open-simulation.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../../simulation/fixture.js';

const model = twoTaskManagers('1.20.5', { jobs: submissions([bpJob()], 1000) });

it('a history opened in slices is the one simulated at once', async () => {
  const [sliced, atOnce] = [new Simulation(model), new Simulation(model)];
  await openSimulation(sliced, model.startMs + 90_000);
  atOnce.advanceTo(model.startMs + 90_000);
  expect(serialize(sliced.state).equals(serialize(atOnce.state))).toBe(true);
});

it('a history that takes long can be given up', async () => {
  const simulation = new Simulation(model);
  const stopping = new AbortController();
  const opened = openSimulation(simulation, model.startMs + 365 * 86_400_000, stopping.signal);
  setImmediate(() => stopping.abort(new Error('told to stop')));
  await expect(opened).rejects.toThrow('told to stop');
  expect(simulation.nowMs).toBeLessThan(model.startMs + 365 * 86_400_000);
});
