import { describe, expect, it } from 'vitest';
import { cancelJob, disposeSavepoint, stopWithSavepoint, submitJob, triggerCheckpoint, triggerSavepoint } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { startOperation } from '../../../src/simulation/lifecycle/operations.js';
import type { AsyncOperationState } from '../../../src/simulation/state/operation-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, attemptsOf, jobNamed, statusesOf } from '../observe.js';

function running(version: string, job = bpJob()): Simulation {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([job], 500), seed: 7 }));
  simulation.advanceBy(14_000);
  return simulation;
}

function savepoint(simulation: Simulation, request: Partial<Parameters<typeof triggerSavepoint>[1]> = {}): AsyncOperationState {
  const triggerId = triggerSavepoint(simulation.state, { jobId: jobNamed(simulation).id, triggerId: null, targetDirectory: null, cancelJob: false, format: 'CANONICAL', ...request });
  return [...simulation.state.operations.values()].find((known) => known.triggerId === triggerId)!;
}

const completed = (simulation: Simulation, operation: AsyncOperationState): boolean => advanceUntil(simulation, () => operation.status === 'COMPLETED', 20_000);

describe('a savepoint', () => {
  it.each(['1.9.3', '2.3.0'])('is taken beside a checkpoint that is under way and lies below the configured directory (%s)', (version) => {
    const simulation = running(version);
    const job = jobNamed(simulation);
    advanceUntil(simulation, () => job.checkpoints!.pending.length > 0, 5000);
    const operation = savepoint(simulation);
    expect(operation).toMatchObject({ kind: 'savepoint', status: 'IN_PROGRESS', jobId: job.id, result: null });
    expect(operation.triggerId).toMatch(/^[0-9a-f]{32}$/);
    expect(job.checkpoints!.pending).toHaveLength(2);
    expect(completed(simulation, operation)).toBe(true);
    const taken = job.checkpoints!.latestSavepoint!;
    expect(taken).toMatchObject({ isSavepoint: true, checkpointType: 'SAVEPOINT', status: 'COMPLETED', savepointFormat: 'CANONICAL', discarded: false });
    expect(taken.externalPath).toMatch(new RegExp(`^file:/data/flink/savepoints/savepoint-${job.id.slice(0, 6)}-[0-9a-f]{12}$`));
    expect(operation.result).toEqual({ kind: 'location', location: taken.externalPath });
    expect(job.status).toBe('RUNNING');
    simulation.advanceBy(10_000);
    expect(taken.discarded).toBe(false);
  });

  it('cancels the job afterwards when asked to, and goes where it was told', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    const operation = savepoint(simulation, { cancelJob: true, targetDirectory: 'hdfs://nn/sp/' });
    expect(statusesOf(simulation, job, 8000, 10)).toEqual(['RUNNING', 'CANCELLING', 'CANCELED']);
    expect(operation.result).toMatchObject({ kind: 'location', location: expect.stringMatching(/^hdfs:\/\/nn\/sp\/savepoint-/) });
  });

  it('of a job that there is not fails in its operation', () => {
    const simulation = running('1.20.5');
    const operation = savepoint(simulation, { jobId: '0'.repeat(32) });
    expect(operation).toMatchObject({ status: 'COMPLETED', result: { kind: 'failure', exceptionClass: 'java.util.concurrent.CompletionException', stackTrace: expect.stringContaining('Caused by: org.apache.flink.runtime.messages.FlinkJobNotFoundException') as string } });
  });

  it('under the same trigger id is taken once', () => {
    const simulation = running('1.20.5');
    const triggerId = 'ab'.repeat(16);
    savepoint(simulation, { triggerId });
    savepoint(simulation, { triggerId });
    expect(jobNamed(simulation).checkpoints!.pending.filter(({ isSavepoint }) => isSavepoint)).toHaveLength(1);
  });

  it('is known as an operation for five minutes after its end', () => {
    const simulation = running('1.20.5');
    const operation = savepoint(simulation);
    completed(simulation, operation);
    simulation.advanceTo(operation.completedMs + 299_999);
    expect([...simulation.state.operations.values()].some((known) => known.triggerId === operation.triggerId)).toBe(true);
    simulation.advanceBy(1);
    expect([...simulation.state.operations.values()].some((known) => known.triggerId === operation.triggerId)).toBe(false);
  });
});

describe('stop with savepoint', () => {
  it.each(['1.9.3', '1.20.5', '2.3.0'])('ends the job FINISHED in %s, its operation with it, and the checkpoint under way FAILED', (version) => {
    const simulation = running(version);
    const job = jobNamed(simulation);
    advanceUntil(simulation, () => job.checkpoints!.pending.length > 0, 5000);
    const [pending] = job.checkpoints!.pending;
    const triggerId = stopWithSavepoint(simulation.state, { jobId: job.id, triggerId: null, targetDirectory: null, drain: false, format: 'CANONICAL' });
    const operation = [...simulation.state.operations.values()].find((known) => known.triggerId === triggerId)!;
    expect(pending.failureMessage).toBe('Checkpoint Coordinator is suspending.');
    expect(completed(simulation, operation)).toBe(true);
    expect(job.status).toBe('FINISHED');
    expect(attemptsOf(job).every((attempt) => attempt.state === 'FINISHED')).toBe(true);
    const taken = job.checkpoints!.latestSavepoint!;
    expect(taken.checkpointType).toBe('SYNC_SAVEPOINT');
    expect(operation.result).toEqual({ kind: 'location', location: taken.externalPath });
    expect(operation.completedMs).toBe(job.endMs);
  });
});

describe('a checkpoint by hand', () => {
  it('waits for the one under way and gives its id', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    advanceUntil(simulation, () => job.checkpoints!.pending.length > 0, 5000);
    const under = job.checkpoints!.pending[0].id;
    const triggerId = triggerCheckpoint(simulation.state, { jobId: job.id, triggerId: null, type: 'FULL' });
    const operation = [...simulation.state.operations.values()].find((known) => known.triggerId === triggerId)!;
    expect(job.checkpoints!.pending).toHaveLength(1);
    expect(completed(simulation, operation)).toBe(true);
    expect(operation.result).toEqual({ kind: 'checkpoint-id', checkpointId: under + 1 });
    expect(job.checkpoints!.history.find(({ id }) => id === under + 1)!.checkpointType).toBe('FULL_CHECKPOINT');
  });
});

describe('disposal', () => {
  it('removes a savepoint', () => {
    const simulation = running('1.20.5');
    const operation = savepoint(simulation);
    completed(simulation, operation);
    const { location } = operation.result as { location: string };
    expect(simulation.state.checkpointStorage.existingPaths).toContain(location);
    const triggerId = disposeSavepoint(simulation.state, { path: location, triggerId: null });
    const disposal = [...simulation.state.operations.values()].find((known) => known.triggerId === triggerId)!;
    expect(completed(simulation, disposal)).toBe(true);
    expect(disposal.result).toEqual({ kind: 'done' });
    expect(simulation.state.checkpointStorage.existingPaths).not.toContain(location);
  });

  it.each([
    ['1.9.3', 'java.util.concurrent.CompletionException'],
    ['1.20.5', 'org.apache.flink.util.FlinkException'],
  ])('of a path that there is not fails as in %s', (version, exceptionClass) => {
    const simulation = running(version);
    const triggerId = disposeSavepoint(simulation.state, { path: '/nope/x', triggerId: null });
    const disposal = [...simulation.state.operations.values()].find((known) => known.triggerId === triggerId)!;
    completed(simulation, disposal);
    expect(disposal.result).toMatchObject({ kind: 'failure', exceptionClass, stackTrace: expect.stringContaining("Caused by: java.io.FileNotFoundException: Cannot find checkpoint or savepoint file/directory '/nope/x' on file system 'file'.") });
  });
});

describe('a job that is submitted with a savepoint', () => {
  it('begins with its state and counts its checkpoints on', () => {
    const stateful = bpJob({ rate: 200, us: 0, p: 1, iv: 2000 });
    const withState = { ...stateful, vertices: stateful.vertices.map((vertex) => (vertex.name === 'Enrich' ? { ...vertex, operators: [{ ...vertex.operators[0], state: { bytesPerRecord: 100, maxBytes: 1e9, initialBytes: 0 } }] } : vertex)) };
    const simulation = running('1.20.5', withState);
    const first = jobNamed(simulation);
    const operation = savepoint(simulation, { cancelJob: true });
    advanceUntil(simulation, () => first.status === 'CANCELED', 10_000);
    const taken = first.checkpoints!.latestSavepoint!;
    const held = taken.vertices[2].stateSizeBytes[0];
    expect(held).toBeGreaterThan(100_000);
    const id = submitJob(simulation.state, { ...withState, name: 'second' }, { savepointPath: (operation.result as { location: string }).location });
    const second = simulation.state.jobs.get(id)!;
    expect(second.checkpoints!.latestRestored).toMatchObject({ id: taken.id, isSavepoint: true, externalPath: taken.externalPath });
    advanceUntil(simulation, () => attemptsOf(second).every((attempt) => attempt.state === 'RUNNING'), 8000, 1);
    expect(second.vertices[2].columns.stateBytes[0]).toBeGreaterThanOrEqual(held);
    advanceUntil(simulation, () => second.checkpoints!.counts.completed > 0, 10_000);
    expect(second.checkpoints!.latestCompleted!.id).toBe(taken.id + 1);
    cancelJob(simulation.state, id);
  });
});

describe('an operation', () => {
  it('is known by trigger id and job together: one id serves two jobs', () => {
    const operations = new Map();
    const state = { operations, revision: 0, nowMs: 0, idSequence: 0, model: { seed: 1 } } as unknown as SimulationState;
    const [first, second, again] = ['a', 'b', 'a'].map((job) => startOperation(state, 'savepoint', 'f'.repeat(32), job.repeat(32)));
    expect([first!.isNew, second!.isNew, again!.isNew]).toEqual([true, true, false]);
    expect(again!.operation).toBe(first!.operation);
    expect(operations.size).toBe(2);
  });
});
