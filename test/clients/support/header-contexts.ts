import { MockCluster, until, type Json } from './mock-cluster.js';

/** Values of the parameters that a message class's URL has; `url` is a part of the URL when the values are only for some. */
export type Context = Record<string, string>;

/** Lets a job run, take a savepoint, fail, be stopped and be cancelled, and gives the values with which all of this can be asked for. */
export async function playHeaderJobs(cluster: MockCluster): Promise<Context[]> {
  const jar = await cluster.upload();
  const second = () => cluster.advance(1);
  const state = async (job: string) => (await cluster.get(`/jobs/${job}`))['state'] as string;
  const reaches = (job: string, wanted: string) => until(`${job} is ${wanted}`, async () => (await state(job)) === wanted, second);
  const completed = (path: string) => until(`${path} is done`, async () => (await cluster.get(path))['status']?.id === 'COMPLETED', second);
  const afterCheckpoint = (job: string) => until(`${job} has a checkpoint`, async () => ((await cluster.get(`/jobs/${job}/checkpoints`))['counts']?.completed ?? 0) > 0, second);
  const contexts: Context[] = [{}, { jarid: jar }];

  const failed = await cluster.runBp(jar, 'fails', { fail: 500 });
  await reaches(failed, 'FAILED');

  const cancelled = await cluster.runBp(jar, 'is cancelled', { us: 0, rate: 500 });
  await afterCheckpoint(cancelled);
  await cluster.send('PATCH', `/jobs/${cancelled}?mode=cancel`);
  await reaches(cancelled, 'CANCELED');

  const finished = await cluster.runBp(jar, 'is stopped', { us: 0, rate: 500 });
  await afterCheckpoint(finished);
  const stop = (await cluster.send('POST', `/jobs/${finished}/stop`, { targetDirectory: null, drain: false }))['request-id'];
  await completed(`/jobs/${finished}/savepoints/${stop}`);
  contexts.push({ jobid: finished, triggerid: stop, url: '/savepoints/' });

  const withSavepoint = await cluster.runBp(jar, 'has a savepoint', { us: 0, rate: 500 });
  await afterCheckpoint(withSavepoint);
  const savepoint = (await cluster.send('POST', `/jobs/${withSavepoint}/savepoints`, { 'target-directory': null, 'cancel-job': false }))['request-id'];
  const savepointPath = `/jobs/${withSavepoint}/savepoints/${savepoint}`;
  await completed(savepointPath);
  contexts.push({ jobid: withSavepoint, triggerid: savepoint, url: '/savepoints/' });
  const disposal = (await cluster.send('POST', '/savepoint-disposal', { 'savepoint-path': (await cluster.get(savepointPath))['operation'].location }))['request-id'];
  await completed(`/savepoint-disposal/${disposal}`);
  contexts.push({ triggerid: disposal, url: '/savepoint-disposal/' });
  const deletion = await cluster.ask('DELETE', `/datasets/${'0'.repeat(32)}`);
  if (deletion.status === 202) contexts.push({ triggerid: deletion.json['request-id'], url: '/datasets/delete/' });
  const trigger = await cluster.ask('POST', `/jobs/${withSavepoint}/checkpoints`, { checkpointType: 'CONFIGURED' });
  if (trigger.status === 202) {
    await completed(`/jobs/${withSavepoint}/checkpoints/${trigger.json['request-id']}`);
    contexts.push({ jobid: withSavepoint, triggerid: trigger.json['request-id'], url: '/checkpoints/' });
  }

  // back pressured, a checkpoint on its way while it is asked about
  const running = await cluster.runBp(jar, 'runs', { us: 2000 });
  await afterCheckpoint(running);

  const managers: string[] = ((await cluster.get('/taskmanagers'))['taskmanagers'] as Json[]).map((manager) => manager['id']);
  contexts.push({ taskmanagerid: managers[0]! });
  const application = (await cluster.ask('GET', '/applications/overview')).json['applications']?.[0]?.id as string | undefined;
  if (application !== undefined) contexts.push({ applicationid: application });
  for (const job of [running, withSavepoint, failed, finished, cancelled]) contexts.push(...(await contextsOfJob(cluster, job, managers[0]!)));
  await warmCaches(cluster, contexts);
  return contexts;
}

async function contextsOfJob(cluster: MockCluster, jobid: string, taskmanagerid: string): Promise<Context[]> {
  const contexts: Context[] = [{ jobid }, { jobid, taskmanagerid }];
  // the first and the one that is slow
  const vertices = ((await cluster.get(`/jobs/${jobid}`))['vertices'] as Json[]).map((vertex) => String(vertex['id'])).filter((_, index) => index === 0 || index === 2);
  const history = ((await cluster.get(`/jobs/${jobid}/checkpoints`))['history'] ?? []) as Json[];
  const checkpoints = history.slice(0, 3).map((checkpoint) => String(checkpoint['id']));
  for (const vertexid of vertices) {
    contexts.push({ jobid, vertexid }, { jobid, vertexid, subtaskindex: '0' }, { jobid, vertexid, subtaskindex: '1', attempt: '0' });
    for (const checkpointid of checkpoints) contexts.push({ jobid, checkpointid, vertexid });
  }
  return contexts.concat(checkpoints.map((checkpointid) => ({ jobid, checkpointid })));
}

/** Metrics and samples are fetched when they are asked for; then the clock stands, so that two requests get the same. */
async function warmCaches(cluster: MockCluster, contexts: readonly Context[]): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const { jobid, vertexid, subtaskindex, checkpointid } of contexts) {
      if (vertexid === undefined || subtaskindex !== undefined || checkpointid !== undefined) continue;
      for (const what of ['metrics', 'backpressure', 'flamegraph']) await cluster.ask('GET', `/jobs/${jobid}/vertices/${vertexid}/${what}`);
    }
    await cluster.advance(6);
  }
  await cluster.get('/taskmanagers');
}

/** A job of the adaptive scheduler that was rescaled, and the values with which its rescales can be asked for. */
export async function playAdaptiveJob(cluster: MockCluster): Promise<Context[]> {
  const jar = await cluster.upload();
  const jobid = await cluster.runBp(jar, 'adaptive', { us: 0, rate: 500, p: 1 });
  const second = () => cluster.advance(1);
  const runsIn = (tasks: number) => until(`${tasks} tasks run`, async () => ((await cluster.get('/jobs/overview'))['jobs'] as Json[])[0]!['tasks'].running === tasks, second);
  await runsIn(4);
  // a rescale keeps a distance to the one before
  await cluster.advance(40);
  const requirements = (await cluster.get(`/jobs/${jobid}/resource-requirements`)) as Json;
  await cluster.send('PUT', `/jobs/${jobid}/resource-requirements`, Object.fromEntries(Object.keys(requirements).map((vertex) => [vertex, { parallelism: { lowerBound: 1, upperBound: 2 } }])));
  await runsIn(8);
  await cluster.advance(10);
  const managers = (await cluster.get('/taskmanagers'))['taskmanagers'] as Json[];
  const history = (await cluster.ask('GET', `/jobs/${jobid}/rescales/history`)).json as Json[];
  const rescales = Array.isArray(history) ? history.map((rescale) => ({ jobid, rescaleuuid: String(rescale['rescaleUuid']) })) : [];
  return [{ jobid }, ...rescales, ...(await contextsOfJob(cluster, jobid, managers[0]!['id']))];
}

/** Values for the jobs of a scenario as it opens. */
export async function contextsOfScenario(cluster: MockCluster): Promise<Context[]> {
  const manager = String((await cluster.get('/taskmanagers'))['taskmanagers'][0].id);
  const contexts: Context[] = [{}, { taskmanagerid: manager }];
  for (const { id } of (await cluster.get('/jobs'))['jobs'] as Json[]) contexts.push(...(await contextsOfJob(cluster, String(id), manager)));
  await warmCaches(cluster, contexts);
  return contexts;
}
