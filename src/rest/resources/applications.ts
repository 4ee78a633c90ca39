import { cancelJob } from '../../simulation/commands.js';
import { APPLICATION_STATES, type ApplicationStateName } from '../../simulation/state/cluster-state.js';
import { JOB_STATUSES, type JobState, type JobStatus } from '../../simulation/state/job-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { InternalServerException, RestHandlerException } from '../errors.js';
import { abstractIdHash, hashMapOrder, stringHash } from '../java/hash-order.js';
import { configurationInfo } from '../views/cluster-configuration.js';
import { jobDetailsLine } from './jobs-overview.js';

/** An application of 2.3 (FLIP-549): a program, or a job that was submitted by itself. */
interface Application {
  readonly id: string;
  readonly name: string;
  readonly status: ApplicationStateName;
  readonly jobs: readonly JobState[];
  readonly timestamps: Readonly<Record<ApplicationStateName, number>>;
}

const ENDED: ReadonlySet<ApplicationStateName> = new Set(['FINISHED', 'FAILED', 'CANCELED']);

function statusTimestamp(job: JobState, status: JobStatus): number {
  return Math.floor(job.statusTimestamps[JOB_STATUSES.indexOf(status)]!);
}

function applicationOf(job: JobState): Application {
  // Only the job's master tells the application of its end: a job that failed before it had one leaves it RUNNING.
  const hadMaster = statusTimestamp(job, 'CREATED') > 0;
  const ended = hadMaster && job.endMs >= 0 && (job.status === 'FINISHED' || job.status === 'FAILED' || job.status === 'CANCELED') ? job.status : null;
  const at = (status: JobStatus) => (ended === status ? statusTimestamp(job, status) : 0);
  const startMs = Math.floor(job.startMs);
  return {
    id: job.applicationId,
    name: job.applicationName ?? `SingleJobApplication(${job.name})`,
    status: ended ?? 'RUNNING',
    jobs: [job],
    timestamps: { CREATED: startMs, RUNNING: startMs, FAILING: at('FAILED'), FAILED: at('FAILED'), CANCELING: at('CANCELED'), CANCELED: at('CANCELED'), FINISHED: at('FINISHED') },
  };
}

function wholeTimes(timestamps: Readonly<Record<ApplicationStateName, number>>): Record<ApplicationStateName, number> {
  return Object.fromEntries(APPLICATION_STATES.map((name) => [name, Math.floor(timestamps[name])])) as Record<ApplicationStateName, number>;
}

/** Running ones in the order of the dispatcher's hash map, then those that it has archived. */
function applications(state: SimulationState): Application[] {
  const { application } = state;
  const jobs = [...state.jobs.values()];
  const own = application ? [{ ...application, timestamps: wholeTimes(application.timestamps), jobs: jobs.filter((job) => job.applicationId === application.id) }] : [];
  const all = [...own, ...jobs.filter((job) => job.applicationId !== application?.id).map(applicationOf)];
  const running = all.filter(({ status }) => !ENDED.has(status));
  return [...hashMapOrder(running, ({ id }) => abstractIdHash(id)), ...all.filter(({ status }) => ENDED.has(status))];
}

function find(state: SimulationState, id: string): Application | null {
  return applications(state).find((application) => application.id === id) ?? null;
}

function findOrFail(state: SimulationState, id: string): Application {
  const application = find(state, id);
  if (!application) throw new InternalServerException('org.apache.flink.runtime.messages.FlinkApplicationNotFoundException', `Could not find Flink application (${id})`);
  return application;
}

function span({ status, timestamps }: Application, nowMs: number) {
  const startMs = timestamps.RUNNING;
  const endMs = ENDED.has(status) ? timestamps[status] : -1;
  return { 'start-time': startMs, 'end-time': endMs, duration: (endMs < 0 ? Math.floor(nowMs) : endMs) - startMs };
}

function countByStatus(jobs: readonly JobState[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of jobs) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function details(application: Application, context: EndpointContext) {
  return {
    id: application.id,
    name: application.name,
    status: application.status,
    ...span(application, context.state.nowMs),
    timestamps: Object.fromEntries(hashMapOrder(APPLICATION_STATES, stringHash).map((state) => [state, application.timestamps[state]])),
    jobs: application.jobs.map((job) => jobDetailsLine(job, context)),
  };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/applications/overview',
    handle: (_request, { state }) => ({
      applications: applications(state).map((application) => ({
        id: application.id,
        name: application.name,
        ...span(application, state.nowMs),
        status: application.status,
        jobs: countByStatus(application.jobs),
      })),
    }),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/applications/:applicationid',
    handle: (request, context) => details(findOrFail(context.state, request.params['applicationid']!), context),
  }),
  defineEndpoint({
    method: 'GET',
    url: '/applications/:applicationid/exceptions',
    handle: (request, { state }) => {
      findOrFail(state, request.params['applicationid']!);
      // An application's own exceptions are those of its main method; what its job throws is told by the job.
      return { exceptionHistory: { entries: [] } };
    },
  }),
  defineEndpoint({
    method: 'POST',
    url: '/applications/:applicationid/cancel',
    handle: (request, { state }) => {
      const application = find(state, request.params['applicationid']!);
      if (!application) throw new RestHandlerException(404, 'Application could not be found.');
      const { status, jobs } = application;
      if (status === 'FINISHED' || status === 'FAILED') throw new RestHandlerException(409, `Application cancellation failed because the application has already reached another terminal state (${status}).`);
      if (!ENDED.has(status)) for (const job of jobs) cancelJob(state, job.id);
      return {};
    },
  }),
  defineEndpoint({ method: 'GET', url: '/applications/:applicationid/jobmanager/config', handle: (_request, { state, version }) => configurationInfo(state, version) }),
];
