import { logNormal, uniform } from '../random.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';

/** Medians (ms) and spreads of the recorded clusters: two cores, jobs of 4 to 16 tasks. A first start loads classes, a restart does not. */
const FIRST = { allocation: [400, 0.5], deploy: [150, 0.4], initialize: [80, 0.3], run: [240, 0.25], turnMs: 50 } as const;
const AGAIN = { allocation: [5, 0.4], deploy: [40, 0.3], initialize: [20, 0.5], run: [25, 0.5], turnMs: 25 } as const;
/** Before 1.13: what a task's own start adds to that of all. */
const OWN_START = [12, 0.9] as const;
/** However many tasks there are, the last one's turn on its task manager comes after so long. */
const LAST_TURN_MS = 1_500;

function draw(state: SimulationState, [median, spread]: readonly [number, number], ...parts: (string | number)[]): number {
  return Math.max(1, Math.round(Math.min(median * 6, logNormal(median, spread, state.model.seed, ...parts))));
}

/** From the submission to CREATED, where the version has INITIALIZING, and from there to RUNNING. */
export function submissionDurations(state: SimulationState, jobId: string): { readonly createdMs: number; readonly runningMs: number } {
  const createdMs = lifecycleOf(state).jobHasInitializing ? draw(state, [26, 0.5], 'created', jobId) : 0;
  return { createdMs, runningMs: draw(state, [14, 0.7], 'running', jobId) };
}

/** From the request for slots to their arrival. */
export function allocationDurationMs(state: SimulationState, job: JobState): number {
  const missing = job.slots.length === 0;
  return draw(state, missing ? FIRST.allocation : AGAIN.allocation, 'allocation', job.id, job.generation);
}

interface DeploymentDurations {
  /** After the slots have come: DEPLOYING. */
  readonly deployingMs: number;
  /** After DEPLOYING: INITIALIZING, where the version has it. */
  readonly initializingMs: number;
  /** After that: RUNNING. */
  readonly runningMs: number;
}

/** How long a task takes to start; `position` is its place in the order of deployment of `count` tasks. */
export function deploymentDurations(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, position: number, count: number): DeploymentDurations {
  const { attemptNumber } = job.vertices[vertexIndex].subtasks[subtask].current;
  const medians = attemptNumber === 0 ? FIRST : AGAIN;
  const parts = [job.id, vertexIndex, subtask, attemptNumber];
  // The JobMaster sends a task in about a millisecond; with many tasks in less.
  const deployingMs = Math.floor(Math.min(position * (0.6 + uniform(state.model.seed, 'deploying', ...parts)), 200 + position * 0.05));
  // A task manager takes its tasks one after the other: sources run first, sinks last (recorded: 30 to 120 ms apart). What it does
  // before, such as loading the job's classes, all of them wait for.
  const turnMs = Math.round(Math.min(medians.turnMs, LAST_TURN_MS / count) * position);
  const together = [job.id, attemptNumber];
  if (!lifecycleOf(state).taskHasInitializing) {
    const inTurnMs = attemptNumber === 0 ? 0 : turnMs;
    return { deployingMs, initializingMs: 0, runningMs: draw(state, medians.run, 'run', ...together) + draw(state, OWN_START, 'own', ...parts) + inTurnMs };
  }
  return { deployingMs, initializingMs: draw(state, medians.deploy, 'deploy', ...together) + turnMs, runningMs: draw(state, medians.initialize, 'initialize', ...parts) };
}

/** From CANCELING to CANCELED. */
export function cancelDurationMs(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): number {
  return draw(state, [55, 0.7], 'cancel', job.id, vertexIndex, subtask, job.vertices[vertexIndex].subtasks[subtask].current.attemptNumber);
}
