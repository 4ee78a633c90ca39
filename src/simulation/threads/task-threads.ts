import type { ExecutionAttemptState, JobState, JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { valueIn } from '../../versions/flink-versions.js';
import { TASK_HELPER_THREADS, type HelperThread } from '../../versions/thread-table.js';
import { versionOf } from '../version.js';

/** The helper threads that a running task of the vertex has. */
export function helperThreadsOf(state: SimulationState, job: JobState, vertex: JobVertexState): readonly HelperThread[] {
  return valueIn(TASK_HELPER_THREADS, versionOf(state)).filter((helper) => applies(job, vertex, helper.when));
}

function applies(job: JobState, vertex: JobVertexState, when: HelperThread['when']): boolean {
  const { source } = vertex.model.operators[0];
  switch (when) {
    case 'always':
      return true;
    case 'writes':
      return job.model.bufferTimeoutMs > 0 && job.model.edges.some((edge) => edge.sourceVertexId === vertex.id);
    case 'checkpoints':
      return job.checkpoints !== null;
    case 'legacy-source':
      return source !== null && source.legacy;
    case 'legacy-kafka':
      return source !== null && source.kind === 'kafka' && source.legacy;
    case 'kafka':
      return source !== null && source.kind === 'kafka' && !source.legacy;
  }
}

/** `Name (1/2)`, and from 1.13 on `#` and the attempt's number: what a task's thread is called. */
export function taskThreadName(state: SimulationState, vertex: JobVertexState, attempt: ExecutionAttemptState, subtask: number): string {
  const name = `${vertex.model.name} (${subtask + 1}/${vertex.parallelism})`;
  return valueIn([['1.9', false], ['1.13', true]], versionOf(state)) ? `${name}#${attempt.attemptNumber}` : name;
}
