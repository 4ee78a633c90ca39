import { describe, expect, it } from 'vitest';
import { cancelJob, submitJob } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, attemptsOf, jobNamed, logged, statesEntered, statusesOf } from '../observe.js';

function running(version: string, job = bpJob()): Simulation {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([job], 100), seed: 3 }));
  simulation.advanceBy(8000);
  return simulation;
}

describe('the end of a job', () => {
  it('by cancellation goes through CANCELLING, its tasks through CANCELING', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    expect(cancelJob(simulation.state, job.id)).toBe('accepted');
    expect(attemptsOf(job).every((attempt) => attempt.state === 'CANCELING')).toBe(true);
    expect(statusesOf(simulation, job, 2000)).toEqual(['CANCELLING', 'CANCELED']);
    for (const attempt of attemptsOf(job)) expect(statesEntered(attempt)).toEqual(['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING', 'CANCELING', 'CANCELED']);
    expect(cancelJob(simulation.state, job.id)).toBe('already-terminal');
    expect(cancelJob(simulation.state, '0'.repeat(32))).toBe('not-found');
  });

  it('keeps what the tasks had counted', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    const written = job.vertices[0].columns.numRecordsOut[0];
    cancelJob(simulation.state, job.id);
    simulation.advanceBy(2000);
    expect(written).toBeGreaterThan(0);
    expect(attemptsOf(job)[0].finalMetrics).toMatchObject({ writeRecords: written, accumulatedBusyMs: NaN });
  });

  it('of a bounded job is FINISHED, sources first', () => {
    const simulation = running('1.20.5', bpJob({ rate: 1000, us: 0, p: 1, iv: 0, recordLimit: 2000 }));
    const job = jobNamed(simulation);
    expect(advanceUntil(simulation, () => job.status === 'FINISHED', 20_000)).toBe(true);
    const ends = job.vertices.map((vertex) => vertex.subtasks[0].current.timestamps[5]);
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(job.vertices[3].subtasks[0].current.finalMetrics!.readRecords).toBeCloseTo(2000, 0);
    expect(job.endMs).toBe(ends[3]);
  });

  it('is forgotten when the job store expires it', () => {
    const simulation = running('1.20.5');
    const { id } = jobNamed(simulation);
    cancelJob(simulation.state, id);
    simulation.advanceBy(1000);
    const { endMs } = jobNamed(simulation);
    simulation.advanceTo(endMs + 3_599_999);
    expect(simulation.state.jobs.has(id)).toBe(true);
    simulation.advanceBy(1);
    expect(simulation.state.jobs.has(id)).toBe(false);
  });
});

describe('a job whose savepoint is missing', () => {
  it('leaves nothing but the log in 1.9', () => {
    const { state } = running('1.9.3');
    const before = state.jobs.size;
    submitJob(state, bpJob({ name: 'bad' }), { savepointPath: '/nope/sp' });
    expect(state.jobs.size).toBe(before);
  });

  it('is a FAILED job without vertices later', () => {
    const simulation = running('1.20.5');
    const id = submitJob(simulation.state, bpJob({ name: 'bad' }), { savepointPath: '/nope/sp' });
    const job = simulation.state.jobs.get(id)!;
    expect(statusesOf(simulation, job, 1000)).toEqual(['INITIALIZING', 'FAILED']);
    expect(job.vertices).toEqual([]);
    expect(job.failureCause).toContain("Caused by: java.io.FileNotFoundException: Cannot find checkpoint or savepoint file/directory '/nope/sp' on file system 'file'.");
    expect(logged(simulation, new RegExp(`Starting job ${id} from savepoint /nope/sp \\(\\)`))).toHaveLength(1);
  });
});
