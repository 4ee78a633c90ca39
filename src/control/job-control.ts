import type { JobTemplates } from '../rest/jars/job-templates.js';
import type { Program } from '../scenario/job-templates.js';
import { nearestName } from '../scenario/nearest-name.js';
import { ScenarioError, type Problem } from '../scenario/scenario-error.js';
import type { ClockDriver } from '../server/clock-driver.js';
import { cancelJob, submitJob } from '../simulation/commands.js';
import { isGloballyTerminal } from '../simulation/lifecycle/job-status.js';
import type { JobState } from '../simulation/state/job-state.js';
import type { Simulation } from '../simulation/simulation.js';
import type { EventControl } from './event-control.js';
import { readSubmittedJob } from './live-action.js';
import { ControlError } from './problem.js';
import { summarizeJob, type JobSummary } from './state-summary.js';

/** A job as under `jobs:` in a scenario file, or one of its templates. */
export type JobInput = { readonly template: { readonly entryClass: string; readonly arguments?: readonly (string | number)[]; readonly parallelism?: number } } | Readonly<Record<string, unknown>>;

export interface SubmitInput {
  readonly savepointPath?: string | undefined;
  readonly allowNonRestoredState?: boolean | undefined;
}

/** Templates that can say what they hold. */
export interface KnownPrograms extends JobTemplates {
  readonly programs?: readonly Program[];
}

/** Jobs, without Flink's REST API. */
export class JobControl {
  constructor(
    private readonly simulation: Simulation,
    private readonly driver: ClockDriver,
    private readonly templates: KnownPrograms,
    private readonly events: EventControl,
  ) {}

  /** In the order of submission, ended ones too. */
  list(): JobSummary[] {
    this.driver.catchUp();
    const { state } = this.simulation;
    return [...state.jobs.values()].map((job) => summarizeJob(state, job));
  }

  /** By id or name; the latest of that name. */
  get(idOrName: string): JobSummary {
    this.driver.catchUp();
    return summarizeJob(this.simulation.state, this.find(idOrName));
  }

  /** Entry classes of the scenario's templates. */
  templateNames(): readonly string[] {
    return this.templates.entryClasses ?? [];
  }

  /** The templates with their arguments. */
  programs(): readonly Program[] {
    return this.templates.programs ?? [];
  }

  /** Submits a job, now; gives its id. */
  submit(input: JobInput, { savepointPath, allowNonRestoredState }: SubmitInput = {}): string {
    this.driver.catchUp();
    const { state } = this.simulation;
    const problems: Problem[] = [];
    const job = readSubmittedJob(input, state, this.templates, problems);
    if (!job) throw new ScenarioError(problems);
    if (state.jobManager.availability === 'DOWN') throw new ControlError(409, 'the job manager is down; allowed: a submission after it has started again');
    if (job.jobId !== null && state.jobs.has(job.jobId)) throw new ControlError(409, `there is a job with the id ${job.jobId}; give another id, or none`);
    const id = submitJob(state, job, { ...(savepointPath === undefined ? {} : { savepointPath }), ...(allowNonRestoredState === undefined ? {} : { allowNonRestoredState }) });
    state.revision++;
    return id;
  }

  cancel(idOrName: string): void {
    this.driver.catchUp();
    const job = this.find(idOrName);
    if (cancelJob(this.simulation.state, job.id) === 'already-terminal') throw new ControlError(409, `job ${job.name} is ${job.status} already`);
    this.simulation.state.revision++;
  }

  /** Rate of a generator source from now on, records/s. */
  setRate(idOrName: string, operator: string, rate: number | string, ramp: number | string = 0): void {
    this.events.apply({ setSourceRate: { job: this.find(idOrName).id, operator, rate, ramp } });
  }

  private find(idOrName: string): JobState {
    const jobs = [...this.simulation.state.jobs.values()];
    const found = jobs.find(({ id }) => id === idOrName) ?? jobs.findLast(({ name, status }) => name === idOrName && !isGloballyTerminal(status)) ?? jobs.findLast(({ name }) => name === idOrName);
    if (found) return found;
    const names = [...new Set(jobs.map(({ name }) => name))];
    const near = nearestName(idOrName, names);
    throw new ControlError(404, `there is no job ${JSON.stringify(idOrName)}; ${near ? `did you mean ${JSON.stringify(near)}? ` : ''}allowed: ${names.join(', ') || 'none, there is no job'} (or an id)`);
  }
}
