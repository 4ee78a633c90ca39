import { fileURLToPath } from 'node:url';
import { MockCluster, until, type Json } from './mock-cluster.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** Jobs to look at, to stop and to cancel, and the identifiers that a client needs to ask about them. */
export async function playLibraryJobs(cluster: MockCluster): Promise<Json> {
  const jar = await cluster.upload();
  const failed = await cluster.runBp(jar, 'failed', { fail: 1, p: 1, iv: 0 });
  const [jobid, toStop, toCancel] = [await cluster.runBp(jar, 'looked at', { us: 2000 }), await cluster.runBp(jar, 'to stop', { us: 0, rate: 500 }), await cluster.runBp(jar, 'to cancel', { us: 0, rate: 500 })];
  for (const job of [jobid, toStop, toCancel]) await cluster.hasCheckpoint(job);
  await cluster.reaches(failed, 'FAILED');
  const trigger = async (path: string, body: Json, poll: (id: string) => string): Promise<Json & { id: string }> => {
    const id = (await cluster.send('POST', path, body))['request-id'] as string;
    let answer: Json = {};
    await until(path, async () => (answer = await cluster.get(poll(id)))['status']?.id === 'COMPLETED', () => sleep(100), 600);
    return { ...answer, id };
  };
  const savepoint = await trigger(`/jobs/${toStop}/savepoints`, { 'target-directory': null, 'cancel-job': false }, (id) => `/jobs/${toStop}/savepoints/${id}`);
  const checkpoint = await trigger(`/jobs/${jobid}/checkpoints`, {}, (id) => `/jobs/${jobid}/checkpoints/${id}`);
  const own = await trigger(`/jobs/${jobid}/savepoints`, { 'target-directory': null, 'cancel-job': false }, (id) => `/jobs/${jobid}/savepoints/${id}`);
  const disposal = await trigger('/savepoint-disposal', { 'savepoint-path': savepoint['operation'].location }, (id) => `/savepoint-disposal/${id}`);
  const vertexid = (await cluster.get(`/jobs/${jobid}`))['vertices'][0].id as string;
  const taskmanagerid = (await cluster.get('/taskmanagers'))['taskmanagers'][0].id as string;
  const checkpointid = Number((await cluster.get(`/jobs/${jobid}/checkpoints`))['history'].find((entry: Json) => entry['status'] === 'COMPLETED').id);
  // metrics are fetched when they are first asked for
  const metrics = ['/jobmanager/metrics', `/jobs/${jobid}/metrics`, `/taskmanagers/${taskmanagerid}/metrics`, `/jobs/${jobid}/vertices/${vertexid}/metrics`];
  for (const path of metrics) await until(path, async () => (await cluster.get(path)).length > 0, () => sleep(100), 300);
  return {
    port: cluster.port, jobid, toStop, toCancel, failed, vertexid, taskmanagerid, checkpointid, subtaskindex: 0, attempt: 0, jarid: jar,
    triggers: { savepoint: own.id, checkpoint: checkpoint.id, disposal: disposal.id }, jar: fileURLToPath(cluster.jar), data: cluster.data,
  };
}
