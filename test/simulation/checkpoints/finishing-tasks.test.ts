import { describe, expect, it } from 'vitest';
import { applyAction, stopWithSavepoint } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, jobNamed, logged } from '../observe.js';

function running(version: string, job = bpJob()): Simulation {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([job], 500), seed: 7 }));
  simulation.advanceBy(10_000);
  return simulation;
}

describe('checkpoints of a bounded job', () => {
  it('go on without the tasks that have finished from 1.15 on', () => {
    // The sources are done at once, Enrich works off what they left for half a minute.
    const simulation = running('1.20.5', bpJob({ rate: 100_000, us: 20_000, p: 2, iv: 1000, recordLimit: 3000 }));
    const job = jobNamed(simulation);
    const finishedAt = (): boolean => job.vertices[0].subtasks.every((execution) => execution.current.state === 'FINISHED');
    expect(advanceUntil(simulation, finishedAt, 60_000, 100)).toBe(true);
    const before = job.checkpoints!.counts.completed;
    expect(job.status).toBe('RUNNING');
    advanceUntil(simulation, () => job.checkpoints!.counts.completed > before + 1 || job.status !== 'RUNNING', 60_000, 100);
    expect(job.checkpoints!.counts.completed).toBeGreaterThan(before);
    expect(advanceUntil(simulation, () => job.status === 'FINISHED', 120_000, 100)).toBe(true);
  });

  it('are not taken any more before', () => {
    const simulation = running('1.13.6', bpJob({ rate: 100_000, us: 20_000, p: 2, iv: 1000, recordLimit: 3000 }));
    const job = jobNamed(simulation);
    advanceUntil(simulation, () => job.vertices[0].subtasks.every((execution) => execution.current.state === 'FINISHED'), 60_000, 100);
    const { nextCheckpointId } = job.checkpoints!;
    simulation.advanceBy(15_000);
    expect(job.status).toBe('RUNNING');
    expect(job.checkpoints!.nextCheckpointId).toBe(nextCheckpointId);
    expect(logged(simulation, /Checkpoint triggering task Source: Source: Kafka nlp .* is not being executed at the moment/).length).toBeGreaterThan(0);
  });
});

describe('a stop whose savepoint fails', () => {
  it('leaves the job RUNNING, with its checkpoints', () => {
    const simulation = running('1.20.5', { ...bpJob({ rate: 200, us: 0, p: 1, iv: 2000 }), checkpointing: { ...bpJob().checkpointing!, intervalMs: 2000, tolerableFailures: 10 } });
    const job = jobNamed(simulation);
    applyAction(simulation.state, { kind: 'set-checkpoint-storage', bytesPerSecond: null, latencyMs: 0, failing: true });
    const triggerId = stopWithSavepoint(simulation.state, { jobId: job.id, triggerId: null, targetDirectory: null, drain: true, format: 'CANONICAL' });
    const operation = [...simulation.state.operations.values()].find((known) => known.triggerId === triggerId)!;
    expect(advanceUntil(simulation, () => operation.status === 'COMPLETED', 5000)).toBe(true);
    expect(operation.result).toMatchObject({ kind: 'failure', exceptionClass: 'org.apache.flink.runtime.checkpoint.CheckpointException' });
    applyAction(simulation.state, { kind: 'set-checkpoint-storage', bytesPerSecond: null, latencyMs: 0, failing: false });
    const { completed } = job.checkpoints!.counts;
    simulation.advanceBy(8000);
    expect(job.status).toBe('RUNNING');
    expect(job.checkpoints!.counts.completed).toBeGreaterThan(completed + 1);
  });
});
