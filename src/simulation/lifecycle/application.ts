import { schedule } from '../event-queue.js';
import { logLine } from '../logs/index.js';
import { booleanOption, durationOption, findOption } from '../options.js';
import { hex } from '../random.js';
import type { ApplicationState, ApplicationStateName } from '../state/cluster-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';
import { hasHighAvailability } from './high-availability.js';
import { logValues } from './names.js';

const ZERO_JOB_ID = '0'.repeat(32);
/** From the start of the process until its program submits its job. */
export const MAIN_METHOD_MS = 1_500;
/** What a process whose application failed ends with, as it logs it. */
const FAILED_EXIT_CODE = 1443;

type EndStatus = 'FINISHED' | 'CANCELED' | 'FAILED';

interface ApplicationEvent {
  readonly id: string;
  readonly status: EndStatus;
}

/** The cluster is there for one program. */
export function isApplicationCluster(state: SimulationState): boolean {
  return state.model.cluster.application !== undefined;
}

/** Classes that the job manager's process names in its log. */
export function entrypointValues(state: SimulationState): { readonly entrypoint: string; readonly restEndpoint: string } {
  return isApplicationCluster(state)
    ? { entrypoint: lifecycleOf(state).applicationEntrypoint, restEndpoint: 'jobmaster.MiniDispatcherRestEndpoint' }
    : { entrypoint: 'StandaloneSessionClusterEntrypoint', restEndpoint: 'dispatcher.DispatcherRestEndpoint' };
}

/** The id that the program's job must have: the one that was set, and with high availability always the same one; null = any. */
export function fixedJobId(state: SimulationState): string | null {
  if (!isApplicationCluster(state)) return null;
  return findOption(state.options, '$internal.pipeline.job-id') ?? (hasHighAvailability(state) ? ZERO_JOB_ID : null);
}

/** The program's main method begins, in a job manager's process that has just started to lead. */
export function startApplication(state: SimulationState): void {
  const { application } = state.model.cluster;
  if (!application) return;
  const timestamps = { CREATED: state.nowMs, RUNNING: state.nowMs, FAILING: 0, FAILED: 0, CANCELING: 0, CANCELED: 0, FINISHED: 0 };
  state.application = { id: hex(32, state.model.seed, 'application', state.jobManager.predecessors), name: application.entryClass, status: 'RUNNING', timestamps };
  logLine(state, state.jobManager.log, 'namedApplicationSwitched', { name: application.entryClass, id: state.application.id, from: 'CREATED', to: 'RUNNING' });
}

/** The program has submitted its job. */
export function joinApplication(state: SimulationState, job: JobState): void {
  const { application } = state;
  if (!application) return;
  job.applicationId = application.id;
  job.applicationName = application.name;
  logLine(state, state.jobManager.log, 'embeddedSubmitted', { id: job.id });
  logLine(state, state.jobManager.log, 'embeddedSubmitting', { id: job.id });
}

/** The job of the program has ended: the job manager hears of it the next time it asks. */
export function onApplicationJobEnded(state: SimulationState, job: JobState, status: EndStatus): void {
  const { application } = state;
  if (application?.id !== job.applicationId) return;
  const periodMs = durationOption(state.options, 'client.retry-period', 2_000);
  const askedMs = lifecycleOf(state).applicationPollsResult ? job.startMs + Math.ceil((state.nowMs - job.startMs) / periodMs) * periodMs : state.nowMs;
  schedule(state.queue, Math.max(state.nowMs, askedMs), 'lifecycle.application-ended', { id: application.id, status } satisfies ApplicationEvent);
}

function enter(state: SimulationState, application: ApplicationState, to: ApplicationStateName): void {
  const from = application.status;
  if (from === to) return;
  application.status = to;
  application.timestamps[to] = state.nowMs;
  logLine(state, state.jobManager.log, 'namedApplicationSwitched', { name: application.name, id: application.id, from, to });
}

/** The program is over, and with it the cluster, unless it is told to stay. */
export function onApplicationEnded(state: SimulationState, { id, status }: ApplicationEvent): void {
  const { application } = state;
  if (application?.id !== id || state.jobManager.availability !== 'LEADING') return;
  const { log } = state.jobManager;
  const shown = status === 'FINISHED' ? 'SUCCEEDED' : status;
  if (status === 'FINISHED') logLine(state, log, 'applicationSucceeded');
  else logLine(state, log, 'applicationEnded', { status }, { detail: `java.util.concurrent.CompletionException: org.apache.flink.client.deployment.application.UnsuccessfulExecutionException: Application Status: ${status}` });
  if (status !== 'FINISHED') enter(state, application, status === 'FAILED' ? 'FAILING' : 'CANCELING');
  enter(state, application, status);
  state.revision++;
  if (lifecycleOf(state).applicationCanStay && !booleanOption(state.options, 'execution.shutdown-on-application-finish', true)) return;
  const values = { ...logValues(state), ...entrypointValues(state), status: shown, code: status === 'FAILED' ? FAILED_EXIT_CODE : 0 };
  for (const line of ['shuttingEntrypoint', 'shuttingRest', 'restShutDown', 'shutDownCluster', 'terminatingEntrypoint'] as const) logLine(state, log, line, values);
  schedule(state.queue, state.nowMs, 'fault.cluster-ends', null);
}
