import { hex } from '../random.js';
import { logLine } from '../logs/index.js';
import { startSubtask, stopSubtask } from '../network/index.js';
import { EXECUTION_STATES, EXECUTION_STATE_INDEX, type AttemptMetrics, type ExecutionAttemptState, type ExecutionStateName, type ExecutionVertexState, type JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { resetSubtask } from '../state/subtask-columns.js';
import { lifecycleOf } from '../version.js';
import { locationText, taskName } from './names.js';

const TERMINAL: ReadonlySet<ExecutionStateName> = new Set(['FINISHED', 'CANCELED', 'FAILED']);

export function isTerminal(attempt: ExecutionAttemptState): boolean {
  return TERMINAL.has(attempt.state);
}

/** A new execution attempt, CREATED now. */
export function createAttempt(state: SimulationState, jobId: string, executionGraphId: string, vertexId: string, subtask: number, attemptNumber: number): ExecutionAttemptState {
  const attemptId = lifecycleOf(state).attemptIdIsPath
    ? `${executionGraphId}_${vertexId}_${subtask}_${attemptNumber}`
    : hex(32, state.model.seed, 'attempt', jobId, vertexId, subtask, attemptNumber);
  const timestamps = new Float64Array(EXECUTION_STATES.length);
  timestamps[EXECUTION_STATE_INDEX.CREATED] = state.nowMs;
  return { attemptNumber, attemptId, state: 'CREATED', timestamps, taskManagerId: null, host: null, dataPort: -1, slotIndex: -1, finalMetrics: null, failureCause: null };
}

/** Subtasks of a vertex, each with its first attempt. */
export function createSubtasks(state: SimulationState, jobId: string, executionGraphId: string, vertexId: string, parallelism: number): ExecutionVertexState[] {
  return Array.from({ length: parallelism }, (_, index) => ({ index, current: createAttempt(state, jobId, executionGraphId, vertexId, index, 0), priorAttempts: [] }));
}

/**
 * Switches the current attempt of a subtask, now. Its counters start with RUNNING and are kept with the attempt when its code ends.
 * `detail` is the stack trace that the log shows below the line.
 */
export function switchAttempt(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, to: ExecutionStateName, detail = ''): void {
  const vertex = job.vertices[vertexIndex];
  const attempt = vertex.subtasks[subtask].current;
  const from = attempt.state;
  attempt.state = to;
  attempt.timestamps[EXECUTION_STATE_INDEX[to]] = state.nowMs;
  job.lastModificationMs = state.nowMs;
  state.revision++;
  const values = { task: taskName(job, vertexIndex, subtask), attempt: attempt.attemptId, from, to, location: locationText(attempt) };
  if (to === 'FAILED') logLine(state, state.jobManager.log, 'taskFailed', values, { detail });
  else logLine(state, state.jobManager.log, 'taskSwitched', values);
  // The new task registers metrics of its own.
  if (to === 'DEPLOYING') resetSubtask(vertex.columns, subtask);
  if (to === 'RUNNING') startSubtask(state, job, vertexIndex, subtask);
  else if (from === 'RUNNING') endSubtask(state, job, vertexIndex, subtask);
}

function endSubtask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const vertex = job.vertices[vertexIndex];
  vertex.subtasks[subtask].current.finalMetrics = attemptMetrics(job, vertexIndex, subtask);
  stopSubtask(state, job, vertexIndex, subtask);
}

/** Counters of a subtask's current attempt as REST shows them: those kept at its end, or the running ones. */
export function attemptMetrics(job: JobState, vertexIndex: number, subtask: number): AttemptMetrics {
  const vertex = job.vertices[vertexIndex];
  const kept = vertex.subtasks[subtask].current.finalMetrics;
  if (kept) return kept;
  const { columns } = vertex;
  const legacySource = vertex.model.operators.some((operator) => operator.source?.legacy === true);
  return {
    readBytes: columns.numBytesInLocal[subtask] + columns.numBytesInRemote[subtask],
    writeBytes: columns.numBytesOut[subtask],
    readRecords: columns.numRecordsIn[subtask],
    writeRecords: columns.numRecordsOut[subtask],
    accumulatedBackPressuredMs: columns.softBackPressuredMs[subtask] + columns.hardBackPressuredMs[subtask],
    accumulatedIdleMs: columns.idleMs[subtask],
    accumulatedBusyMs: legacySource ? NaN : columns.busyMs[subtask],
  };
}

/** Every subtask of the job, vertex by vertex. */
export function* subtasksOf(job: JobState): Generator<[vertexIndex: number, subtask: number, attempt: ExecutionAttemptState]> {
  for (let v = 0; v < job.vertices.length; v++) {
    const { subtasks } = job.vertices[v];
    for (let s = 0; s < subtasks.length; s++) yield [v, s, subtasks[s].current];
  }
}

/** Puts the current attempt of a subtask behind it and starts the next one. */
export function renewAttempt(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const vertex = job.vertices[vertexIndex];
  const execution = vertex.subtasks[subtask];
  execution.priorAttempts.push(execution.current);
  execution.current = createAttempt(state, job.id, job.executionGraphId, vertex.id, subtask, execution.current.attemptNumber + 1);
  const limit = 16; // jobmanager.execution.attempts-history-size
  if (execution.priorAttempts.length > limit) execution.priorAttempts.splice(0, execution.priorAttempts.length - limit);
}
