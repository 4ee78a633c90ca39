import { describe, expect, test } from 'vitest';
import { backPressureLevel, requestBackPressure, tickBackPressure } from '../../../src/simulation/backpressure/index.js';
import type { JobState } from '../../../src/simulation/state/job-state.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { runningJob } from '../kafka/running-job.js';

function setUp(options: Record<string, string> = {}, shares: readonly number[] = [0.4, 0]): { state: SimulationState; job: JobState } {
  const made = runningJob({ flinkVersion: '1.9.3', options });
  shares.forEach((share, subtask) => {
    made.job.vertices[0].columns.hardBackPressuredShare[subtask] = share;
    made.job.vertices[0].columns.busyShare[subtask] = (1 - share) / 2;
    made.job.vertices[0].columns.idleShare[subtask] = (1 - share) / 2;
  });
  return made;
}

function pass(state: SimulationState, ms: number): void {
  for (let passed = 0; passed < ms; passed += state.model.tickMs) {
    state.nowMs += state.model.tickMs;
    tickBackPressure(state);
  }
}

const ask = (state: SimulationState) => requestBackPressure(state, 'job-1', 'vertex-0');

test('levels: up to 0.10 ok, up to 0.5 low, above high', () => {
  expect([0, 0.1, 0.11, 0.5, 0.51, 1].map(backPressureLevel)).toEqual(['ok', 'ok', 'low', 'low', 'high', 'high']);
});

describe('a sample', () => {
  test('is not there at the first request and is about 5 s later', () => {
    const { state } = setUp();
    const asked = state.nowMs;
    expect(ask(state)).toBeNull();
    pass(state, 4_900);
    expect(ask(state)).toBeNull();
    pass(state, 200);
    const stats = ask(state)!;
    expect(stats.endTimestampMs - asked).toBeGreaterThanOrEqual(4_950);
    expect(stats.endTimestampMs - asked).toBeLessThanOrEqual(5_050);
  });

  test('counts looks: ratios are hundredths near the share of time that the thread was blocked', () => {
    const { state } = setUp({}, [0.4, 1]);
    ask(state);
    pass(state, 6_000);
    const { ratios } = ask(state)!;
    expect(ratios[1]).toBe(1);
    expect(Math.abs(ratios[0] - 0.4)).toBeLessThan(0.15);
    expect(ratios[0] * 100).toBeCloseTo(Math.round(ratios[0] * 100), 9);
  });

  test('is served for 60 s, and then once more while the next one is taken', () => {
    const { state, job } = setUp();
    ask(state);
    pass(state, 6_000);
    const first = ask(state)!;
    job.vertices[0].columns.hardBackPressuredShare.fill(1);
    pass(state, 58_900);
    expect(ask(state)).toEqual(first);
    pass(state, 200);
    expect(ask(state)).toEqual(first);
    pass(state, 4_900);
    expect(ask(state)).toEqual(first);
    pass(state, 300);
    const second = ask(state)!;
    expect(second.ratios).toEqual([1, 1]);
    expect(second.endTimestampMs).toBeGreaterThan(first.endTimestampMs + 60_000);
  });

  test('is forgotten when nobody asks for ten minutes', () => {
    const { state } = setUp();
    ask(state);
    pass(state, 6_000);
    expect(ask(state)).not.toBeNull();
    pass(state, 601_000);
    expect(ask(state)).toBeNull();
  });

  test('needs all subtasks running', () => {
    const { state, job } = setUp();
    job.vertices[0].subtasks[1].current.state = 'DEPLOYING';
    ask(state);
    pass(state, 10_000);
    expect(ask(state)).toBeNull();
    job.vertices[0].subtasks[1].current.state = 'RUNNING';
    expect(ask(state)).toBeNull();
    pass(state, 6_000);
    expect(ask(state)).not.toBeNull();
  });

  test('keeps the looks of a task that ends on the way', () => {
    const { state, job } = setUp({}, [1, 1]);
    ask(state);
    pass(state, 2_000);
    job.vertices[0].subtasks[1].current.state = 'FINISHED';
    pass(state, 4_000);
    expect(ask(state)!.ratios).toEqual([1, 1]);
  });

  test('is not taken of a job that has ended, nor of a vertex that is not there', () => {
    const { state, job } = setUp();
    job.status = 'FINISHED';
    ask(state);
    pass(state, 6_000);
    expect(ask(state)).toBeNull();
    expect(requestBackPressure(state, 'job-1', 'nope')).toBeNull();
    expect(requestBackPressure(state, 'nope', 'vertex-0')).toBeNull();
  });

  test('follows the four options', () => {
    const { state } = setUp({ 'web.backpressure.num-samples': '10', 'web.backpressure.delay-between-samples': '20', 'web.backpressure.refresh-interval': '1000', 'web.backpressure.cleanup-interval': '5000' });
    const asked = state.nowMs;
    ask(state);
    pass(state, 300);
    const first = ask(state)!;
    expect(first.endTimestampMs - asked).toBe(200);
    expect(first.ratios[0] * 10).toBeCloseTo(Math.round(first.ratios[0] * 10), 9);
    pass(state, 1_000);
    ask(state);
    pass(state, 300);
    expect(ask(state)!.endTimestampMs).toBeGreaterThan(first.endTimestampMs);
    pass(state, 5_100);
    expect(ask(state)).toBeNull();
  });

  test('is the same for the same seed', () => {
    const ratios = [1, 2].map(() => {
      const { state } = setUp({}, [0.37, 0.61]);
      ask(state);
      pass(state, 6_000);
      return ask(state)!.ratios;
    });
    expect(ratios[0]).toEqual(ratios[1]);
  });
});
