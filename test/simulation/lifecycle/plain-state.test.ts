import { describe, expect, it } from 'vitest';
import { applyAction } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { formatLog } from '../../../src/simulation/logs/index.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';

const model = (version: string) =>
  twoTaskManagers(version, { seed: 5, jobs: submissions([bpJob({ iv: 1500 }), bpJob({ name: 'fails', rate: 300, us: 0, p: 1, iv: 1000, fail: 900 })], 300) });

/** Goes on from a copy of a state, as if it had never been copied. */
function continued(state: SimulationState): Simulation {
  const copy = new Simulation(state.model);
  copy.replaceState(structuredClone(state));
  return copy;
}

function disturb(simulation: Simulation): void {
  applyAction(simulation.state, { kind: 'kill-task-manager', taskManager: [...simulation.state.taskManagers.keys()][0] });
  applyAction(simulation.state, { kind: 'add-task-managers', count: 1 });
}

describe('the state', () => {
  it.each(['1.9.3', '2.3.0'])('is plain data: a copy goes on like the original, restarts, losses and all (%s)', (version) => {
    const simulation = new Simulation(model(version));
    simulation.advanceBy(7_340);
    disturb(simulation);
    const copy = continued(simulation.state);
    simulation.advanceBy(70_000);
    copy.advanceBy(70_000);
    expect(copy.state).toEqual(simulation.state);
    expect(formatLog(copy.state, copy.state.jobManager.log)).toBe(formatLog(simulation.state, simulation.state.jobManager.log));
  });

  it('does not depend on how time is let pass', () => {
    const [steps, leap] = [new Simulation(model('1.20.5')), new Simulation(model('1.20.5'))];
    for (let i = 0; i < 2000; i++) steps.advanceBy(10 + (i % 7));
    leap.advanceTo(steps.nowMs);
    expect(leap.state).toEqual(steps.state);
  });

  it('is another with another seed', () => {
    const ids = [1, 2].map((seed) => {
      const simulation = new Simulation({ ...model('1.20.5'), seed });
      simulation.advanceBy(1000);
      return [...simulation.state.jobs.keys(), ...simulation.state.taskManagers.keys()];
    });
    expect(ids[0]).not.toEqual(ids[1]);
  });
});
