import type { ExecutionAttemptState, JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';

/** `Enrich (1/2)` */
export function taskName(job: JobState, vertexIndex: number, subtask: number): string {
  const vertex = job.vertices[vertexIndex];
  return `${vertex.model.name} (${subtask + 1}/${vertex.parallelism})`;
}

/** As the task manager's log names a task: with `#<attempt>` where the version adds it. */
export function taskNameWithAttempt(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): string {
  const name = taskName(job, vertexIndex, subtask);
  return lifecycleOf(state).taskNameHasAttempt ? `${name}#${job.vertices[vertexIndex].subtasks[subtask].current.attemptNumber}` : name;
}

/** `<resource id> @ <host> (dataPort=<port>)`, as TaskManagerLocation prints itself. */
export function locationText(attempt: ExecutionAttemptState): string {
  return attempt.taskManagerId === null ? '[unassigned resource]' : `${attempt.taskManagerId} @ ${attempt.host} (dataPort=${attempt.dataPort})`;
}

/** Values that many log lines name: addresses, the job. */
export function logValues(state: SimulationState, job?: JobState): Record<string, string | number> {
  const { rpcSystem, rpcUserPath, resourceManagerEndpoint } = lifecycleOf(state);
  const { host, rpcPort } = state.jobManager;
  const common = { rpcSystem, rpcPath: rpcUserPath, resourceManager: resourceManagerEndpoint, host, port: rpcPort };
  return job ? { ...common, job: job.name, id: job.id, number: job.jobMasterNumber } : common;
}
