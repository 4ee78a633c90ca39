import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { submitJob } from '../../src/simulation/commands.js';
import { Simulation } from '../../src/simulation/simulation.js';
import type { JobState, JobStatus } from '../../src/simulation/state/job-state.js';

const MINUTE_MS = 60_000;

/** A shipped scenario, let run to minutes from its start. */
class Play {
  readonly simulation: Simulation;

  constructor(readonly name: string) {
    this.simulation = new Simulation(loadScenario(name).model);
  }

  get state() {
    return this.simulation.state;
  }

  to(minute: number): this {
    this.simulation.advanceTo(this.state.model.startMs + minute * MINUTE_MS);
    return this;
  }

  get job(): JobState {
    return [...this.state.jobs.values()].at(-1)!;
  }

  /** Statuses of the last job until a minute, without repetitions. */
  statusesUntil(minute: number): JobStatus[] {
    const seen: JobStatus[] = [this.job.status];
    const endMs = this.state.model.startMs + minute * MINUTE_MS;
    while (this.simulation.nowMs < endMs) {
      this.simulation.advanceBy(50);
      if (this.job.status !== seen.at(-1)) seen.push(this.job.status);
    }
    return seen;
  }

  lag(): number {
    const [topic] = this.state.kafka.topics.values();
    const [source] = this.state.kafka.sources.values();
    return topic!.endOffsets.reduce((sum, offset) => sum + offset, 0) - source!.emitted.reduce((sum, offset) => sum + offset, 0);
  }

  usedHeap(): number[] {
    return [...this.state.taskManagers.values()].map(({ jvm }) => jvm.heapUsedBytes / jvm.heapMaxBytes);
  }
}

describe('the scenario', () => {
  it('crash-loop restarts again and again with growing delays, then works the backlog off', () => {
    const play = new Play('crash-loop').to(9);
    expect(play.job.numRestarts).toBe(0);
    play.to(25);
    const { numRestarts, restartTimesMs, exceptions } = play.job;
    expect(numRestarts).toBeGreaterThan(10);
    expect(restartTimesMs[8]! - restartTimesMs[7]!).toBeGreaterThan(restartTimesMs[2]! - restartTimesMs[1]!);
    expect(exceptions.history.at(-1)!.stackTrace).toContain('cannot parse price of order 4711');
    expect(play.lag()).toBeGreaterThan(10_000);
    play.to(60);
    expect(play.job.status).toBe('RUNNING');
    expect(play.lag()).toBeLessThan(2_000);
    expect(play.job.numRestarts).toBeLessThanOrEqual(numRestarts + 1);
  });

  it('taskmanager-loss goes on on the slots that are left and gets a replacement', () => {
    const play = new Play('taskmanager-loss').to(9.9);
    const [lost] = play.state.taskManagers.keys();
    const before = play.job.numRestarts;
    play.to(10.1);
    expect(play.job.numRestarts).toBeGreaterThan(before);
    expect(play.state.taskManagers.has(lost!)).toBe(true);
    play.to(11);
    expect(play.state.taskManagers.size).toBe(2);
    expect(play.job.status).toBe('RUNNING');
    expect(play.job.checkpoints!.latestRestored).not.toBeNull();
    play.to(16);
    expect(play.state.taskManagers.size).toBe(3);
  });

  it('jobmanager-failover forgets everything but the job', () => {
    const play = new Play('jobmanager-failover').to(9);
    const { id, checkpoints } = play.job;
    const completed = checkpoints!.counts.completed;
    play.to(10.2);
    expect(play.state.jobManager.availability).toBe('LEADER_LOST');
    play.to(11);
    expect(play.state.jobManager.availability).toBe('LEADING');
    expect(play.job.id).toBe(id);
    expect(play.job.status).toBe('RUNNING');
    expect(play.job.checkpoints!.counts.restored).toBe(1);
    expect(play.job.checkpoints!.counts.completed).toBeLessThan(completed);
    expect(play.job.checkpoints!.latestCompleted!.id).toBeGreaterThan(completed);
    expect(play.state.operations.size).toBe(0);
    play.to(20.2);
    expect(play.state.jobManager.availability).toBe('DOWN');
    play.to(22);
    expect(play.job.status).toBe('RUNNING');
    expect(play.job.id).toBe(id);
  });

  it('rescale follows slots and wishes', () => {
    const play = new Play('rescale').to(9);
    const parallelism = () => play.job.vertices[1]!.parallelism;
    expect(parallelism()).toBe(4);
    play.to(15);
    expect(parallelism()).toBe(6);
    play.to(25);
    expect(parallelism()).toBe(8);
    play.to(35);
    expect(parallelism()).toBe(2);
    play.to(45);
    expect(parallelism()).toBe(2);
    expect(play.job.status).toBe('RUNNING');
    const causes = play.job.rescaleTimeline!.rescales.map(({ triggerCause }) => triggerCause);
    expect(causes).toEqual(expect.arrayContaining(['INITIAL_SCHEDULE', 'NEW_RESOURCE_AVAILABLE', 'UPDATE_REQUIREMENT']));
  });

  it('savepoint-upgrade leaves a savepoint from which the new version starts', () => {
    const play = new Play('savepoint-upgrade').to(11);
    const old = play.job;
    expect(old.status).toBe('CANCELED');
    const { externalPath } = old.checkpoints!.latestSavepoint!;
    const [template] = loadScenario(play.name).jarTemplates;
    submitJob(play.state, template!.createJob(['--version', '2'], 2), { savepointPath: externalPath });
    play.to(12);
    expect(play.job.name).toBe('prices v2');
    expect(play.job.status).toBe('RUNNING');
    expect(play.job.checkpoints!.latestRestored).toMatchObject({ isSavepoint: true, externalPath });
  });

  it('unaligned checkpoints are short where aligned ones wait', () => {
    const play = new Play('unaligned').to(20);
    const [aligned, unaligned] = [...play.state.jobs.values()].map((job) => job.checkpoints!.latestCompleted!);
    const duration = (one: typeof aligned) => one!.latestAckMs - one!.triggerMs;
    expect(duration(unaligned)).toBeLessThan(duration(aligned) / 4);
    expect(unaligned!.vertices.some(({ persistedBytes }) => persistedBytes.some((bytes) => bytes > 0))).toBe(true);
    expect(aligned!.vertices.every(({ persistedBytes }) => persistedBytes.every((bytes) => bytes === 0))).toBe(true);
  });

  it('checkpoint-storage-down slows checkpoints, then fails them and restarts the job', () => {
    const play = new Play('checkpoint-storage-down').to(19);
    const last = play.job.checkpoints!.latestCompleted!;
    expect(last.latestAckMs - last.triggerMs).toBeGreaterThan(20_000);
    expect(play.job.numRestarts).toBe(0);
    play.to(29.9);
    expect(play.job.checkpoints!.latestFailed!.failureMessage).toBe('Asynchronous task checkpoint failed.');
    expect(play.job.numRestarts).toBeGreaterThan(1);
    expect(play.job.checkpoints!.latestCompleted!.triggerMs).toBeLessThan(play.simulation.nowMs - 9 * MINUTE_MS);
    play.to(33);
    expect(play.job.checkpoints!.latestCompleted!.triggerMs).toBeGreaterThan(play.simulation.nowMs - 2 * MINUTE_MS);
  });

  it('kafka-broker-down leaves the job RUNNING and the lag to be worked off', () => {
    const play = new Play('kafka-broker-down').to(22.9);
    expect(play.job.numRestarts).toBe(0);
    expect(play.job.status).toBe('RUNNING');
    const logs = [...play.state.taskManagers.values()].flatMap(({ log }) => log.entries.map(({ message }) => message));
    expect(logs.some((message) => message.includes('due to request timeout'))).toBe(true);
    expect(logs.some((message) => message.includes('could not be established'))).toBe(true);
    play.to(23.2);
    expect(play.lag()).toBeGreaterThan(20_000);
    play.to(35);
    expect(play.lag()).toBeLessThan(2_000);
  });

  it('batch runs its vertices one after the other and finishes', () => {
    const play = new Play('batch').to(1.5);
    const states = () => play.job.vertices.map(({ subtasks }) => subtasks[0]?.current.state ?? 'not made yet');
    expect(states()).toEqual(['RUNNING', expect.stringMatching(/RUNNING|FINISHED/), 'not made yet', 'not made yet', 'not made yet']);
    expect(play.statusesUntil(6)).toEqual(['RUNNING', 'FINISHED']);
    const ends = play.job.vertices.map(({ subtasks }) => Math.max(...subtasks.map(({ current }) => current.timestamps[5]!)));
    expect(ends[2]).toBeGreaterThan(Math.max(ends[0]!, ends[1]!));
    expect(ends[3]).toBeGreaterThan(ends[2]!);
    expect(ends[4]).toBeGreaterThan(ends[3]!);
    expect(play.job.checkpoints).toBeNull();
    expect(play.job.vertices.map(({ parallelism }) => parallelism)).toEqual([2, 2, 8, 3, 1]);
  });

  it('many-jobs has jobs in every state', () => {
    const play = new Play('many-jobs').to(6);
    const jobs = [...play.state.jobs.values()];
    expect(jobs).toHaveLength(40);
    const named = (name: string) => jobs.find((job) => job.name === name)!;
    expect(jobs.filter(({ status }) => status === 'RUNNING').length).toBeGreaterThan(35);
    expect(named('was cancelled').status).toBe('CANCELED');
    expect(named('fails now and then').numRestarts).toBeGreaterThan(0);
    expect(named('waits for slots').vertices[0]!.subtasks.every(({ current }) => current.state !== 'RUNNING')).toBe(true);
    const behind = named('cannot keep up').vertices[0]!.columns;
    expect(behind.softBackPressuredMs[0]! + behind.hardBackPressuredMs[0]!).toBeGreaterThan(60_000);
  });

  it('oom-under-skew fills one heap until it overflows', () => {
    const play = new Play('oom-under-skew').to(10);
    expect(play.job.numRestarts).toBe(0);
    play.to(40);
    expect(play.job.exceptions.history.at(-1)!.stackTrace).toContain('java.lang.OutOfMemoryError: Java heap space');
    expect(play.job.numRestarts).toBeGreaterThan(0);
    expect(new Set(play.job.exceptions.history.map(({ taskManagerId }) => taskManagerId)).size).toBe(1);
  });
});
