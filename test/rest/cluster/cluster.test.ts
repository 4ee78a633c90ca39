import { describe, expect, it } from 'vitest';
import { FLINK_VERSIONS } from '../../../src/versions/flink-versions.js';
import { bpJob, submissions, taskManager, twoTaskManagers } from '../../simulation/fixture.js';
import { firstError, startCluster, type Cluster } from './client.js';

const JOB = 'a'.repeat(32);
const jobs = submissions([bpJob({ jobId: JOB, name: 'one', p: 2 })]);
const managersOf = async (cluster: Cluster) => ((await cluster.get('/taskmanagers')).json as { taskmanagers: Record<string, any>[] }).taskmanagers;
const text = async (cluster: Cluster, path: string) => (await fetch(cluster.server.url + path)).text();

describe('the overview', () => {
  it.each(FLINK_VERSIONS)('agrees with task managers and jobs (%s)', async (version) => {
    await using cluster = await startCluster(version, { jobs });
    const overview = (await cluster.get('/overview')).json as Record<string, unknown>;
    const managers = await managersOf(cluster);
    expect(overview).toMatchObject({ taskmanagers: managers.length, 'slots-total': 8, 'slots-available': managers.reduce((sum, { freeSlots }) => sum + (freeSlots as number), 0), 'jobs-running': 1, 'flink-version': version });
    expect(overview['slots-available']).toBe(6);
    for (const url of ['/config', '/jobmanager/config', '/jars', '/jobmanager/log', '/jobmanager/stdout', `/taskmanagers/${managers[0]!['id']}`, `/taskmanagers/${managers[0]!['id']}/log`]) expect((await cluster.get(url)).status).toBe(200);
  });
});

describe('a task manager', () => {
  it('has had no heartbeat when it has just registered, and its last one later', async () => {
    await using cluster = await startCluster('1.20.5', { events: [{ atMs: 62_000, kind: 'add-task-managers', count: 1 }] });
    const heartbeats = async () => (await managersOf(cluster)).map(({ timeSinceLastHeartbeat }) => timeSinceLastHeartbeat as number);
    for (let i = 0; i < 300 && (await heartbeats()).length < 3; i++) await cluster.pass(0.2);
    expect((await heartbeats())[2]).toBe(0);
    await cluster.pass(30);
    for (const heartbeat of await heartbeats()) expect(cluster.server.simulation.nowMs - heartbeat).toBeLessThanOrEqual(11_000);
  });

  it('tells what is free of its resources, and by whom the rest is taken', async () => {
    await using cluster = await startCluster('2.3.0', { jobs });
    const managers = await managersOf(cluster);
    const used = managers.find(({ freeSlots }) => freeSlots < 4)!;
    const details = (await cluster.get(`/taskmanagers/${used['id']}`)).json as Record<string, any>;
    const taken = 4 - (used['freeSlots'] as number);
    expect(details['totalResource']).toMatchObject({ cpuCores: 4, taskHeapMemory: 200, managedMemory: 64, networkMemory: 64 });
    expect(details['freeResource']).toMatchObject({ cpuCores: 4 - taken, taskHeapMemory: 200 - 50 * taken, managedMemory: 64 - 16 * taken });
    expect(details['allocatedSlots']).toHaveLength(taken);
    expect(details['allocatedSlots'][0]).toMatchObject({ jobId: JOB, assignedTasks: 4, resource: { cpuCores: 1, taskHeapMemory: 50 } });
    expect(details['assignedTasks']).toBe(4 * taken);
  });

  it('does not tell its allocated slots before 1.18', async () => {
    await using cluster = await startCluster('1.17.2', { jobs });
    for (const { id } of await managersOf(cluster)) expect((await cluster.get(`/taskmanagers/${id}`)).json).toMatchObject({ allocatedSlots: [] });
  });

  it('shows zeros before metrics were fetched, then what its JVM has', async () => {
    await using cluster = await startCluster('1.13.6');
    const [{ id }] = (await managersOf(cluster)) as [Record<string, string>];
    const metrics = async () => ((await cluster.get(`/taskmanagers/${id}`)).json as { metrics: Record<string, any> }).metrics;
    expect(await metrics()).toMatchObject({ heapUsed: 0, memorySegmentsTotal: 0, garbageCollectors: [] });
    await cluster.pass(3);
    const fetched = await metrics();
    expect(fetched).toMatchObject({ memorySegmentsTotal: 2048, memorySegmentsAvailable: 2048, nettyShuffleMemoryTotal: 67_108_864, nettyShuffleMemoryUsed: 0 });
    expect(fetched['heapUsed']).toBeGreaterThan(1e6);
    expect((fetched['garbageCollectors'] as { name: string }[]).map(({ name }) => name)).toEqual(['G1_Young_Generation', 'G1_Old_Generation']);
  });

  it('may have any id: an unknown one is no bad request', async () => {
    await using cluster = await startCluster('1.20.5');
    for (const id of ['%F0%9F%98%80', 'a%20b', '__proto__', 'constructor']) {
      expect((await cluster.get(`/taskmanagers/${id}`)).status).toBe(500);
      expect((await cluster.get(`/taskmanagers/${id}/log`)).status).toBe(404);
    }
  });
});

describe('the configuration', () => {
  it('hides secrets and shows what the job manager adds', async () => {
    const options = { 's3.secret-key': 'hush', 'security.ssl.rest.keystore-password': 'hush', 'web.tmpdir': '/data/web' };
    await using cluster = await startCluster('1.20.5', { options });
    const entries = Object.fromEntries(((await cluster.get('/jobmanager/config')).json as { key: string; value: string }[]).map(({ key, value }) => [key, value]));
    expect(entries).toMatchObject({ 's3.secret-key': '******', 'security.ssl.rest.keystore-password': '******', 'jobmanager.rpc.address': 'localhost', 'jobmanager.rpc.port': '9501' });
    expect(entries['web.tmpdir']).toMatch(/^\/data\/web\/flink-web-[0-9a-f-]{36}$/);
    expect(entries['blob.server.port']).toMatch(/^\d{5}$/);
    expect(JSON.stringify((await cluster.get('/jobmanager/config')).json)).not.toContain('hush');
    expect((await cluster.get(`/jobs/${JOB}/jobmanager/config`)).json).toEqual((await cluster.get('/jobmanager/config')).json);
  });

  it('switches features of the dashboard', async () => {
    const features = async (version: string, options: Record<string, string>) => {
      await using cluster = await startCluster(version, { options });
      return ((await cluster.get('/config')).json as { features: unknown }).features;
    };
    expect(await features('1.20.5', { 'web.cancel.enable': 'false', 'jobmanager.scheduler': 'adaptive' })).toEqual({ 'web-submit': true, 'web-cancel': false, 'web-rescale': true, 'web-history': false });
    expect(await features('1.9.3', { 'web.submit.enable': 'false' })).toEqual({ 'web-submit': false });
  });
});

describe('the start-up in the log', () => {
  it('agrees with the other answers: no secret, one blob server, one heap', async () => {
    await using cluster = await startCluster('1.20.5', { options: { 's3.secret-key': 'hush' } });
    const log = await text(cluster, '/jobmanager/log');
    expect(log).toContain('Loading configuration property: s3.secret-key, ******');
    expect(log).not.toContain('hush');
    const entries = (await cluster.get('/jobmanager/config')).json as { key: string; value: string }[];
    expect(log).toContain(`Started BLOB server at 0.0.0.0:${entries.find(({ key }) => key === 'blob.server.port')!.value} `);
    const { jvm } = (await cluster.get('/jobmanager/environment')).json as { jvm: { version: string; options: string[] } };
    expect(log).toContain(` JVM: ${jvm.version}`);
    expect(log).toContain(`    ${jvm.options[0]}\n`);
  });
});

describe('log files', () => {
  it('are those of all processes on a host, with their size', async () => {
    await using cluster = await startCluster('1.20.5', { jobs });
    const { logs } = (await cluster.get('/jobmanager/logs')).json as { logs: { name: string; size: number; mtime: number }[] };
    expect(logs.map(({ name }) => name)).toEqual([
      'flink-root-standalonesession-0-localhost.out', 'flink-root-standalonesession-0-localhost.log',
      'flink-root-taskexecutor-0-localhost.log', 'flink-root-taskexecutor-1-localhost.log',
      'flink-root-taskexecutor-0-localhost.out', 'flink-root-taskexecutor-1-localhost.out',
    ]);
    const [id] = (await managersOf(cluster)).map(({ id: managerId }) => managerId as string);
    expect((await cluster.get(`/taskmanagers/${id}/logs`)).json).toEqual({ logs });
    for (const { name, size, mtime } of logs) {
      const content = await text(cluster, `/jobmanager/logs/${name}`);
      expect(Buffer.byteLength(content)).toBe(size);
      expect(await text(cluster, `/taskmanagers/${id}/logs/${name}`)).toBe(content);
      expect(mtime).toBeLessThanOrEqual(cluster.server.simulation.nowMs);
    }
    expect(await text(cluster, '/jobmanager/log')).toBe(await text(cluster, '/jobmanager/logs/flink-root-standalonesession-0-localhost.log'));
  });

  it('of a container are its own', async () => {
    const container = (index: number) => taskManager(index, { id: `container_e06_1582644888198_0182_01_00000${index + 2}` });
    const { cluster: model } = twoTaskManagers('1.13.6');
    await using cluster = await startCluster('1.13.6', { cluster: { ...model, taskManagers: [container(0), container(1)] } });
    expect((await cluster.get('/taskmanagers/container_e06_1582644888198_0182_01_000002/logs')).json).toMatchObject({ logs: [{ name: 'taskmanager.out' }, { name: 'taskmanager.log' }] });
    expect((await cluster.get('/jobmanager/logs')).json).toMatchObject({ logs: [{ name: 'jobmanager.out' }, { name: 'jobmanager.log' }] });
  });

  it.each(['..%2F..%2Fetc%2Fpasswd', '%2Fetc%2Fpasswd', 'nope', '..', 'flink-root-standalonesession-0-localhost.log%00', '%F0%9F%98%80'])('never leave the log folder: %s', async (name) => {
    await using cluster = await startCluster('1.20.5');
    const [id] = (await managersOf(cluster)).map(({ id: managerId }) => managerId as string);
    // A folder is there, and is no file to Java.
    expect((await cluster.get(`/jobmanager/logs/${name}`)).status).toBe(name === '..' ? 500 : 404);
    expect([404, 500]).toContain((await cluster.get(`/taskmanagers/${id}/logs/${name}`)).status);
  });

  it('may be cached where they are static files, up to 1.10', async () => {
    await using cluster = await startCluster('1.10.3');
    const { headers } = await cluster.get('/jobmanager/log');
    expect(headers).toMatchObject({ 'content-type': 'text/plain', 'cache-control': 'private, max-age=300' });
    expect(Date.parse(headers['expires']!)).toBe(Math.floor(cluster.server.simulation.nowMs / 1000) * 1000 + 300_000);
    await using later = await startCluster('1.11.4');
    expect((await later.get('/jobmanager/log')).headers['cache-control']).toBeUndefined();
  });
});

describe('the profiler', () => {
  const options = { ...twoTaskManagers('1.20.5').options, 'rest.profiling.enabled': 'true', 'rest.profiling.history-size': '2' };

  it('runs for its time, then has a file', async () => {
    await using cluster = await startCluster('1.20.5', { options, jobs });
    const [id] = (await managersOf(cluster)).map(({ id: managerId }) => managerId as string);
    for (const path of ['/jobmanager/profiler', `/taskmanagers/${id}/profiler`]) {
      expect((await cluster.post(path, { mode: 'CPU', duration: 30 })).json).toMatchObject({ status: 'RUNNING', mode: 'CPU', duration: 30, finishedTime: null, outputFile: null });
      expect((await cluster.post(path, { mode: 'CPU', duration: 30 })).status).toBe(500);
      await cluster.pass(31);
      const { profilingList } = (await cluster.get(path)).json as { profilingList: { status: string; triggerTime: number; finishedTime: number; outputFile: string }[] };
      expect(profilingList).toHaveLength(1);
      expect(profilingList[0]).toMatchObject({ status: 'FINISHED', message: 'Profiling Successful', profilingMode: 'CPU' });
      expect(profilingList[0]!.finishedTime - profilingList[0]!.triggerTime).toBe(30_000);
      expect(await text(cluster, `${path}/${encodeURIComponent(profilingList[0]!.outputFile)}`)).toContain('<div id="graph">');
    }
    expect((await cluster.get('/jobmanager/profiler/..%2F..%2Fetc%2Fpasswd')).status).toBe(404);
  });

  it('keeps as many runs as it is told and refuses too long ones', async () => {
    await using cluster = await startCluster('2.3.0', { options });
    for (let i = 0; i < 4; i++) {
      await cluster.post('/jobmanager/profiler', { mode: 'WALL', duration: 1 });
      await cluster.pass(2);
    }
    expect(((await cluster.get('/jobmanager/profiler')).json as { profilingList: unknown[] }).profilingList).toHaveLength(2);
    const refused = await cluster.post('/jobmanager/profiler', { mode: 'WALL', duration: 301 });
    expect([refused.status, firstError(refused)]).toEqual([400, 'org.apache.flink.runtime.rest.handler.RestHandlerException: `duration` must be set between (0s, 300s].']);
  });

  it('has no routes unless it is enabled', async () => {
    await using cluster = await startCluster('1.20.5');
    const got = await cluster.get('/jobmanager/profiler');
    expect([got.status, got.json, got.headers['access-control-allow-origin']]).toEqual([404, { errors: ['Unable to load requested file /jobmanager/profiler.'] }, undefined]);
    const posted = await cluster.post('/jobmanager/profiler', { mode: 'CPU', duration: 1 });
    expect([posted.status, posted.json, posted.headers['access-control-allow-origin']]).toEqual([404, { errors: ['Not found: /jobmanager/profiler'] }, '*']);
  });
});

describe('applications', () => {
  it('live as their job does', async () => {
    await using cluster = await startCluster('2.3.0', { jobs });
    const { applications } = (await cluster.get('/applications/overview')).json as { applications: Record<string, any>[] };
    expect(applications).toMatchObject([{ id: JOB, name: 'SingleJobApplication(one)', status: 'RUNNING', 'end-time': -1, jobs: { RUNNING: 1 } }]);
    expect((await cluster.get(`/applications/${JOB}/exceptions`)).json).toEqual({ exceptionHistory: { entries: [] } });
    expect((await cluster.get(`/applications/${JOB}/jobmanager/config`)).status).toBe(200);
    const cancelled = await cluster.post(`/applications/${JOB}/cancel`);
    expect([cancelled.status, cancelled.json]).toEqual([202, {}]);
    await cluster.pass(10);
    const details = (await cluster.get(`/applications/${JOB}`)).json as Record<string, any>;
    expect(details).toMatchObject({ status: 'CANCELED', jobs: [{ jid: JOB, state: 'CANCELED' }] });
    expect(details['timestamps']['CANCELED']).toBe(details['end-time']);
    expect(details['duration']).toBe(details['end-time'] - details['start-time']);
    expect((await cluster.post(`/applications/${JOB}/cancel`)).status).toBe(202);
    expect((await cluster.post(`/applications/${'0'.repeat(32)}/cancel`)).status).toBe(404);
  });
});

describe('the rest', () => {
  it('DELETE /cluster answers, then ends the process', async () => {
    let ended = 0;
    await using cluster = await startCluster('1.20.5', {}, { onShutdown: () => ended++ });
    const answer = await cluster.ask('DELETE', '/cluster');
    expect([answer.status, answer.json, ended]).toEqual([200, {}, 1]);
  });

  it('threads of a process can be seen', async () => {
    await using cluster = await startCluster('1.20.5', { jobs });
    const used = (await managersOf(cluster)).find(({ freeSlots }) => freeSlots < 4)!;
    const { threadInfos } = (await cluster.get(`/taskmanagers/${used['id']}/thread-dump`)).json as { threadInfos: { threadName: string; stringifiedThreadInfo: string }[] };
    expect(threadInfos.filter(({ threadName }) => threadName.startsWith('Enrich (')).map(({ threadName }) => threadName.slice(0, 12)).sort()).toEqual(['Enrich (1/2)', 'Enrich (2/2)']);
    for (const { threadName, stringifiedThreadInfo } of threadInfos) expect(stringifiedThreadInfo.startsWith(`"${threadName}"`)).toBe(true);
  });

  it('links to logs lead to this server, without the header of other answers', async () => {
    await using cluster = await startCluster('1.20.5', { jobs });
    const answer = await cluster.get(`/jobs/${JOB}/taskmanagers/x%20y/log-url`);
    expect([answer.json, answer.headers['access-control-allow-origin']]).toEqual([{ url: `${cluster.server.url}/#/task-manager/x y/logs` }, undefined]);
  });
});
