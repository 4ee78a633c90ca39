import { isGloballyTerminal } from '../simulation/lifecycle/job-status.js';
import type { JobModel } from '../simulation/model/job-model.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { announcedAction } from './announced-action.js';

/** Jobs that can be named now: those that run, the latest first, then those that are still to be submitted. */
export function knownJobs(state: SimulationState): JobModel[] {
  const running = [...state.jobs.values()].filter(({ status }) => !isGloballyTerminal(status)).reverse();
  return [...running.map((job) => ({ ...job.model, name: job.name, jobId: job.id, vertices: job.vertices.length > 0 ? job.vertices.map(({ model }) => model) : job.model.vertices })), ...jobsToCome(state)];
}

function jobsToCome(state: SimulationState): JobModel[] {
  const { submissions } = state.queue;
  return submissions.toSorted((a, b) => a.atMs - b.atMs || a.sequence - b.sequence).flatMap((event) => {
    const action = announcedAction(state.model, event);
    return action?.kind === 'submit-job' ? [action.job] : [];
  });
}

/** Vertices and operators of a job, by name and id. */
export function knownOperators(job: JobModel): { readonly name: string; readonly id: string }[] {
  return job.vertices.flatMap((vertex) => [{ name: vertex.name, id: vertex.id }, ...vertex.operators.map(({ name, id }) => ({ name, id }))]);
}
