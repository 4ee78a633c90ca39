import { describe, expect, it } from 'vitest';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, attemptsOf, enteredMs, jobNamed, statesEntered } from '../observe.js';

function submitted(version: string): Simulation {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([bpJob()], 500), seed: 3 }));
  simulation.advanceBy(500);
  return simulation;
}

describe('a submitted job', () => {
  it.each(['1.9.3', '1.11.4'])('is CREATED and then RUNNING in %s', (version) => {
    const simulation = submitted(version);
    const job = jobNamed(simulation);
    expect(job.status).toBe('CREATED');
    expect(advanceUntil(simulation, () => job.status === 'RUNNING', 1000, 1)).toBe(true);
    expect(enteredMs(job, 'INITIALIZING')).toBe(0);
    expect(job.startMs).toBe(enteredMs(job, 'CREATED'));
  });

  it.each(['1.12.5', '1.20.5', '2.3.0'])('is INITIALIZING before that in %s', (version) => {
    const simulation = submitted(version);
    const job = jobNamed(simulation);
    expect(job.status).toBe('INITIALIZING');
    expect(advanceUntil(simulation, () => job.status === 'RUNNING', 1000, 1)).toBe(true);
    const [initializing, created, running] = (['INITIALIZING', 'CREATED', 'RUNNING'] as const).map((status) => enteredMs(job, status));
    expect(job.startMs).toBe(initializing);
    expect(created).toBeGreaterThan(initializing);
    expect(running).toBeGreaterThan(created);
  });

  it.each([
    ['1.9.3', ['CREATED', 'SCHEDULED', 'DEPLOYING', 'RUNNING']],
    ['1.12.5', ['CREATED', 'SCHEDULED', 'DEPLOYING', 'RUNNING']],
    ['1.13.6', ['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING']],
    ['2.3.0', ['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING']],
  ])('starts its tasks through the states of %s within the recorded times', (version, states) => {
    const simulation = submitted(version);
    const job = jobNamed(simulation);
    expect(advanceUntil(simulation, () => attemptsOf(job).every((attempt) => attempt.state === 'RUNNING'), 6000)).toBe(true);
    for (const attempt of attemptsOf(job)) expect(statesEntered(attempt)).toEqual(states);
    // Recorded: 0.9 s (1.9.3), 1.4 s (2.3.0), 2.7 s (1.20.5), 6.9 s (1.13.6).
    const startUpMs = simulation.nowMs - job.startMs;
    expect(startUpMs).toBeGreaterThan(300);
    expect(startUpMs).toBeLessThan(5000);
  });

  it('is RUNNING while its tasks still wait', () => {
    const simulation = submitted('1.20.5');
    const job = jobNamed(simulation);
    advanceUntil(simulation, () => job.status === 'RUNNING', 1000, 1);
    expect(attemptsOf(job).every((attempt) => attempt.state === 'SCHEDULED')).toBe(true);
  });

  it('puts subtasks of one index into one slot and fills a task manager first', () => {
    const simulation = submitted('1.20.5');
    const job = jobNamed(simulation);
    simulation.advanceBy(6000);
    const [first, second] = simulation.state.taskManagers.values();
    expect(first.slots.map((slot) => slot.jobId)).toEqual([job.id, job.id, null, null]);
    expect(second.slots.every((slot) => slot.jobId === null)).toBe(true);
    for (const vertex of job.vertices) expect(vertex.subtasks.map((execution) => [execution.current.taskManagerId, execution.current.slotIndex])).toEqual([[first.id, 0], [first.id, 1]]);
  });

  it('spreads over the task managers where the option says so', () => {
    const model = twoTaskManagers('1.20.5', { jobs: submissions([bpJob()], 500) });
    const simulation = new Simulation({ ...model, options: { ...model.options, 'cluster.evenly-spread-out-slots': 'true' } });
    simulation.advanceBy(6000);
    expect([...simulation.state.taskManagers.values()].map((taskManager) => taskManager.slots.filter((slot) => slot.jobId !== null).length)).toEqual([1, 1]);
  });

  it('gets the attempt ids of its version', () => {
    const old = jobNamed(submitted('1.15.4'));
    expect(attemptsOf(old)[0].attemptId).toMatch(/^[0-9a-f]{32}$/);
    const job = jobNamed(submitted('1.16.3'));
    expect(attemptsOf(job)[1].attemptId).toBe(`${job.executionGraphId}_${job.vertices[0].id}_1_0`);
  });

  it('makes the task managers\' ids as the version does', () => {
    const ids = (version: string): string[] => [...new Simulation(twoTaskManagers(version)).state.taskManagers.keys()];
    for (const id of ids('1.11.4')) expect(id).toMatch(/^[0-9a-f]{32}$/);
    for (const id of ids('1.12.5')) expect(id).toMatch(/^localhost:\d+-[0-9a-f]{6}$/);
    expect(new Set(ids('1.12.5')).size).toBe(2);
  });
});
