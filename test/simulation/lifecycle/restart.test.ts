import { describe, expect, it } from 'vitest';
import { applyAction } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import type { RestartStrategyModel } from '../../../src/simulation/model/job-model.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, attemptsOf, enteredMs, jobNamed, logged, statusesOf } from '../observe.js';

/** A running job whose tasks fail when told to. */
function running(version: string, restartStrategy?: RestartStrategyModel): Simulation {
  const job = bpJob({ name: 'fails', rate: 100, us: 0, p: 1, iv: 1000, ...(restartStrategy && { restartStrategy }) });
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([job], 100), seed: 3 }));
  advanceUntil(simulation, () => simulation.state.jobs.size > 0 && attemptsOf(jobNamed(simulation)).every((attempt) => attempt.state === 'RUNNING'), 8000);
  return simulation;
}

function fail(simulation: Simulation, message = 'boom'): void {
  applyAction(simulation.state, { kind: 'fail-subtask', target: { job: 'fails', operator: 'Enrich' }, subtask: 0, exceptionClass: 'java.lang.IllegalStateException', message });
}

describe('a failed task', () => {
  it('takes the job through FAILING, RESTARTING and CREATED in 1.9', () => {
    const simulation = running('1.9.3');
    const job = jobNamed(simulation);
    fail(simulation);
    expect(job.status).toBe('FAILING');
    expect(statusesOf(simulation, job, 3500)).toEqual(['FAILING', 'RESTARTING', 'RUNNING']);
    expect(enteredMs(job, 'FAILING')).toBe(0);
    expect(job.startMs).toBe(enteredMs(job, 'CREATED'));
    expect(enteredMs(job, 'RESTARTING')).toBe(job.startMs - 2000);
  });

  it.each(['1.10.3', '1.13.6', '2.3.0'])('takes the job straight to RESTARTING in %s', (version) => {
    const simulation = running(version);
    const job = jobNamed(simulation);
    const startMs = job.startMs;
    fail(simulation);
    expect(statusesOf(simulation, job, 2500)).toEqual(['RESTARTING', 'RUNNING']);
    expect(job.startMs).toBe(startMs);
    expect(enteredMs(job, 'RUNNING') - enteredMs(job, 'RESTARTING')).toBe(2000);
  });

  it('is FAILED while its neighbours are CANCELED, and all of them get a new attempt', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    fail(simulation);
    simulation.advanceBy(900);
    expect(job.vertices.map((vertex) => vertex.subtasks[0].current.state)).toEqual(['CANCELED', 'CANCELED', 'FAILED', 'CANCELED']);
    simulation.advanceBy(3000);
    expect(attemptsOf(job).map((attempt) => [attempt.attemptNumber, attempt.state])).toEqual(Array(4).fill([1, 'RUNNING']));
    expect(job.vertices[2].subtasks[0].priorAttempts[0]).toMatchObject({ attemptNumber: 0, state: 'FAILED' });
    expect(job.numRestarts).toBe(1);
  });

  it('keeps its slots', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    const slots = structuredClone(job.slots);
    fail(simulation);
    simulation.advanceBy(4000);
    expect(job.slots).toEqual(slots);
  });

  it('fails the job when the attempts are used up, with the strategy as the reason', () => {
    const simulation = running('1.20.5');
    const job = jobNamed(simulation);
    for (let i = 0; i < 4; i++) {
      fail(simulation);
      advanceUntil(simulation, () => job.status === 'FAILED' || (job.status === 'RUNNING' && attemptsOf(job).every((attempt) => attempt.state === 'RUNNING')), 8000);
    }
    expect(job.status).toBe('FAILED');
    expect(job.numRestarts).toBe(3);
    expect(job.failureCause).toMatch(/^org\.apache\.flink\.runtime\.JobException: Recovery is suppressed by FixedDelayRestartBackoffTimeStrategy\(maxNumberRestartAttempts=3, backoffTimeMS=2000\)\n/);
    expect(job.failureCause).toContain('\nCaused by: java.lang.IllegalStateException: boom\n');
    const { history, executions } = job.exceptions;
    expect(history.map((entry) => [entry.exceptionName, entry.taskName, entry.attemptNumber, entry.concurrent.length])).toEqual([
      ['java.lang.IllegalStateException', 'Enrich (1/1)', 0, 0],
      ['java.lang.IllegalStateException', 'Enrich (1/1)', 1, 0],
      ['java.lang.IllegalStateException', 'Enrich (1/1)', 2, 0],
      ['org.apache.flink.runtime.JobException', null, -1, 1],
    ]);
    expect(history[3].concurrent[0].attemptNumber).toBe(3);
    expect(history[3].timestampMs).toBe(job.endMs);
    expect(executions).toHaveLength(1);
    expect(simulation.state.taskManagers.values().next().value!.slots.every((slot) => slot.jobId === null)).toBe(true);
  });

  it('fails a job of 1.9 with the failure itself as root cause', () => {
    const simulation = running('1.9.3', { kind: 'none' });
    const job = jobNamed(simulation);
    fail(simulation);
    simulation.advanceBy(2000);
    expect(job.status).toBe('FAILED');
    expect(job.failureCause).toMatch(/^java\.lang\.IllegalStateException: boom\n\tat /);
    expect(logged(simulation, /Could not restart the job fails/)).toHaveLength(1);
  });

  it('restarts as often as the failure rate allows', () => {
    const simulation = running('1.20.5', { kind: 'failure-rate', maxFailuresPerInterval: 2, intervalMs: 60_000, delayMs: 500 });
    const job = jobNamed(simulation);
    const failAndWait = (): void => {
      fail(simulation);
      advanceUntil(simulation, () => job.status === 'FAILED' || (job.status === 'RUNNING' && attemptsOf(job).every((attempt) => attempt.state === 'RUNNING')), 8000);
    };
    failAndWait();
    failAndWait();
    simulation.advanceBy(60_000);
    failAndWait();
    failAndWait();
    expect(job.status).toBe('RUNNING');
    failAndWait();
    expect(job.status).toBe('FAILED');
  });

  it('waits longer and longer with exponential delay', () => {
    const simulation = running('1.20.5', { kind: 'exponential-delay', initialBackoffMs: 1000, maxBackoffMs: 4000, backoffMultiplier: 2, resetThresholdMs: 3_600_000, jitterFactor: 0 });
    const job = jobNamed(simulation);
    const delays: number[] = [];
    for (let i = 0; i < 4; i++) {
      fail(simulation);
      const failedMs = simulation.nowMs;
      advanceUntil(simulation, () => job.status === 'RUNNING', 20_000, 1);
      delays.push(simulation.nowMs - failedMs);
      advanceUntil(simulation, () => attemptsOf(job).every((attempt) => attempt.state === 'RUNNING'), 8000);
    }
    expect(delays).toEqual([1000, 2000, 4000, 4000]);
  });

  it('restarts only its own region where nothing is exchanged with others', () => {
    const base = bpJob({ name: 'fails', rate: 100, us: 0, p: 2, iv: 0, restartStrategy: { kind: 'fixed-delay', attempts: 3, delayMs: 100 } });
    const job = { ...base, edges: base.edges.map((edge) => ({ ...edge, shipStrategy: 'FORWARD' as const })) };
    const simulation = new Simulation(twoTaskManagers('1.20.5', { jobs: submissions([job], 100), seed: 3 }));
    simulation.advanceBy(8000);
    fail(simulation);
    simulation.advanceBy(3000);
    expect(jobNamed(simulation).vertices.map((vertex) => vertex.subtasks.map((execution) => execution.current.attemptNumber))).toEqual([[1, 0], [1, 0], [1, 0], [1, 0]]);
    expect(logged(simulation, /4 tasks will be restarted to recover the failed task/)).toHaveLength(1);
  });
});
