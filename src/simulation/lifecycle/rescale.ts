import { schedule } from '../event-queue.js';
import { createJobNetwork } from '../network/index.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { createSubtaskColumns } from '../state/subtask-columns.js';
import { createAttempt } from './attempts.js';
import { cancelTasks } from './cancel.js';
import { switchToRestarting } from './job-status.js';
import type { JobEvent } from './scheduling.js';
import { releaseSlots } from './slots.js';

/**
 * Restarts a job with another parallelism, as the adaptive scheduler does: its tasks are cancelled and it goes on from its latest
 * completed checkpoint. The parallelism is one for all vertices or one for each; vertices whose maximum is lower take that.
 */
export function rescaleJob(state: SimulationState, job: JobState, parallelism: number | readonly number[]): void {
  const wanted = job.vertices.map((vertex, v) => Math.min(typeof parallelism === 'number' ? parallelism : parallelism[v], vertex.maxParallelism));
  if (job.status !== 'RUNNING' || job.schedulerType === 'AdaptiveBatch' || !wanted.every((each) => Number.isInteger(each) && each >= 1)) return;
  if (job.vertices.every((vertex, v) => vertex.parallelism === wanted[v])) return;
  job.failover = { resumeAtMs: state.nowMs, tasks: null, global: true, cause: '', parallelism: wanted };
  job.waitingForSlotsSinceMs = -1;
  switchToRestarting(state, job);
  schedule(state.queue, state.nowMs, 'lifecycle.restart', { jobId: job.id, generation: job.generation } satisfies JobEvent);
  cancelTasks(state, job, null);
}

/** The new subtasks, CREATED; attempt numbers of those that there were go on. */
export function applyParallelism(state: SimulationState, job: JobState, parallelism: readonly number[]): void {
  job.vertices.forEach((vertex, v) => {
    const next = parallelism[v];
    const before = vertex.subtasks;
    vertex.parallelism = next;
    vertex.model = { ...vertex.model, parallelism: next };
    vertex.subtasks = Array.from({ length: next }, (_, subtask) => {
      const known = before[subtask];
      const attemptNumber = known ? known.current.attemptNumber + 1 : 0;
      return { index: subtask, current: createAttempt(state, job.id, job.executionGraphId, vertex.id, subtask, attemptNumber), priorAttempts: known ? [...known.priorAttempts, known.current] : [] };
    });
    vertex.columns = createSubtaskColumns(next);
  });
  job.network = createJobNetwork(state, job);
  // The adaptive scheduler's slot pool keeps what it has until it is idle for long.
  if (job.schedulerType !== 'Adaptive') releaseSlots(state, job);
}
