import { cancelJob } from '../../simulation/commands.js';
import { JOB_STATUSES, type JobState, type JobStatus } from '../../simulation/state/job-state.js';
import type { SimulationState } from '../../simulation/state/simulation-state.js';
import { defineEndpoint, type Endpoint, type EndpointContext } from '../endpoint.js';
import { InternalServerException, RestHandlerException } from '../errors.js';
import { abstractIdHash, hashMapOrder, stringHash } from '../java/hash-order.js';
import { configurationInfo } from '../views/cluster-configuration.js';
import { jobDetailsLine } from './jobs-overview.js';

const APPLICATION_STATES = ['CREATED', 'RUNNING', 'FAILING', 'FAILED', 'CANCELING', 'CANCELED', 'FINISHED'] as const;
type ApplicationState = (typeof APPLICATION_STATES)[number];

/** An application of 2.3 (FLIP-549), made of its one job. */
interface Application {
  readonly id: string;
  readonly name: string;
  readonly status: ApplicationState;
  readonly job: JobState;
  readonly timestamps: Readonly<Record<ApplicationState, number>>;
}

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
    job,
    timestamps: { CREATED: startMs, RUNNING: startMs, FAILING: at('FAILED'), FAILED: at('FAILED'), CANCELING: at('CANCELED'), CANCELED: at('CANCELED'), FINISHED: at('FINISHED') },
  };
}

/** Running ones in the order of the dispatcher's hash map, then those that it has archived. */
function applications(state: SimulationState): Application[] {
  const all = [...state.jobs.values()].map(applicationOf);
  const running = all.filter(({ status }) => status === 'RUNNING');
  return [...hashMapOrder(running, ({ id }) => abstractIdHash(id)), ...all.filter(({ status }) => status !== 'RUNNING')];
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
  const endMs = status === 'RUNNING' ? -1 : timestamps[status];
  return { 'start-time': startMs, 'end-time': endMs, duration: (endMs < 0 ? Math.floor(nowMs) : endMs) - startMs };
}

function details(application: Application, context: EndpointContext) {
  return {
    id: application.id,
    name: application.name,
    status: application.status,
    ...span(application, context.state.nowMs),
    timestamps: Object.fromEntries(hashMapOrder(APPLICATION_STATES, stringHash).map((state) => [state, application.timestamps[state]])),
    jobs: [jobDetailsLine(application.job, context)],
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
        jobs: { [application.job.status]: 1 },
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
      const { status, job } = application;
      if (status === 'FINISHED' || status === 'FAILED') throw new RestHandlerException(409, `Application cancellation failed because the application has already reached another terminal state (${status}).`);
      if (status === 'RUNNING') cancelJob(state, job.id);
      return {};
    },
  }),
  defineEndpoint({ method: 'GET', url: '/applications/:applicationid/jobmanager/config', handle: (_request, { state, version }) => configurationInfo(state, version) }),
];
