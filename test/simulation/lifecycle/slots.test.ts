import { describe, expect, it } from 'vitest';
import { applyAction, cancelJob, submitJob } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, attemptsOf, jobNamed, statusesOf } from '../observe.js';

/** Eight slots, of which `taken` are in use by a job of that parallelism. */
function withTaken(version: string, taken: number, options: Record<string, string> = {}): Simulation {
  const model = twoTaskManagers(version, { jobs: submissions([bpJob({ name: 'first', p: taken, iv: 0 })], 100), seed: 3 });
  const simulation = new Simulation({ ...model, options: { ...model.options, ...options } });
  simulation.advanceBy(8000);
  return simulation;
}

const freeSlots = (simulation: Simulation): number => [...simulation.state.taskManagers.values()].reduce((sum, taskManager) => sum + taskManager.slots.filter((slot) => slot.jobId === null).length, 0);
const allRun = (simulation: Simulation, name: string) => (): boolean => attemptsOf(jobNamed(simulation, name)).every((attempt) => attempt.state === 'RUNNING');

describe('a job without enough slots', () => {
  it('is RUNNING with SCHEDULED tasks, holds the slots that there were, and goes on when others are freed', () => {
    const simulation = withTaken('1.20.5', 6);
    submitJob(simulation.state, bpJob({ name: 'second', p: 4, iv: 0 }));
    simulation.advanceBy(20_000);
    const second = jobNamed(simulation, 'second');
    expect(second.status).toBe('RUNNING');
    expect(attemptsOf(second).every((attempt) => attempt.state === 'SCHEDULED')).toBe(true);
    expect(freeSlots(simulation)).toBe(0);
    cancelJob(simulation.state, jobNamed(simulation, 'first').id);
    expect(advanceUntil(simulation, allRun(simulation, 'second'), 6000)).toBe(true);
    expect(freeSlots(simulation)).toBe(4);
  });

  it('gets those of a new task manager', () => {
    const simulation = withTaken('1.20.5', 8);
    submitJob(simulation.state, bpJob({ name: 'second', p: 2, iv: 0 }));
    simulation.advanceBy(5000);
    applyAction(simulation.state, { kind: 'add-task-managers', count: 1 });
    expect([...simulation.state.taskManagers.values()].map((taskManager) => taskManager.status)).toEqual(['REGISTERED', 'REGISTERED', 'STARTING']);
    expect(advanceUntil(simulation, allRun(simulation, 'second'), 20_000)).toBe(true);
    const third = [...simulation.state.taskManagers.values()][2];
    expect(attemptsOf(jobNamed(simulation, 'second')).every((attempt) => attempt.taskManagerId === third.id)).toBe(true);
    expect(new Set([...simulation.state.taskManagers.values()].map((taskManager) => taskManager.dataPort)).size).toBe(3);
  });

  it('fails when its requests time out in 1.9', () => {
    const simulation = withTaken('1.9.3', 6, { 'slot.request.timeout': '30000', 'restart-strategy': 'none' });
    submitJob(simulation.state, bpJob({ name: 'second', p: 4, iv: 0 }));
    const second = jobNamed(simulation, 'second');
    expect(statusesOf(simulation, second, 32_000, 10)).toEqual(['CREATED', 'RUNNING', 'FAILED']);
    expect(second.endMs - second.startMs).toBeGreaterThanOrEqual(30_000);
    expect(second.failureCause).toMatch(/^org\.apache\.flink\.runtime\.jobmanager\.scheduler\.NoResourceAvailableException: Could not allocate all requires slots within timeout of 30000 ms\. Slots required: 4, slots allocated: 2\n/);
    expect(freeSlots(simulation)).toBe(2);
  });

  it('fails at once from 1.13 on when the start-up period of the cluster is over', () => {
    const simulation = withTaken('1.20.5', 6, { 'slot.request.timeout': '30000' });
    simulation.advanceBy(60_000);
    submitJob(simulation.state, bpJob({ name: 'second', p: 4, iv: 0 }));
    const second = jobNamed(simulation, 'second');
    // Recorded on 1.20.5: three restarts within seconds, then FAILED (no task has to be waited for, so FAILING takes no time).
    expect(statusesOf(simulation, second, 12_000, 5)).toEqual(['INITIALIZING', 'CREATED', 'RUNNING', 'RESTARTING', 'RUNNING', 'RESTARTING', 'RUNNING', 'RESTARTING', 'RUNNING', 'FAILED']);
    expect(second.exceptions.history[0]).toMatchObject({ exceptionName: 'org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException', taskName: 'Source: Source: Kafka nlp (1/4)', location: null, taskManagerId: null });
  });
});
