import { describe, expect, it } from 'vitest';
import { EXECUTION_STATE_INDEX, EXECUTION_STATES, type ExecutionAttemptState, type ExecutionStateName } from '../../../src/simulation/state/job-state.js';
import { aggregateState, countStates, spanOf, statusDurations } from '../../../src/rest/views/task-states.js';

function attempt(state: ExecutionStateName, entered: Partial<Record<ExecutionStateName, number>>): ExecutionAttemptState {
  const timestamps = new Float64Array(EXECUTION_STATES.length);
  for (const [name, atMs] of Object.entries(entered)) timestamps[EXECUTION_STATE_INDEX[name as ExecutionStateName]] = atMs;
  return { attemptNumber: 0, attemptId: 'a', state, timestamps, taskManagerId: null, host: null, dataPort: -1, slotIndex: -1, finalMetrics: null, failureCause: null };
}

const states = (...names: ExecutionStateName[]) => countStates(names.map((name) => attempt(name, {})));

describe('state of a vertex as a whole', () => {
  it.each([
    [['RUNNING', 'FAILED', 'CANCELING'], 'FAILED'],
    [['CANCELED', 'CANCELING'], 'CANCELING'],
    [['CANCELED', 'FINISHED'], 'CANCELED'],
    [['RUNNING', 'INITIALIZING'], 'INITIALIZING'],
    [['RUNNING', 'DEPLOYING'], 'RUNNING'],
    [['FINISHED', 'SCHEDULED'], 'RUNNING'],
    [['FINISHED', 'FINISHED'], 'FINISHED'],
    [['SCHEDULED', 'DEPLOYING'], 'CREATED'],
  ] as [ExecutionStateName[], ExecutionStateName][])('of %j is %s', (names, expected) => {
    expect(aggregateState(states(...names), names.length)).toBe(expected);
  });
});

describe('times of a vertex', () => {
  it('are -1 before the first deployment', () => {
    expect(spanOf([attempt('SCHEDULED', { CREATED: 10, SCHEDULED: 20 })], 1000)).toEqual({ startMs: -1, endMs: -1, durationMs: -1 });
  });

  it('run from the first deployment to now while a task lives', () => {
    const tasks = [attempt('FINISHED', { DEPLOYING: 100, FINISHED: 300 }), attempt('RUNNING', { DEPLOYING: 120, RUNNING: 150 })];
    expect(spanOf(tasks, 1000)).toEqual({ startMs: 100, endMs: -1, durationMs: 900 });
  });

  it('end with the last task', () => {
    const tasks = [attempt('FINISHED', { DEPLOYING: 100, FINISHED: 300 }), attempt('CANCELED', { DEPLOYING: 120, CANCELED: 450 })];
    expect(spanOf(tasks, 1000)).toEqual({ startMs: 100, endMs: 450, durationMs: 350 });
  });
});

describe('time in each state', () => {
  it('goes on in the current state and is -1 for states that were left out', () => {
    const running = attempt('RUNNING', { CREATED: 10, SCHEDULED: 31, DEPLOYING: 782, INITIALIZING: 969, RUNNING: 1049 });
    expect(statusDurations(running, 2049)).toEqual({ CREATED: 21, SCHEDULED: 751, DEPLOYING: 187, INITIALIZING: 80, RUNNING: 1000 });
  });

  it('ends at the cancellation of a task that was still being deployed', () => {
    const canceled = attempt('CANCELED', { CREATED: 1, SCHEDULED: 2, DEPLOYING: 6, CANCELING: 32, CANCELED: 40 });
    expect(statusDurations(canceled, 5000)).toEqual({ CREATED: 1, SCHEDULED: 4, DEPLOYING: 26, INITIALIZING: -1, RUNNING: -1 });
  });
});
