import { EXECUTION_STATE_INDEX, EXECUTION_STATES, JOB_STATUSES, type ExecutionAttemptState, type ExecutionStateName, type JobStatus } from '../../simulation/state/job-state.js';
import type { RestFeatures } from '../../versions/rest-features.js';

const TERMINAL: ReadonlySet<ExecutionStateName> = new Set<ExecutionStateName>(['FINISHED', 'CANCELED', 'FAILED']);

export function isTerminal(state: ExecutionStateName): boolean {
  return TERMINAL.has(state);
}

/** Epoch ms at which an attempt entered a state, 0 = never. Whole, as clocks tell it. */
export function stateTimestamp(attempt: ExecutionAttemptState, state: ExecutionStateName): number {
  return Math.floor(attempt.timestamps[EXECUTION_STATE_INDEX[state]]!);
}

/** Tasks by state. */
export type StateCounts = Readonly<Record<ExecutionStateName, number>>;

/** To count with: no task in any state yet. */
export function noStates(): Record<ExecutionStateName, number> {
  return Object.fromEntries(EXECUTION_STATES.map((state) => [state, 0])) as Record<ExecutionStateName, number>;
}

export function countStates(attempts: Iterable<ExecutionAttemptState>): StateCounts {
  const counts = noStates();
  for (const attempt of attempts) counts[attempt.state]++;
  return counts;
}

/** What a vertex is in as a whole: the worst or, failing that, the most advanced state of its tasks; anything before INITIALIZING is CREATED. */
export function aggregateState(counts: StateCounts, parallelism: number): ExecutionStateName {
  for (const state of ['FAILED', 'CANCELING', 'CANCELED', 'INITIALIZING', 'RUNNING'] as const) if (counts[state] > 0) return state;
  if (counts.FINISHED > 0) return counts.FINISHED === parallelism ? 'FINISHED' : 'RUNNING';
  return 'CREATED';
}

/** States that the version knows, in the order of its enum. */
export function statesOf(features: RestFeatures): readonly ExecutionStateName[] {
  return features.countsInitializingTasks ? STATES : STATES_WITHOUT_INITIALIZING;
}
const STATES: readonly ExecutionStateName[] = ['CREATED', 'SCHEDULED', 'DEPLOYING', 'RUNNING', 'FINISHED', 'CANCELING', 'CANCELED', 'FAILED', 'RECONCILING', 'INITIALIZING'];
const STATES_WITHOUT_INITIALIZING = STATES.slice(0, -1);

/** A number for each state that the version knows. */
export function byState(features: RestFeatures, numberOf: (state: ExecutionStateName) => number): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const state of statesOf(features)) numbers[state] = numberOf(state);
  return numbers;
}

/** A number for each job status that the version knows. */
export function byJobStatus(features: RestFeatures, numberOf: (status: JobStatus) => number): Record<string, number> {
  return Object.fromEntries(JOB_STATUSES.filter((status) => status !== 'INITIALIZING' || features.jobStartsInitializing).map((status) => [status, numberOf(status)]));
}

export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly durationMs: number;
}

/** From the first deployment to the last end; all -1 before the first deployment, end -1 until all have ended. */
export function spanOf(attempts: Iterable<ExecutionAttemptState>, nowMs: number): TimeSpan {
  let startMs = Infinity;
  let endMs = 0;
  let allEnded = true;
  for (const attempt of attempts) {
    const deployedMs = stateTimestamp(attempt, 'DEPLOYING');
    if (deployedMs > 0) startMs = Math.min(startMs, deployedMs);
    allEnded &&= isTerminal(attempt.state);
    endMs = Math.max(endMs, stateTimestamp(attempt, attempt.state));
  }
  if (startMs === Infinity) return { startMs: -1, endMs: -1, durationMs: -1 };
  return allEnded ? { startMs, endMs, durationMs: endMs - startMs } : { startMs, endMs: -1, durationMs: nowMs - startMs };
}

const TIMED_STATES = ['CREATED', 'RUNNING', 'INITIALIZING', 'SCHEDULED', 'DEPLOYING'] as const;
const LIFE_ORDER = ['CREATED', 'SCHEDULED', 'DEPLOYING', 'INITIALIZING', 'RUNNING', 'FINISHED', 'CANCELING', 'CANCELED', 'FAILED'] as const;
const LATER_STATES = new Map(TIMED_STATES.map((state) => [state, LIFE_ORDER.slice(LIFE_ORDER.indexOf(state) + 1)]));

/** Time spent in each state before the end, ms: -1 where the state was not entered. */
export function statusDurations(attempt: ExecutionAttemptState, nowMs: number): Record<string, number> {
  const durations: Record<string, number> = {};
  for (const state of TIMED_STATES) durations[state] = durationIn(attempt, state, nowMs);
  return durations;
}

function durationIn(attempt: ExecutionAttemptState, state: (typeof TIMED_STATES)[number], nowMs: number): number {
  const enteredMs = stateTimestamp(attempt, state);
  if (enteredMs === 0) return -1;
  if (attempt.state === state) return nowMs - enteredMs;
  let leftMs = Infinity;
  for (const later of LATER_STATES.get(state)!) {
    const laterMs = stateTimestamp(attempt, later);
    if (laterMs > 0) leftMs = Math.min(leftMs, laterMs);
  }
  return leftMs === Infinity ? -1 : leftMs - enteredMs;
}
