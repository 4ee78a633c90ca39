import { describe, expect, it } from 'vitest';
import { applyAction, cancelJob } from '../../../src/simulation/commands.js';
import { Simulation } from '../../../src/simulation/simulation.js';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import type { CheckpointCoordinatorState } from '../../../src/simulation/state/checkpoint-state.js';
import { bpJob, submissions, twoTaskManagers } from '../fixture.js';
import { advanceUntil, jobNamed, logged } from '../observe.js';

function start(version: string, job: JobModel, seed = 7): { simulation: Simulation; checkpoints: CheckpointCoordinatorState } {
  const simulation = new Simulation(twoTaskManagers(version, { jobs: submissions([job], 500), seed }));
  simulation.advanceBy(500);
  return { simulation, checkpoints: jobNamed(simulation).checkpoints! };
}

const light = bpJob({ rate: 200, us: 0, p: 1, iv: 2000 });
const expiring = bpJob({ name: 'E expires', rate: 20_000, us: 20_000, p: 1, iv: 2000, timeoutMs: 2000 });

function with_(job: JobModel, checkpointing: Partial<NonNullable<JobModel['checkpointing']>>): JobModel {
  return { ...job, checkpointing: { ...job.checkpointing!, ...checkpointing } };
}

describe('periodic checkpoints', () => {
  it('come at the interval after a first random delay within it', () => {
    const { simulation, checkpoints } = start('1.20.5', light);
    simulation.advanceBy(20_000);
    const triggers = checkpoints.history.map((checkpoint) => checkpoint.triggerMs).reverse();
    expect(triggers.length).toBeGreaterThan(6);
    for (let i = 1; i < triggers.length; i++) expect(triggers[i] - triggers[i - 1]).toBe(2000);
    expect(triggers[0] - jobNamed(simulation).startMs).toBeLessThan(2000 + 2000);
  });

  it('complete within tens of milliseconds while nothing is in the way', () => {
    const { simulation, checkpoints } = start('1.20.5', light);
    simulation.advanceBy(20_000);
    // Recorded: 16 to 53 ms (1.20.5, job D).
    for (const checkpoint of checkpoints.history.filter(({ status }) => status === 'COMPLETED')) {
      expect(checkpoint.latestAckMs - checkpoint.triggerMs).toBeGreaterThan(3);
      expect(checkpoint.latestAckMs - checkpoint.triggerMs).toBeLessThan(120);
      expect(checkpoint.numAcknowledged).toBe(4);
      for (const vertex of checkpoint.vertices) expect(vertex.ackMs[0]).toBeLessThanOrEqual(checkpoint.latestAckMs);
    }
  });

  it('take seconds behind a slow operator, and the job\'s latest one is kept', () => {
    const { simulation, checkpoints } = start('1.20.5', bpJob());
    simulation.advanceBy(40_000);
    const completed = checkpoints.history.filter(({ status }) => status === 'COMPLETED');
    // Recorded: 3.1 to 3.5 s.
    for (const { latestAckMs, triggerMs } of completed.slice(0, -1)) {
      expect(latestAckMs - triggerMs).toBeGreaterThan(2400);
      expect(latestAckMs - triggerMs).toBeLessThan(4200);
    }
    expect(completed.map(({ discarded }) => discarded)).toEqual([false, ...Array(completed.length - 1).fill(true)]);
    expect(completed[0].externalPath).toBe(`file:/data/flink/checkpoints/${jobNamed(simulation).id}/chk-${completed[0].id}`);
    expect(simulation.state.checkpointStorage.existingPaths).toEqual([completed[0].externalPath]);
  });

  it('keep a history of ten, newest first, and counts that fit', () => {
    const { simulation, checkpoints } = start('1.20.5', light);
    simulation.advanceBy(60_000);
    const { counts, history } = checkpoints;
    expect(history).toHaveLength(10);
    expect(history.map(({ id }) => id)).toEqual([...history.map(({ id }) => id)].sort((a, b) => b - a));
    expect(counts.total).toBe(counts.inProgress + counts.completed + counts.failed);
    expect(checkpoints.summary.count).toBe(counts.completed);
  });

  it('are not taken by a job without an interval, which has counts all the same', () => {
    const { simulation, checkpoints } = start('1.20.5', bpJob({ iv: 0 }));
    simulation.advanceBy(30_000);
    expect(checkpoints.counts.total).toBe(0);
    expect(checkpoints.config.intervalMs).toBe(9223372036854775807);
  });

  it.each([
    ['1.9.3', 0],
    ['1.13.6', 0],
    ['1.15.4', 1],
    ['1.20.5', 1],
  ])('that a starting task prevents count as failed from 1.15 on (%s)', (version, failed) => {
    // The first trigger comes before the tasks run: the interval is shorter than the start.
    const { simulation, checkpoints } = start(version, with_(light, { intervalMs: 200 }));
    advanceUntil(simulation, () => logged(simulation, /Checkpoint triggering task Source: Source: Kafka nlp \(1\/1\)/).length > 0, 3000, 1);
    expect([checkpoints.counts.failed, checkpoints.counts.total]).toEqual([failed, failed]);
    expect(checkpoints.history).toEqual([]);
  });
});

describe('a checkpoint that takes longer than the interval', () => {
  it('is followed at once by the next, and the timer starts over, in 1.9', () => {
    const { simulation, checkpoints } = start('1.9.3', with_(bpJob(), { intervalMs: 1000 }));
    simulation.advanceBy(30_000);
    const [newest, ...older] = checkpoints.history;
    expect(older.length).toBeGreaterThan(4);
    older.reduce((next, checkpoint) => {
      expect(next.triggerMs - checkpoint.latestAckMs).toBeLessThan(120);
      return checkpoint;
    }, newest);
  });

  it('is followed at once by the next one in the queue later', () => {
    const { simulation, checkpoints } = start('1.20.5', with_(bpJob(), { intervalMs: 1000 }));
    simulation.advanceBy(30_000);
    const [newest, previous] = checkpoints.history;
    expect(newest.triggerMs - previous.latestAckMs).toBeLessThan(120);
    expect(checkpoints.queue.length).toBeGreaterThan(5);
    expect(logged(simulation, /^checkpoint request time in queue: \d+$/).length).toBeGreaterThan(3);
  });

  it.each(['1.9.3', '1.20.5'])('is followed after the pause where one is asked for (%s)', (version) => {
    const { simulation, checkpoints } = start(version, with_(bpJob(), { intervalMs: 1000, minPauseMs: 3000 }));
    simulation.advanceBy(40_000);
    const done = checkpoints.history.filter(({ status }) => status === 'COMPLETED').reverse();
    expect(done.length).toBeGreaterThan(3);
    for (let i = 1; i < done.length; i++) expect(done[i].triggerMs - done[i - 1].completedMs).toBeGreaterThanOrEqual(2999);
  });
});

describe('a checkpoint that expires', () => {
  it('is FAILED at its time-out and does the job no harm in 1.9; its acknowledgements are told as late', () => {
    const { simulation, checkpoints } = start('1.9.3', expiring);
    simulation.advanceBy(60_000);
    const job = jobNamed(simulation);
    expect(job.status).toBe('RUNNING');
    expect(job.numRestarts).toBe(0);
    const failed = checkpoints.history.filter(({ status }) => status === 'FAILED');
    expect(failed.length).toBeGreaterThan(8);
    for (const checkpoint of failed) {
      expect(checkpoint.failureMs - checkpoint.triggerMs).toBe(2000);
      expect(checkpoint.failureMessage).toBe('Checkpoint expired before completing.');
      expect(checkpoint.numAcknowledged).toBeLessThan(4);
    }
    const late = simulation.state.jobManager.log.entries.filter(({ message }) => message.startsWith('Received late message'));
    expect(late.length).toBeGreaterThan(10);
    expect(late[0].level).toBe('WARN');
    const attempts = job.vertices.map((vertex) => vertex.subtasks[0].current);
    for (const { message } of late) {
      const [, id, task, host] = /^Received late message for now expired checkpoint attempt (\d+) from task (\S+) of job \S+ at (.*)\.$/.exec(message)!;
      expect(Number(id)).toBeGreaterThan(0);
      const attempt = attempts.find(({ attemptId }) => attemptId === task)!;
      expect(host).toBe(`${attempt.taskManagerId} @ localhost (dataPort=${attempt.dataPort})`);
    }
  });

  it.each([
    // Recorded counts of job E at its end: 4 (1.13.6), 9 (1.20.5), 12 (2.3.0), checkpoints 1 to 4 in each; where the first trigger falls decides one of them.
    ['1.13.6', 4, 4],
    ['1.20.5', 8, 10],
    ['2.3.0', 11, 13],
  ])('restarts the job in %s until its restarts are used up', (version, least, most) => {
    const { simulation, checkpoints } = start(version, expiring);
    const job = jobNamed(simulation);
    expect(advanceUntil(simulation, () => job.status === 'FAILED', 40_000)).toBe(true);
    expect(checkpoints.history.map(({ id, failureMessage }) => [id, failureMessage])).toEqual([4, 3, 2, 1].map((id) => [id, 'Checkpoint expired before completing.']));
    expect(checkpoints.counts.failed).toBeGreaterThanOrEqual(least);
    expect(checkpoints.counts.failed).toBeLessThanOrEqual(most);
    expect(checkpoints.counts.total).toBe(checkpoints.counts.failed);
    expect(job.exceptions.history.map(({ exceptionName, taskName }) => [exceptionName, taskName])).toEqual([
      ['org.apache.flink.util.FlinkRuntimeException', null],
      ['org.apache.flink.util.FlinkRuntimeException', null],
      ['org.apache.flink.util.FlinkRuntimeException', null],
      ['org.apache.flink.runtime.JobException', null],
    ]);
  });

  it('is tolerated as often as the job says', () => {
    const { simulation, checkpoints } = start('1.20.5', with_(expiring, { tolerableFailures: 2 }));
    const job = jobNamed(simulation);
    advanceUntil(simulation, () => job.status === 'RESTARTING', 40_000);
    expect(checkpoints.history.filter(({ failureMessage }) => failureMessage === 'Checkpoint expired before completing.').map(({ id }) => id)).toEqual([3, 2, 1]);
  });
});

describe('checkpoint storage', () => {
  it('that is slow makes the asynchronous part long', () => {
    const job = bpJob({ rate: 200, us: 0, p: 1, iv: 2000 });
    const stateful: JobModel = { ...job, vertices: job.vertices.map((vertex) => (vertex.name === 'Enrich' ? { ...vertex, operators: [{ ...vertex.operators[0], state: { bytesPerRecord: 0, maxBytes: 1e9, initialBytes: 50_000_000 } }] } : vertex)) };
    const { simulation, checkpoints } = start('1.20.5', stateful);
    applyAction(simulation.state, { kind: 'set-checkpoint-storage', bytesPerSecond: 100_000_000, latencyMs: 20, failing: false });
    simulation.advanceBy(15_000);
    const last = checkpoints.latestCompleted!;
    const enrich = last.vertices[2];
    expect(enrich.stateSizeBytes[0]).toBe(50_000_000);
    expect(enrich.asyncDurationMs[0]).toBeGreaterThanOrEqual(520);
    expect(enrich.asyncDurationMs[0]).toBeLessThan(560);
    expect(last.vertices[0].asyncDurationMs[0]).toBeLessThan(60);
    expect(last.latestAckMs - last.triggerMs).toBeGreaterThan(520);
  });

  it('that fails makes checkpoints fail, and the job when none are tolerated', () => {
    const { simulation, checkpoints } = start('1.20.5', with_(light, { tolerableFailures: 1 }));
    simulation.advanceBy(10_000);
    const job = jobNamed(simulation);
    applyAction(simulation.state, { kind: 'set-checkpoint-storage', bytesPerSecond: null, latencyMs: 0, failing: true });
    expect(advanceUntil(simulation, () => job.status === 'RESTARTING', 10_000)).toBe(true);
    expect(checkpoints.latestFailed!.failureMessage).toBe('Asynchronous task checkpoint failed.');
    expect(checkpoints.history.slice(0, 2).map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
  });
});

describe('after a failure', () => {
  it('the job goes back to its latest completed checkpoint', () => {
    const { simulation, checkpoints } = start('1.20.5', light);
    simulation.advanceBy(10_000);
    const { id, externalPath } = checkpoints.latestCompleted!;
    applyAction(simulation.state, { kind: 'fail-subtask', target: { job: jobNamed(simulation).id, operator: 'Parse' }, subtask: 0, exceptionClass: 'java.lang.RuntimeException', message: 'x' });
    simulation.advanceBy(2000);
    expect(checkpoints.latestRestored).toEqual({ id, externalPath, isSavepoint: false, restoreTimestampMs: simulation.nowMs });
    expect(checkpoints.counts.restored).toBe(1);
  });

  it('a checkpoint under way is FAILED because the coordinator is suspending', () => {
    const { simulation, checkpoints } = start('1.20.5', bpJob());
    advanceUntil(simulation, () => checkpoints.pending.length > 0, 10_000);
    const [pending] = checkpoints.pending;
    cancelJob(simulation.state, jobNamed(simulation).id);
    expect(pending).toMatchObject({ status: 'FAILED', failureMessage: 'Checkpoint Coordinator is suspending.', failureMs: simulation.nowMs });
    expect(checkpoints.latestFailed).toBe(pending);
  });
});

describe('the last checkpoint of a cancelled job', () => {
  it.each([
    ['RETAIN_ON_CANCELLATION', true],
    ['DELETE_ON_CANCELLATION', false],
    ['NO_EXTERNALIZED_CHECKPOINTS', false],
  ] as const)('with %s stays: %s', (retention, stays) => {
    const { simulation, checkpoints } = start('1.20.5', bpJob({ rate: 200, us: 0, p: 1, iv: 2000, retention }));
    simulation.advanceBy(10_000);
    const path = checkpoints.latestCompleted!.externalPath!;
    cancelJob(simulation.state, jobNamed(simulation).id);
    simulation.advanceBy(1000);
    expect(simulation.state.checkpointStorage.existingPaths.includes(path)).toBe(stays);
    expect(checkpoints.latestCompleted!.discarded).toBe(!stays);
    expect(logged(simulation, /^Checkpoint with ID \d+ at .* not discarded\.$/)).toHaveLength(stays ? 1 : 0);
  });
});
