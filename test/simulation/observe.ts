import type { Simulation } from '../../src/simulation/simulation.js';
import { EXECUTION_STATES, JOB_STATUSES, type ExecutionAttemptState, type ExecutionStateName, type JobState, type JobStatus } from '../../src/simulation/state/job-state.js';

/** The only job, or the one of that name. */
export function jobNamed(simulation: Simulation, name?: string): JobState {
  const job = [...simulation.state.jobs.values()].find((candidate) => name === undefined || candidate.name === name);
  if (!job) throw new Error(`no job ${name ?? ''}`);
  return job;
}

/** Lets time pass until the condition holds, at most `limitMs`; then says whether it does. */
export function advanceUntil(simulation: Simulation, condition: () => boolean, limitMs: number, stepMs = 10): boolean {
  const end = simulation.nowMs + limitMs;
  while (!condition() && simulation.nowMs < end) simulation.advanceBy(stepMs);
  return condition();
}

/** Statuses that the job goes through while time passes, without repetitions. */
export function statusesOf(simulation: Simulation, job: JobState, forMs: number, stepMs = 1): JobStatus[] {
  const seen: JobStatus[] = [job.status];
  const end = simulation.nowMs + forMs;
  while (simulation.nowMs < end) {
    simulation.advanceBy(stepMs);
    if (job.status !== seen.at(-1)) seen.push(job.status);
  }
  return seen;
}

/** States that an attempt has entered, in time. */
export function statesEntered(attempt: ExecutionAttemptState): ExecutionStateName[] {
  return EXECUTION_STATES.map((name, i) => ({ name, ms: attempt.timestamps[i], i }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => a.ms - b.ms || a.i - b.i)
    .map(({ name }) => name);
}

export function enteredMs(job: JobState, status: JobStatus): number {
  return job.statusTimestamps[JOB_STATUSES.indexOf(status)];
}

export function attemptsOf(job: JobState): ExecutionAttemptState[] {
  return job.vertices.flatMap((vertex) => vertex.subtasks.map((execution) => execution.current));
}

/** Messages of a process's log that match. */
export function logged(simulation: Simulation, pattern: RegExp): string[] {
  return simulation.state.jobManager.log.entries.map((entry) => entry.message).filter((message) => pattern.test(message));
}
