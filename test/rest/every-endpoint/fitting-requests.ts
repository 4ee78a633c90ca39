import type { RecordedAnswer } from '../../golden/recording.js';
import { BP_VERTICES } from '../../simulation/fixture.js';
import { loadSubmission } from '../cluster/submission-sample.js';
import { JOBS, type FittingCluster } from './fitting-cluster.js';
import { isSince } from './spec.js';

type Json = Record<string, any>;
type Ask = (cluster: FittingCluster) => Promise<RecordedAnswer[]>;

const UNKNOWN_JOB = '0'.repeat(32);
const EVERY_JOB = Object.values(JOBS);

/** GETs of the paths given, one after the other. */
const gets =
  (paths: (cluster: FittingCluster) => readonly string[] | Promise<readonly string[]>): Ask =>
  async (cluster) => {
    const answers: RecordedAnswer[] = [];
    for (const path of await paths(cluster)) answers.push(await cluster.get(path));
    return answers;
  };
const ofJobs = (rest: string): Ask => gets(() => EVERY_JOB.map((job) => `/jobs/${job}${rest}`));
const ofVertex = (rest: string): Ask => gets(({ vertex }) => EVERY_JOB.map((job) => `/jobs/${job}/vertices/${vertex}${rest}`));
const ofTaskManager = (rest: string): Ask => gets(async (cluster) => [`/taskmanagers/${await cluster.taskManager()}${rest}`]);
/** Metrics come with the second question: the first one starts the fetching. */
const metrics = (path: (cluster: FittingCluster) => string | Promise<string>, aggregated: boolean): Ask => async (cluster) => {
  const at = await path(cluster);
  await cluster.get(at);
  await cluster.pass(11);
  const list = await cluster.get(at);
  const ids = (list.json as { id: string }[]).map(({ id }) => id);
  const numeric = ids.find((id) => /numRecords|Heap|uptime|numberOf/.test(id)) ?? ids[0] ?? 'x';
  return [list, await cluster.get(`${at}?get=${encodeURIComponent(aggregated ? numeric : ids.slice(0, 5).join(','))}`)];
};

const checkpointIds = async (cluster: FittingCluster, job: string): Promise<number[]> =>
  ((await cluster.json(`/jobs/${job}/checkpoints`))['history'] as { id: number }[]).map(({ id }) => id).slice(0, 3);
const details = (rest: (vertex: string) => string): Ask =>
  gets(async (cluster) => {
    const paths: string[] = [];
    for (const job of [JOBS.running, JOBS.expiring]) for (const id of await checkpointIds(cluster, job)) paths.push(`/jobs/${job}/checkpoints/details/${id}${rest(cluster.vertex)}`);
    return paths;
  });

const savepointBody = { 'cancel-job': false, 'target-directory': '/data/flink/savepoints' };
const savepoints: Ask = async (cluster) => [
  ...(await cluster.operation('POST', `/jobs/${JOBS.running}/savepoints`, savepointBody, (id) => `/jobs/${JOBS.running}/savepoints/${id}`)),
  ...(await cluster.operation('POST', `/jobs/${UNKNOWN_JOB}/savepoints`, savepointBody, (id) => `/jobs/${UNKNOWN_JOB}/savepoints/${id}`)),
];
const disposals: Ask = async (cluster) => {
  const [, done] = await cluster.operation('POST', `/jobs/${JOBS.running}/savepoints`, savepointBody, (id) => `/jobs/${JOBS.running}/savepoints/${id}`);
  const dispose = (path: string) => cluster.operation('POST', '/savepoint-disposal', { 'savepoint-path': path }, (id) => `/savepoint-disposal/${id}`);
  return [...(await dispose((done!.json as Json)['operation'].location as string)), ...(await dispose('/nope'))];
};
const checkpointTriggers: Ask = async (cluster) => {
  const trigger = (job: string) => cluster.operation('POST', `/jobs/${job}/checkpoints`, { checkpointType: 'FULL' }, (id) => `/jobs/${job}/checkpoints/${id}`);
  return [...(await trigger(JOBS.running)), ...(await trigger(UNKNOWN_JOB))];
};

/** A run on a process, over, so that it has a file. */
const profiled = async (cluster: FittingCluster, process: string): Promise<RecordedAnswer> => {
  const started = await cluster.ask('POST', `${process}/profiler`, { mode: 'ITIMER', duration: 5 });
  await cluster.pass(6);
  return started;
};
const profilerFiles = (process: (cluster: FittingCluster) => Promise<string>): Ask =>
  gets(async (cluster) => {
    const at = await process(cluster);
    await profiled(cluster, at);
    return [`${at}/profiler/${(await cluster.json(`${at}/profiler`))['profilingList'][0].outputFile as string}`];
  });
const jobManager = () => Promise.resolve('/jobmanager');
const taskManager = async (cluster: FittingCluster) => `/taskmanagers/${await cluster.taskManager()}`;

/** One request that does something. */
const once = (method: string, path: (cluster: FittingCluster) => string | Promise<string>, body?: unknown): Ask => async (cluster) => [await cluster.ask(method, await path(cluster), body)];
const jar = (rest: string) => async (cluster: FittingCluster) => `/jars/${await cluster.jarId()}${rest}`;
const program = { entryClass: 'Bp', programArgsList: ['--name', 'of a jar', '--p', '1', '--rate', '100'] };

const submitGraph: Ask = async (cluster) => {
  const { body, contentType } = loadSubmission(isSince(cluster.release, '2.0') ? '2.3.0' : isSince(cluster.release, '1.10') ? '1.20.5' : '1.9.3');
  return [await cluster.client.ask('POST', '/jobs', { body, contentType })];
};

const application = async (cluster: FittingCluster): Promise<readonly string[]> => ((await cluster.json('/applications/overview'))['applications'] as { id: string }[]).map(({ id }) => id);

/** The job's history has four kinds of rescales after this: its start, one for new requirements, one for a lost task manager. */
const rescaled = async (cluster: FittingCluster): Promise<void> => {
  const path = `/jobs/${JOBS.running}/resource-requirements`;
  const requirements = await cluster.json(path);
  await cluster.ask('PUT', path, Object.fromEntries(Object.keys(requirements).map((id) => [id, { parallelism: { lowerBound: 1, upperBound: 3 } }])));
  await cluster.pass(60);
};

/** What to ask for each endpoint, in a state in which it has everything to tell. */
export const REQUESTS: Readonly<Record<string, Ask>> = {
  'GET /config': gets(() => ['/config']),
  'GET /overview': gets(() => ['/overview']),
  'GET /jobmanager/config': gets(() => ['/jobmanager/config']),
  'GET /jobmanager/environment': gets(() => ['/jobmanager/environment']),
  'GET /jobmanager/log': gets(() => ['/jobmanager/log']),
  'GET /jobmanager/stdout': gets(() => ['/jobmanager/stdout']),
  'GET /jobmanager/logs': gets(() => ['/jobmanager/logs']),
  'GET /jobmanager/logs/:filename': gets(async (cluster) => ((await cluster.json('/jobmanager/logs'))['logs'] as { name: string }[]).map(({ name }) => `/jobmanager/logs/${name}`)),
  'GET /jobmanager/metrics': metrics(() => '/jobmanager/metrics', false),
  'GET /jobmanager/thread-dump': gets(() => ['/jobmanager/thread-dump']),
  'POST /jobmanager/profiler': async (cluster) => [await profiled(cluster, '/jobmanager')],
  'GET /jobmanager/profiler': async (cluster) => {
    await cluster.ask('POST', '/jobmanager/profiler', { mode: 'CPU', duration: 5 });
    const running = await cluster.get('/jobmanager/profiler');
    await cluster.pass(6);
    return [running, await cluster.get('/jobmanager/profiler')];
  },
  'GET /jobmanager/profiler/:filename': profilerFiles(jobManager),

  'GET /taskmanagers': gets(() => ['/taskmanagers']),
  'GET /taskmanagers/metrics': metrics(() => '/taskmanagers/metrics', true),
  'GET /taskmanagers/:taskmanagerid': ofTaskManager(''),
  'GET /taskmanagers/:taskmanagerid/metrics': metrics(async (cluster) => `/taskmanagers/${await cluster.taskManager()}/metrics`, false),
  'GET /taskmanagers/:taskmanagerid/log': ofTaskManager('/log'),
  'GET /taskmanagers/:taskmanagerid/stdout': ofTaskManager('/stdout'),
  'GET /taskmanagers/:taskmanagerid/logs': ofTaskManager('/logs'),
  'GET /taskmanagers/:taskmanagerid/logs/:filename': gets(async (cluster) => {
    const at = await taskManager(cluster);
    return ((await cluster.json(`${at}/logs`))['logs'] as { name: string }[]).map(({ name }) => `${at}/logs/${name}`);
  }),
  'GET /taskmanagers/:taskmanagerid/thread-dump': ofTaskManager('/thread-dump'),
  'POST /taskmanagers/:taskmanagerid/profiler': async (cluster) => [await profiled(cluster, await taskManager(cluster))],
  'GET /taskmanagers/:taskmanagerid/profiler': async (cluster) => {
    const at = await taskManager(cluster);
    await profiled(cluster, at);
    return [await cluster.get(`${at}/profiler`)];
  },
  'GET /taskmanagers/:taskmanagerid/profiler/:filename': profilerFiles(taskManager),

  'GET /jobs': gets(() => ['/jobs']),
  'GET /jobs/overview': gets(() => ['/jobs/overview']),
  'GET /jobs/metrics': metrics(() => '/jobs/metrics', true),
  'GET /jobs/:jobid': ofJobs(''),
  'GET /jobs/:jobid/accumulators': gets(() => EVERY_JOB.flatMap((job) => [`/jobs/${job}/accumulators`, `/jobs/${job}/accumulators?includeSerializedValue=true`])),
  'GET /jobs/:jobid/config': ofJobs('/config'),
  'GET /jobs/:jobid/exceptions': ofJobs('/exceptions'),
  'GET /jobs/:jobid/execution-result': ofJobs('/execution-result'),
  'GET /jobs/:jobid/metrics': metrics(() => `/jobs/${JOBS.running}/metrics`, false),
  'GET /jobs/:jobid/plan': ofJobs('/plan'),
  'GET /jobs/:jobid/status': ofJobs('/status'),
  'GET /jobs/:jobid/jobmanager/config': ofJobs('/jobmanager/config'),
  'GET /jobs/:jobid/jobmanager/environment': ofJobs('/jobmanager/environment'),
  'GET /jobs/:jobid/jobmanager/log-url': ofJobs('/jobmanager/log-url'),
  'GET /jobs/:jobid/taskmanagers/:taskmanagerid/log-url': gets(async (cluster) => [`/jobs/${JOBS.running}/taskmanagers/${await cluster.taskManager()}/log-url`]),
  'GET /jobs/:jobid/checkpoints': ofJobs('/checkpoints'),
  'GET /jobs/:jobid/checkpoints/config': ofJobs('/checkpoints/config'),
  'GET /jobs/:jobid/checkpoints/details/:checkpointid': details(() => ''),
  'GET /jobs/:jobid/checkpoints/details/:checkpointid/subtasks/:vertexid': details((vertex) => `/subtasks/${vertex}`),
  'GET /jobs/:jobid/vertices/:vertexid': ofVertex(''),
  'GET /jobs/:jobid/vertices/:vertexid/accumulators': ofVertex('/accumulators'),
  'GET /jobs/:jobid/vertices/:vertexid/backpressure': async (cluster) => {
    const path = `/jobs/${JOBS.running}/vertices/${cluster.vertex}/backpressure`;
    const first = await cluster.get(path);
    await cluster.pass(12);
    const second = await cluster.get(path);
    // Before 1.13 the threads of running tasks are looked at: there is no answer about others.
    return isSince(cluster.release, '1.13') ? [first, second, await cluster.get(`/jobs/${JOBS.finished}/vertices/${cluster.vertex}/backpressure`)] : [first, second];
  },
  'GET /jobs/:jobid/vertices/:vertexid/flamegraph': async (cluster) => {
    const path = `/jobs/${JOBS.running}/vertices/${cluster.vertex}/flamegraph`;
    const first = await cluster.get(path);
    await cluster.pass(12);
    return [first, await cluster.get(path), await cluster.get(`/jobs/${JOBS.finished}/vertices/${cluster.vertex}/flamegraph`)];
  },
  'GET /jobs/:jobid/vertices/:vertexid/jm-operator-metrics': metrics(() => `/jobs/${JOBS.expiring}/vertices/${BP_VERTICES.source}/jm-operator-metrics`, false),
  'GET /jobs/:jobid/vertices/:vertexid/metrics': metrics(({ vertex }) => `/jobs/${JOBS.running}/vertices/${vertex}/metrics`, false),
  'GET /jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex': ofVertex('/subtasks/0'),
  'GET /jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/attempts/:attempt': ofVertex('/subtasks/0/attempts/0'),
  'GET /jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/attempts/:attempt/accumulators': ofVertex('/subtasks/0/attempts/0/accumulators'),
  'GET /jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/metrics': metrics(({ vertex }) => `/jobs/${JOBS.running}/vertices/${vertex}/subtasks/0/metrics`, false),
  'GET /jobs/:jobid/vertices/:vertexid/subtasks/accumulators': ofVertex('/subtasks/accumulators'),
  'GET /jobs/:jobid/vertices/:vertexid/subtasks/metrics': metrics(({ vertex }) => `/jobs/${JOBS.running}/vertices/${vertex}/subtasks/metrics`, true),
  'GET /jobs/:jobid/vertices/:vertexid/subtasktimes': ofVertex('/subtasktimes'),
  'GET /jobs/:jobid/vertices/:vertexid/taskmanagers': ofVertex('/taskmanagers'),
  'GET /jobs/:jobid/vertices/:vertexid/watermarks': ofVertex('/watermarks'),

  'POST /jobs/:jobid/savepoints': once('POST', () => `/jobs/${JOBS.running}/savepoints`, savepointBody),
  'GET /jobs/:jobid/savepoints/:triggerid': savepoints,
  'POST /savepoint-disposal': once('POST', () => '/savepoint-disposal', { 'savepoint-path': '/nope' }),
  'GET /savepoint-disposal/:triggerid': disposals,
  'POST /jobs/:jobid/checkpoints': once('POST', () => `/jobs/${JOBS.running}/checkpoints`, {}),
  'GET /jobs/:jobid/checkpoints/:triggerid': checkpointTriggers,
  'GET /datasets': gets(() => ['/datasets']),
  'DELETE /datasets/:datasetid': once('DELETE', () => `/datasets/${'0'.repeat(32)}`),
  'GET /datasets/delete/:triggerid': (cluster) => cluster.operation('DELETE', `/datasets/${'0'.repeat(32)}`, undefined, (id) => `/datasets/delete/${id}`),
  'PATCH /jobs/:jobid/clientHeartbeat': once('PATCH', () => `/jobs/${JOBS.running}/clientHeartbeat`, { expiredTimestamp: 1 }),

  'POST /jars/upload': async (cluster) => [await cluster.upload()],
  'GET /jars': gets(async (cluster) => (await cluster.jarId(), ['/jars'])),
  'GET /jars/:jarid/plan': once('GET', jar('/plan?entry-class=Bp')),
  'POST /jars/:jarid/plan': once('POST', jar('/plan'), program),
  'POST /jars/:jarid/run': once('POST', jar('/run'), program),
  'POST /jars/:jarid/run-application': once('POST', jar('/run-application'), program),
  'DELETE /jars/:jarid': async (cluster) => [await cluster.ask('DELETE', `/jars/${((await cluster.upload()).json as Json)['filename'].split('/').at(-1) as string}`)],
  'POST /jobs': submitGraph,

  'GET /applications/overview': gets(() => ['/applications/overview']),
  'GET /applications/:applicationid': gets(async (cluster) => (await application(cluster)).map((id) => `/applications/${id}`)),
  'GET /applications/:applicationid/exceptions': gets(async (cluster) => (await application(cluster)).map((id) => `/applications/${id}/exceptions`)),
  'GET /applications/:applicationid/jobmanager/config': gets(async (cluster) => (await application(cluster)).map((id) => `/applications/${id}/jobmanager/config`)),
  'POST /applications/:applicationid/cancel': async (cluster) => {
    const job = await cluster.submit();
    const all = (await cluster.json('/applications/overview'))['applications'] as { id: string }[];
    for (const { id } of all) {
      const { jobs } = await cluster.json(`/applications/${id}`);
      if (jobs[0].jid === job) return [await cluster.ask('POST', `/applications/${id}/cancel`)];
    }
    throw new Error('the job has no application');
  },

  'PATCH /jobs/:jobid': async (cluster) => [await cluster.ask('PATCH', `/jobs/${await cluster.submit()}?mode=cancel`)],
  'GET /jobs/:jobid/yarn-cancel': async (cluster) => [await cluster.get(`/jobs/${await cluster.submit()}/yarn-cancel`)],
  'POST /jobs/:jobid/stop': async (cluster) => [await cluster.ask('POST', `/jobs/${await cluster.submit()}/stop`, { drain: false })],
  'DELETE /cluster': once('DELETE', () => '/cluster'),
};

/** The same for endpoints that only jobs of the adaptive scheduler have. */
export const ADAPTIVE_REQUESTS: Readonly<Record<string, Ask>> = {
  'GET /jobs/:jobid/resource-requirements': gets(() => [`/jobs/${JOBS.running}/resource-requirements`]),
  'PUT /jobs/:jobid/resource-requirements': async (cluster) => {
    const path = `/jobs/${JOBS.running}/resource-requirements`;
    return [await cluster.ask('PUT', path, await cluster.json(path))];
  },
  'GET /jobs/:jobid/rescales/config': gets(() => [`/jobs/${JOBS.running}/rescales/config`]),
  'GET /jobs/:jobid/rescales/history': async (cluster) => {
    await rescaled(cluster);
    return [await cluster.get(`/jobs/${JOBS.running}/rescales/history`)];
  },
  'GET /jobs/:jobid/rescales/overview': async (cluster) => {
    await cluster.loseTaskManager();
    return [await cluster.get(`/jobs/${JOBS.running}/rescales/overview`)];
  },
  'GET /jobs/:jobid/rescales/summary': gets(() => [`/jobs/${JOBS.running}/rescales/summary`]),
  'GET /jobs/:jobid/rescales/details/:rescaleuuid': gets(async (cluster) => {
    const history = (await cluster.json(`/jobs/${JOBS.running}/rescales/history`)) as unknown as { rescaleUuid: string }[];
    return history.map(({ rescaleUuid }) => `/jobs/${JOBS.running}/rescales/details/${rescaleUuid}`);
  }),
};

interface NeverAnswered {
  readonly status: number;
  readonly reason: string;
  readonly ask: Ask;
  /** The only release that does; absent = all. */
  readonly release?: string;
}

/** Endpoints that real Flink itself answers with an error, whatever the state. */
const NEVER_ANSWERED: Readonly<Record<string, NeverAnswered>> = {
  'POST /jars/:jarid/plan': { status: 404, reason: 'its class is older than its route (1.10)', ask: once('POST', jar('/plan'), program), release: '1.9.3' },
  'PATCH /jobs/:jobid/rescaling': { status: 503, reason: 'switched off since 1.9 (FLINK-12312)', ask: once('PATCH', () => `/jobs/${JOBS.running}/rescaling?parallelism=2`) },
  'GET /jobs/:jobid/rescaling/:triggerid': { status: 503, reason: 'switched off since 1.9 (FLINK-12312)', ask: once('GET', () => `/jobs/${JOBS.running}/rescaling/${'0'.repeat(32)}`) },
  'GET /jobs/:jobid/yarn-stop': { status: 308, reason: 'a plain stop gave way to stop-with-savepoint (FLINK-12301)', ask: once('GET', () => `/jobs/${JOBS.running}/yarn-stop`) },
  'POST /jobs/:jobid/coordinators/:operatorid': {
    status: 500,
    reason: 'only coordinators of collect sinks and the like answer clients; no simulated operator is one',
    ask: once('POST', ({ vertex }) => `/jobs/${JOBS.running}/coordinators/${vertex}`, { serializedCoordinationRequest: 'rO0ABXA=' }),
  },
  'POST /jobs/:jobid/coordinators/:operatorUid': {
    status: 500,
    reason: 'only coordinators of collect sinks and the like answer clients; no simulated operator is one',
    ask: once('POST', ({ vertex }) => `/jobs/${JOBS.running}/coordinators/${vertex}`, { serializedCoordinationRequest: 'rO0ABXA=' }),
  },
};

export function neverAnswered(endpoint: string, release: string): NeverAnswered | undefined {
  const found = NEVER_ANSWERED[endpoint];
  return found && (found.release ?? release) === release ? found : undefined;
}
