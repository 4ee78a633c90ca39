import { describe, expect, it } from 'vitest';
import { readJavaObject, type JavaObject } from '../../../src/rest/jars/java-serialization.js';
import { bpJob, submissions } from '../../simulation/fixture.js';
import { firstError, startCluster, type Cluster } from './client.js';

const JOB = 'a'.repeat(32);
const OTHER_JOB = 'b'.repeat(32);
const TRIGGER = '0123456789abcdef0123456789abcdef';
const jobs = submissions([bpJob({ jobId: JOB, name: 'one', p: 1 }), bpJob({ jobId: OTHER_JOB, name: 'other', p: 1 })]);

async function completed(cluster: Cluster, path: string): Promise<Record<string, any>> {
  for (let i = 0; i < 200; i++) {
    const body = (await cluster.get(path)).json as { status: { id: string }; operation: Record<string, any> | null };
    if (body.status.id === 'COMPLETED') return body.operation!;
    expect(body).toEqual({ status: { id: 'IN_PROGRESS' }, operation: null });
    await cluster.pass(0.1);
  }
  throw new Error('the operation did not end');
}

describe('a savepoint', () => {
  it('is triggered once for a trigger id that the client chose, and known for its job only', async () => {
    await using cluster = await startCluster('1.20.5', { jobs });
    const first = await cluster.post(`/jobs/${JOB}/savepoints`, { triggerId: TRIGGER });
    expect([first.status, first.json]).toEqual([202, { 'request-id': TRIGGER }]);
    expect((await cluster.post(`/jobs/${JOB}/savepoints`, { triggerId: TRIGGER.toUpperCase() })).json).toEqual({ 'request-id': TRIGGER });
    const { location } = await completed(cluster, `/jobs/${JOB}/savepoints/${TRIGGER}`);
    expect(location).toMatch(/^file:\/data\/flink\/savepoints\/savepoint-aaaaaa-[0-9a-f]{12}$/);
    expect((await cluster.post(`/jobs/${JOB}/savepoints`, { triggerId: TRIGGER })).json).toEqual({ 'request-id': TRIGGER });
    expect(await completed(cluster, `/jobs/${JOB}/savepoints/${TRIGGER}`)).toEqual({ location });
    const other = await cluster.get(`/jobs/${OTHER_JOB}/savepoints/${TRIGGER}`);
    expect([other.status, firstError(other)]).toEqual([404, `org.apache.flink.runtime.rest.handler.RestHandlerException: There is no savepoint operation with triggerId=${TRIGGER} for job ${OTHER_JOB}.`]);
  });

  it.each<[string, string]>([
    ['1.13.6', 'org.apache.flink.runtime.rest.NotFoundException: Operation not found under key: org.apache.flink.runtime.rest.handler.job.AsynchronousJobOperationKey@'],
    ['2.3.0', 'org.apache.flink.runtime.rest.handler.RestHandlerException: There is no savepoint operation with triggerId='],
  ])('is forgotten five minutes after it was completed (%s)', async (version, text) => {
    await using cluster = await startCluster(version, { jobs });
    const { 'request-id': trigger } = (await cluster.post(`/jobs/${JOB}/savepoints`, { 'cancel-job': false })).json as { 'request-id': string };
    const path = `/jobs/${JOB}/savepoints/${trigger}`;
    await completed(cluster, path);
    await cluster.pass(290);
    expect((await cluster.get(path)).status).toBe(200);
    await cluster.pass(20);
    const gone = await cluster.get(path);
    expect(gone.status).toBe(404);
    expect(firstError(gone)).toContain(text);
  });

  it.each<[string, string]>([
    ['1.9.3', 'Config key [state.savepoints.dir] is not set. Property [target-directory] must be provided.'],
    ['1.19.3', 'org.apache.flink.runtime.rest.handler.RestHandlerException: Config key [state.savepoints.dir] is not set. Property [target-directory] must be provided.'],
    ['2.0.2', 'org.apache.flink.runtime.rest.handler.RestHandlerException: Config key [execution.checkpointing.savepoint-dir] is not set. Property [target-directory] must be provided.'],
  ])('needs a directory where the cluster has no default one (%s)', async (version, text) => {
    await using cluster = await startCluster(version, { jobs, options: {} });
    const refused = await cluster.post(`/jobs/${JOB}/savepoints`, { 'cancel-job': false });
    expect([refused.status, firstError(refused)]).toEqual([400, text]);
    const stop = await cluster.post(`/jobs/${JOB}/stop`, { drain: false });
    expect(firstError(stop)).toContain('Property [targetDirectory] must be provided.');
    const { 'request-id': trigger } = (await cluster.post(`/jobs/${JOB}/savepoints`, { 'cancel-job': false, 'target-directory': '/somewhere' })).json as { 'request-id': string };
    expect((await completed(cluster, `/jobs/${JOB}/savepoints/${trigger}`))['location']).toMatch(/^file:\/somewhere\/savepoint-/);
  });

  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('of an unknown job is accepted and fails, as an exception that Java can read (%s)', async (version) => {
    await using cluster = await startCluster(version);
    const trigger = await cluster.post(`/jobs/${JOB}/savepoints`, { 'cancel-job': false });
    expect(trigger.status).toBe(202);
    const { 'failure-cause': cause } = await completed(cluster, `/jobs/${JOB}/savepoints/${(trigger.json as Record<string, string>)['request-id']}`);
    expect(cause['stack-trace']).toContain(`FlinkJobNotFoundException: Could not find Flink job (${JOB})`);
    const object = readJavaObject(Buffer.from(cause['serialized-throwable'], 'base64')) as JavaObject;
    expect(object.fields.get('originalErrorClassName')).toBe(cause['class']);
    expect(object.fields.get('fullStringifiedStackTrace')).toBe(cause['stack-trace']);
  });
});

describe('a stop', () => {
  it('shares its status with savepoints and finishes the job', async () => {
    await using cluster = await startCluster('2.3.0', { jobs });
    expect((await cluster.post(`/jobs/${JOB}/stop`, { triggerId: TRIGGER, drain: true })).json).toEqual({ 'request-id': TRIGGER });
    expect((await completed(cluster, `/jobs/${JOB}/savepoints/${TRIGGER}`))['location']).toMatch(/^file:\/data/);
    await cluster.pass(5);
    expect((await cluster.get(`/jobs/${JOB}`)).json).toMatchObject({ state: 'FINISHED' });
  });
});

describe('a checkpoint by hand', () => {
  it('tells its number, and a failure under the name failureCause', async () => {
    await using cluster = await startCluster('1.17.2', { jobs: [...jobs, ...submissions([bpJob({ jobId: 'c'.repeat(32), name: 'no checkpoints', iv: 0, p: 1 })], 13_000)] });
    const trigger = async (job: string) => ((await cluster.post(`/jobs/${job}/checkpoints`, {})).json as Record<string, string>)['request-id']!;
    expect(await completed(cluster, `/jobs/${JOB}/checkpoints/${await trigger(JOB)}`)).toEqual({ checkpointId: expect.any(Number) as number });
    const failed = await completed(cluster, `/jobs/${OTHER_JOB.replaceAll('b', 'd')}/checkpoints/${await trigger('d'.repeat(32))}`);
    expect(Object.keys(failed)).toEqual(['failureCause']);
  });

  it('may be incremental before 1.19 only', async () => {
    await using old = await startCluster('1.18.1', { jobs });
    expect((await old.post(`/jobs/${JOB}/checkpoints`, { checkpointType: 'INCREMENTAL' })).status).toBe(202);
    await using later = await startCluster('1.19.3', { jobs });
    expect((await later.post(`/jobs/${JOB}/checkpoints`, { checkpointType: 'INCREMENTAL' })).status).toBe(500);
  });
});

describe('a disposal', () => {
  it('takes the savepoint away once', async () => {
    await using cluster = await startCluster('1.20.5', { jobs });
    await cluster.post(`/jobs/${JOB}/savepoints`, { triggerId: TRIGGER });
    const { location } = await completed(cluster, `/jobs/${JOB}/savepoints/${TRIGGER}`);
    const dispose = async () => completed(cluster, `/savepoint-disposal/${((await cluster.post('/savepoint-disposal', { 'savepoint-path': location })).json as Record<string, string>)['request-id']}`);
    expect(await dispose()).toEqual({});
    expect((await dispose())['failure-cause']['stack-trace']).toContain(`Could not dispose savepoint ${location}.`);
  });
});

describe('the deletion of a data set', () => {
  it('is done at once', async () => {
    await using cluster = await startCluster('1.20.5');
    const deleted = await cluster.ask('DELETE', `/datasets/${JOB}`);
    expect(deleted.status).toBe(202);
    expect(await completed(cluster, `/datasets/delete/${(deleted.json as Record<string, string>)['request-id']}`)).toEqual({});
  });
});
