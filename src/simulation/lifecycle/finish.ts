import { onTaskFinished } from '../checkpoints/acknowledge.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { switchAttempt } from './attempts.js';
import { logTaskEnd } from './cancel.js';
import { afterTaskEnded } from './failover.js';

/** A task has come to the end of its input, now. */
export function finishTask(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const attempt = job.vertices[vertexIndex].subtasks[subtask].current;
  if (attempt.state !== 'RUNNING') return;
  logTaskEnd(state, job, vertexIndex, subtask, 'RUNNING', 'FINISHED');
  switchAttempt(state, job, vertexIndex, subtask, 'FINISHED');
  onTaskFinished(state, job, vertexIndex, subtask);
  afterTaskEnded(state, job);
}
