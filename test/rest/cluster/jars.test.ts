import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BP_VERTICES, bpJob, submissions } from '../../simulation/fixture.js';
import { firstError, startCluster, type Cluster } from './client.js';
import { loadSubmission } from './submission-sample.js';

const BP_JAR = readFileSync(new URL('../../golden/jars/bp-1.jar', import.meta.url));

async function uploadBp(cluster: Cluster): Promise<string> {
  return ((await cluster.upload('bp.jar', BP_JAR)).json as { filename: string }).filename.split('/').at(-1)!;
}

const runBody = { entryClass: 'Bp', programArgsList: ['--name', 'run', '--p', '1'] };
const jobOf = async (cluster: Cluster, id: string) => (await cluster.get(`/jobs/${id}`)).json as Record<string, any>;

describe('uploaded jars', () => {
  it('are listed with the newest first, by the name they were uploaded under', async () => {
    await using cluster = await startCluster('1.20.5');
    const first = await uploadBp(cluster);
    await cluster.pass(1);
    const second = ((await cluster.upload('../../etc/an other.jar', BP_JAR)).json as { filename: string }).filename.split('/').at(-1)!;
    const { address, files } = (await cluster.get('/jars')).json as { address: string; files: { id: string; name: string; uploaded: number; entry: unknown[] }[] };
    expect(address).toBe(cluster.server.url);
    expect(files.map(({ id, name }) => [id, name])).toEqual([[second, 'an other.jar'], [first, 'bp.jar']]);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}_bp\.jar$/);
    expect(files[0]!.uploaded - files[1]!.uploaded).toBe(1000);
    expect(files[0]!.entry).toEqual([{ name: 'Bp', description: null }]);
    expect((await cluster.ask('DELETE', `/jars/${first}`)).json).toEqual({});
    expect((await cluster.ask('DELETE', `/jars/${first}`)).status).toBe(400);
  });

  it('are in the list at once, though it was asked for at the same instant of a held clock', async () => {
    await using cluster = await startCluster('1.20.5');
    const listed = async () => ((await cluster.get('/jars')).json as { files: { id: string }[] }).files.map(({ id }) => id);
    expect(await listed()).toEqual([]);
    const jar = await uploadBp(cluster);
    expect(await listed()).toEqual([jar]);
    await cluster.ask('DELETE', `/jars/${jar}`);
    expect(await listed()).toEqual([]);
  });

  it('have the same ids in every run with the same seed', async () => {
    await using one = await startCluster('1.20.5');
    await using other = await startCluster('1.20.5');
    expect(await uploadBp(one)).toBe(await uploadBp(other));
  });

  it('come one at a time', async () => {
    await using cluster = await startCluster('1.20.5');
    const form = (parts: string) => cluster.ask('POST', '/jars/upload', Buffer.from(`${parts}--x--\r\n`), 'multipart/form-data; boundary=x');
    const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.jar"\r\n\r\nPK\r\n`;
    expect(firstError(await form(part('a') + part('b')))).toContain('Exactly 1 file must be sent, received 2.');
    expect((await form(part('a'))).status).toBe(200);
  });

  it('that are no zip are listed without entry and cannot be run', async () => {
    await using cluster = await startCluster('1.20.5');
    const id = ((await cluster.upload('x.jar', Buffer.from('no zip'))).json as { filename: string }).filename.split('/').at(-1)!;
    expect((await cluster.get('/jars')).json).toMatchObject({ files: [{ entry: [] }] });
    const answer = await cluster.post(`/jars/${id}/run`, {});
    expect(answer.status).toBe(500);
    expect((answer.json as { errors: string[] }).errors[1]).toContain('ProgramInvocationException: Error while opening jar file');
  });
});

describe('a jar run', () => {
  it.each<[string, (id: string) => [string, unknown]]>([
    ['a list of arguments', (id) => [`/jars/${id}/run`, { entryClass: 'Bp', programArgsList: ['--name', 'told this way', '--p', '3'] }]],
    ['arguments as a text with quotes', (id) => [`/jars/${id}/run`, { entryClass: 'Bp', programArgs: '--name "told this way" --p 3' }]],
    ['arguments in the query', (id) => [`/jars/${id}/run?entry-class=Bp&programArg=--name,told%20this%20way,--p,3`, undefined]],
    ['arguments as a text in the query', (id) => [`/jars/${id}/run?program-args=${encodeURIComponent("--name 'told this way' --p 3")}`, {}]],
    ['parallelism in the query', (id) => [`/jars/${id}/run?parallelism=3`, { programArgsList: ['--name', 'told this way'] }]],
    ['parallelism in the body, which wins over the query', (id) => [`/jars/${id}/run?parallelism=7`, { parallelism: 3, programArgsList: ['--name', 'told this way'] }]],
  ])('takes %s', async (_what, request) => {
    await using cluster = await startCluster('1.20.5');
    const [path, body] = request(await uploadBp(cluster));
    const { jobid } = (await cluster.post(path, body)).json as { jobid: string };
    await cluster.pass(5);
    expect(await jobOf(cluster, jobid)).toMatchObject({ name: 'told this way', state: 'RUNNING', vertices: [{ parallelism: 3 }, {}, {}, {}] });
  });

  it('gives the job the id asked for, once', async () => {
    await using cluster = await startCluster('1.20.5');
    const jar = await uploadBp(cluster);
    const jobId = 'c'.repeat(32);
    expect((await cluster.post(`/jars/${jar}/run`, { ...runBody, jobId })).json).toEqual({ jobid: jobId });
    const again = await cluster.post(`/jars/${jar}/run`, { ...runBody, jobId });
    expect([again.status, firstError(again)]).toEqual([400, 'org.apache.flink.runtime.rest.handler.RestHandlerException: Could not execute application.']);
    expect((again.json as { errors: string[] }).errors[0]).toContain('Caused by: org.apache.flink.runtime.client.DuplicateJobSubmissionException: Job has already been submitted.');
  });

  it('begins where a savepoint ended, also when the job takes no checkpoints', async () => {
    const id = 'd'.repeat(32);
    await using cluster = await startCluster('1.20.5', { jobs: submissions([bpJob({ jobId: id, p: 1 })]) });
    await cluster.post(`/jobs/${id}/savepoints`, { triggerId: id });
    await cluster.pass(10);
    const { location } = ((await cluster.get(`/jobs/${id}/savepoints/${id}`)).json as { operation: { location: string } }).operation;
    const jar = await uploadBp(cluster);
    for (const interval of ['4000', '0']) {
      const { jobid } = (await cluster.post(`/jars/${jar}/run`, { entryClass: 'Bp', programArgsList: ['--p', '1', '--iv', interval], savepointPath: location })).json as { jobid: string };
      await cluster.pass(5);
      expect(await jobOf(cluster, jobid)).toMatchObject({ state: 'RUNNING' });
      if (interval !== '0') expect((await cluster.get(`/jobs/${jobid}/checkpoints`)).json).toMatchObject({ counts: { restored: 1 }, latest: { restored: { external_path: location } } });
    }
  });

  it('of a savepoint that is missing leaves a failed job and is 400; up to 1.10 it is 500 and leaves none', async () => {
    await using cluster = await startCluster('1.13.6');
    const body = { ...runBody, savepointPath: '/nope/sp' };
    const refused = await cluster.post(`/jars/${await uploadBp(cluster)}/run`, body);
    expect(refused.status).toBe(400);
    expect((refused.json as { errors: string[] }).errors[0]).toContain("Caused by: java.io.FileNotFoundException: Cannot find checkpoint or savepoint file/directory '/nope/sp' on file system 'file'.");
    await cluster.pass(5);
    expect((await cluster.get('/jobs/overview')).json).toMatchObject({ jobs: [{ name: 'run', state: 'FAILED', tasks: { total: 0 } }] });
    await using old = await startCluster('1.10.3');
    expect((await old.post(`/jars/${await uploadBp(old)}/run`, body)).status).toBe(500);
    await old.pass(5);
    expect((await old.get('/jobs')).json).toEqual({ jobs: [] });
  });

  it('with wrong arguments is the failure of the main method', async () => {
    await using cluster = await startCluster('1.20.5');
    const answer = await cluster.post(`/jars/${await uploadBp(cluster)}/run`, { entryClass: 'Bp', programArgsList: ['oops'] });
    expect(answer.status).toBe(400);
    expect((answer.json as { errors: string[] }).errors[0]).toContain("Caused by: org.apache.flink.client.program.ProgramInvocationException: The main method caused an error: No data for required key 'oops'");
  });

  it('of a class without template runs as a generic job, and the log says so', async () => {
    await using cluster = await startCluster('1.20.5', {}, { jobTemplates: { find: () => null } });
    const { jobid } = (await cluster.post(`/jars/${await uploadBp(cluster)}/run`, { parallelism: 2, flinkConfiguration: { 'execution.checkpointing.interval': '2 s' } })).json as { jobid: string };
    await cluster.pass(10);
    const job = await jobOf(cluster, jobid);
    expect([job['name'], job['state'], job['vertices'].map(({ name, parallelism }: { name: string; parallelism: number }) => [name, parallelism])]).toEqual([
      'Flink Streaming Job',
      'RUNNING',
      [['Source: Source', 2], ['Map', 2], ['Sink: Sink', 2]],
    ]);
    expect(((await cluster.get(`/jobs/${jobid}/checkpoints`)).json as { counts: { completed: number } }).counts.completed).toBeGreaterThan(1);
    const log = await (await fetch(`${cluster.server.url}/jobmanager/log`)).text();
    expect(log).toContain('No job template for entry class Bp of bp.jar: a generic job');
  });
});

describe('an application', () => {
  it('is started from a jar under the id asked for (2.3)', async () => {
    await using cluster = await startCluster('2.3.0');
    const id = '9'.repeat(32);
    const answer = await cluster.post(`/jars/${await uploadBp(cluster)}/run-application`, { ...runBody, applicationId: id });
    expect([answer.status, answer.json]).toEqual([202, { applicationid: id }]);
    await cluster.pass(5);
    expect((await cluster.get(`/applications/${id}`)).json).toMatchObject({ id, name: 'Bp', status: 'RUNNING', jobs: [{ name: 'run', state: 'RUNNING' }] });
  });
});

describe('where web.submit.enable is false', () => {
  it('there are no routes for jars', async () => {
    await using cluster = await startCluster('1.20.5', { options: { 'web.submit.enable': 'false' } });
    expect([(await cluster.get('/jars')).status, (await cluster.get('/jars')).json]).toEqual([404, { errors: ['Unable to load requested file /jars.'] }]);
    expect((await cluster.upload('bp.jar', BP_JAR)).status).toBe(404);
  });
});

describe('the plan of a jar', () => {
  it('has the id asked for and starts nothing', async () => {
    await using cluster = await startCluster('1.20.5');
    const jar = await uploadBp(cluster);
    const { plan } = (await cluster.post(`/jars/${jar}/plan`, { entryClass: 'Bp', jobId: 'e'.repeat(32), programArgsList: ['--p', '2'] })).json as { plan: { jid: string; nodes: { id: string; parallelism: number }[] } };
    expect(plan.jid).toBe('e'.repeat(32));
    expect(plan.nodes.map(({ id }) => id).sort()).toEqual(Object.values(BP_VERTICES).sort());
    expect((await cluster.get('/jobs')).json).toEqual({ jobs: [] });
  });
});

describe('POST /jobs', () => {
  it.each(['1.9.3', '1.20.5', '2.3.0'])('takes what the client of %s sends for `flink run`', async (version) => {
    await using cluster = await startCluster(version);
    const { body, contentType } = loadSubmission(version);
    const answer = await cluster.ask('POST', '/v1/jobs', body, contentType);
    expect(answer.status).toBe(202);
    const { jobUrl } = answer.json as { jobUrl: string };
    expect(jobUrl).toMatch(/^\/jobs\/[0-9a-f]{32}$/);
    await cluster.pass(5);
    expect((await cluster.get(jobUrl)).json).toMatchObject({ name: 'Graph sample', state: 'RUNNING', vertices: [{ id: BP_VERTICES.source, parallelism: 2 }, {}, {}, {}] });
    const again = await cluster.ask('POST', '/v1/jobs', body, contentType);
    expect((again.json as { errors: string[] }).errors[1]).toContain('DuplicateJobSubmissionException: Job has already been submitted.');
  });

  it('of a savepoint that is missing fails at once in 1.9, and leaves no job', async () => {
    await using cluster = await startCluster('1.9.3');
    const { body, contentType } = loadSubmission('1.9.3-savepoint');
    const answer = await cluster.ask('POST', '/v1/jobs', body, contentType);
    expect([answer.status, (answer.json as { errors: string[] }).errors[1]]).toEqual([500, expect.stringContaining('JobSubmissionException: Failed to submit job.')]);
    expect((await cluster.get('/jobs')).json).toEqual({ jobs: [] });
  });

  const form = (request: unknown, files: Readonly<Record<string, Buffer>>) =>
    Buffer.concat([
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="request"\r\n\r\n${JSON.stringify(request)}\r\n`),
      ...Object.entries(files).flatMap(([name, bytes], i) => [Buffer.from(`--x\r\ncontent-disposition: form-data; name="file_${i}"; filename="${name}"\r\n\r\n`), bytes, Buffer.from('\r\n')]),
      Buffer.from('--x--\r\n'),
    ]);
  const submit = (cluster: Cluster, request: unknown, files: Readonly<Record<string, Buffer>>) => cluster.ask('POST', '/jobs', form(request, files), 'multipart/form-data; boundary=x');

  it('says which file is missing and which field', async () => {
    await using cluster = await startCluster('1.20.5');
    expect(firstError(await submit(cluster, {}, {}))).toContain('The jobGraphFileName field must not be omitted or be null.');
    expect(firstError(await submit(cluster, { jobGraphFileName: 'g.bin' }, {}))).toContain('JobGraph file g.bin could not be found on the server.');
    expect(firstError(await submit(cluster, { jobGraphFileName: 'g.bin', jobJarFileNames: ['a.jar'] }, { 'g.bin': loadSubmission('1.20.5').graph }))).toContain('Jar file a.jar could not be found on the server.');
    expect(firstError(await submit(cluster, { jobGraphFileName: 'g.bin' }, { 'g.bin': Buffer.from('nonsense') }))).toContain('Failed to deserialize JobGraph.');
    await using later = await startCluster('2.3.0');
    expect(firstError(await submit(later, { executionPlanFileName: 'g.bin' }, { 'g.bin': Buffer.from('nonsense') }))).toContain('Failed to deserialize ExecutionPlan.');
  });

  it('runs a generic job where only the file name tells its id, and the log says so', async () => {
    await using cluster = await startCluster('1.20.5');
    const id = 'f'.repeat(32);
    const name = `flink-jobgraph-${id}123.bin`;
    expect((await submit(cluster, { jobGraphFileName: name }, { [name]: Buffer.from('nonsense') })).json).toEqual({ jobUrl: `/jobs/${id}` });
    await cluster.pass(5);
    expect(await jobOf(cluster, id)).toMatchObject({ state: 'RUNNING' });
    expect(await (await fetch(`${cluster.server.url}/jobmanager/log`)).text()).toContain(`The JobGraph of job ${id} could not be read`);
  });
});
