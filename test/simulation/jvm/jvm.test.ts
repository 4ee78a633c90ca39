import { describe, expect, test } from 'vitest';
import { tickJvm } from '../../../src/simulation/jvm/index.js';
import { threadDump } from '../../../src/simulation/threads/index.js';
import type { JvmState } from '../../../src/simulation/state/cluster-state.js';
import type { JobState } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { runningJob } from '../kafka/running-job.js';

/** Two subtasks of each vertex, so many records a second each, for which the thread computes so much of its time. */
function work(state: SimulationState, job: JobState, forMs: number, recordsPerSecond: number, computing = 0.5, each?: (jvm: JvmState) => void): JvmState {
  const { jvm } = state.taskManagers.get('tm-1')!;
  for (const vertex of job.vertices) {
    vertex.model = { ...vertex.model, operators: vertex.model.operators.map((operator, o) => ({ ...operator, serviceTimeUs: o === 0 && recordsPerSecond > 0 ? (computing * 1e6) / recordsPerSecond : 0 })) };
  }
  for (let passed = 0; passed < forMs; passed += 1000) {
    state.nowMs += 1000;
    for (const { columns } of job.vertices) {
      for (let s = 0; s < columns.numRecordsIn.length; s++) {
        columns.numRecordsIn[s] += recordsPerSecond;
        columns.numBytesInLocal[s] += recordsPerSecond * 540;
        columns.sourceRecordsIn[s] += recordsPerSecond;
      }
    }
    tickJvm(state);
    each?.(jvm);
  }
  return jvm;
}

const collections = (jvm: JvmState, name = 'G1_Young_Generation') => jvm.collectors.find((collector) => collector.name === name)!.count;

describe('heap', () => {
  test('is a saw-tooth that stays within committed and max', () => {
    const { state, job } = runningJob();
    const used: number[] = [];
    work(state, job, 120_000, 3_000, 0.5, (jvm) => {
      used.push(jvm.heapUsedBytes);
      expect(jvm.heapUsedBytes).toBeLessThanOrEqual(jvm.heapCommittedBytes);
      expect(jvm.heapCommittedBytes).toBeLessThanOrEqual(jvm.heapMaxBytes);
    });
    const falls = used.filter((value, i) => i > 0 && value < used[i - 1]).length;
    const rises = used.filter((value, i) => i > 0 && value > used[i - 1]).length;
    expect(falls).toBeGreaterThan(5);
    expect(rises).toBeGreaterThan(falls);
  });

  test('is collected more often when more records pass', () => {
    const counts = [0, 1_000, 10_000].map((rate) => {
      const { state, job } = runningJob();
      const before = collections(state.taskManagers.get('tm-1')!.jvm);
      return collections(work(state, job, 100_000, rate)) - before;
    });
    expect(counts[0]).toBeLessThan(6);
    expect(counts[1]).toBeGreaterThan(2 * counts[0]);
    expect(counts[2]).toBeGreaterThan(4 * counts[1]);
  });

  test('grows with keyed state that is kept on it, until only full collections are left', () => {
    const { state, job } = runningJob();
    work(state, job, 5_000, 100);
    const before = state.taskManagers.get('tm-1')!.jvm.heapCommittedBytes;
    job.vertices[1].columns.stateBytes.fill(40e6);
    const jvm = work(state, job, 5_000, 100);
    expect(jvm.heapUsedBytes).toBeGreaterThan(128e6);
    expect(jvm.heapCommittedBytes).toBeGreaterThan(before);
    expect(collections(jvm, 'G1_Old_Generation')).toBe(0);
    job.vertices[1].columns.stateBytes.fill(400e6);
    expect(collections(work(state, job, 5_000, 100), 'G1_Old_Generation')).toBeGreaterThan(3);
    expect(jvm.heapUsedBytes).toBeLessThanOrEqual(jvm.heapMaxBytes);
  });
});

describe('collectors', () => {
  test('are those of the version, and `All` sums them', () => {
    const names = (version: string) => runningJob({ flinkVersion: version }).state.jobManager.jvm.collectors.map((collector) => collector.name);
    expect(names('1.9.3')).toEqual(['G1_Young_Generation', 'G1_Old_Generation']);
    expect(names('1.20.5')).toEqual(['All', 'G1_Young_Generation', 'G1_Old_Generation']);
    const { state, job } = runningJob();
    const jvm = work(state, job, 60_000, 5_000);
    const [all, young, old] = jvm.collectors;
    expect(all.count).toBe(young.count + old.count);
    expect(all.timeMs).toBe(young.timeMs + old.timeMs);
  });
});

describe('processor', () => {
  test('load follows the busy threads, and time adds it up', () => {
    const { state, job } = runningJob();
    const before = state.taskManagers.get('tm-1')!.jvm.cpuTimeNs;
    const jvm = work(state, job, 10_000, 100, 0.25);
    // Two vertices of two subtasks at a quarter each: one core of two.
    expect(jvm.cpuLoad).toBeGreaterThan(0.45);
    expect(jvm.cpuLoad).toBeLessThan(0.56);
    expect(jvm.cpuTimeNs - before).toBeGreaterThan(9.5e9);
    expect(jvm.cpuTimeNs - before).toBeLessThan(11.5e9);
    expect(work(state, job, 10_000, 100, 2).cpuLoad).toBe(1);
  });

  test('is idle while the threads wait', () => {
    const { state, job } = runningJob();
    const jvm = work(state, job, 10_000, 100, 0.5, () => {
      for (const vertex of job.vertices) vertex.model = { ...vertex.model, operators: vertex.model.operators.map((operator) => ({ ...operator, cpuShare: 0 })) };
    });
    expect(jvm.cpuLoad).toBeLessThan(0.05);
  });
});

test('direct memory is the network buffers and a little more', () => {
  const { jvm } = runningJob({ flinkVersion: '1.9.3' }).state.taskManagers.get('tm-1')!;
  expect(jvm.directCount).toBe(2048 + 14);
  expect(jvm.directUsedBytes).toBe(64 * 1024 * 1024 + 536_578);
});

test('there are as many threads as the dump lists', () => {
  for (const flinkVersion of ['1.9.3', '1.13.6', '1.20.5', '2.3.0']) {
    const { state, job } = runningJob({ flinkVersion });
    work(state, job, 2_000, 10);
    work(state, job, 2_000, 10);
    expect(state.taskManagers.get('tm-1')!.jvm.threads).toBe(threadDump(state, 'tm-1').length);
    expect(state.jobManager.jvm.threads).toBe(threadDump(state, 'jobmanager').length);
  }
});

test('classes are loaded when the first job comes', () => {
  const { state, job } = runningJob();
  const { jvm } = state.taskManagers.get('tm-1')!;
  const { classesLoaded, metaspaceUsedBytes } = jvm;
  work(state, job, 2_000, 10);
  expect(jvm.classesLoaded).toBe(classesLoaded + 1_700);
  expect(jvm.metaspaceUsedBytes).toBeGreaterThan(metaspaceUsedBytes);
  work(state, job, 2_000, 10);
  expect(jvm.classesLoaded).toBe(classesLoaded + 1_700);
});
