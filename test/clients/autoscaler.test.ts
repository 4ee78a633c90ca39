import { afterEach, describe, expect, test } from 'vitest';
import { flinkRequest } from './support/flink-wire.js';
import { MockCluster, until, type Json } from './support/mock-cluster.js';

/** What flink-autoscaler-standalone asks for, of each job and control loop; its jar is not in any registry that tests can use. */
class Autoscaler {
  constructor(private readonly port: number) {}

  async get(path: string, status = 200): Promise<any> {
    const answer = await flinkRequest(this.port, 'GET', `/v1${path}`);
    expect(answer.status, `${path}: ${JSON.stringify(answer.json).slice(0, 300)}`).toBe(status);
    if (status === 200) {
      expect(answer.headers.map(([name]) => name).sort()).toEqual(['access-control-allow-origin', 'content-length', 'content-type']);
    }
    return answer.json;
  }

  /** Jobs that it would scale, and what it reads of them. */
  async loop(): Promise<Json[]> {
    const seen: Json[] = [];
    for (const { jid, state } of (await this.get('/jobs/overview')).jobs as Json[]) {
      // ended jobs are asked for their configuration, too
      const options = Object.fromEntries((await this.get(`/jobs/${jid}/jobmanager/config`)).map((entry: Json) => [entry['key'], entry['value']]));
      if (state !== 'RUNNING') continue;
      const job = await this.get(`/jobs/${jid}`);
      const vertices: Json[] = [];
      for (const vertex of job.vertices as Json[]) vertices.push({ ...vertex, metrics: { ...vertex['metrics'], ...(await this.vertexMetrics(jid, vertex)) } });
      const slots = await this.get('/jobmanager/metrics?get=taskSlotsTotal,taskSlotsAvailable');
      const memory = await this.get(
        '/taskmanagers/metrics?get=Status.JVM.Memory.Heap.Max,Status.Flink.Memory.Managed.Used,Status.JVM.Memory.Metaspace.Used,Status.JVM.Memory.Heap.Used,Status.JVM.GarbageCollector.All.TimeMsPerSecond&agg=min,max,avg',
      );
      for (const { id, min, max, avg } of memory) expect([id, typeof min, typeof max, typeof avg]).toEqual([id, 'number', 'number', 'number']);
      seen.push({ job, options, vertices, slots, memory });
    }
    return seen;
  }

  private async vertexMetrics(job: string, vertex: Json): Promise<Json> {
    const path = `/jobs/${job}/vertices/${vertex['id']}/subtasks/metrics`;
    const names = new Set<string>(((await this.get(path)) as Json[]).map((metric) => metric['id'] as string));
    const wanted = ['busyTimeMsPerSecond'];
    if ([...names].some((name) => name.startsWith('Source__'))) {
      const operator = 'Source__Source__Kafka_nlp';
      wanted.push(`${operator}.numRecordsInPerSecond`, `${operator}.numRecordsIn`, `${operator}.numRecordsOut`, 'backPressuredTimeMsPerSecond');
    }
    const values = (await this.get(`${path}?get=${wanted.join(',')}`)) as Json[];
    expect(values.map((metric) => metric['id']).sort()).toEqual([...wanted].sort());
    return Object.fromEntries(values.map((metric) => [metric['id'], metric]));
  }

  async rescale(job: string, parallelism: (vertex: string, bounds: Json) => Json): Promise<void> {
    const requirements = await this.get(`/jobs/${job}/resource-requirements`);
    const wanted = Object.fromEntries(Object.entries(requirements as Record<string, Json>).map(([vertex, { parallelism: bounds }]) => [vertex, { parallelism: parallelism(vertex, bounds) }]));
    const { status, json } = await flinkRequest(this.port, 'PUT', `/v1/jobs/${job}/resource-requirements`, wanted);
    expect([status, json]).toEqual([200, {}]);
  }
}

let cluster: MockCluster | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

async function clusterWithJobs(version: string, scheduler: readonly string[]): Promise<{ autoscaler: Autoscaler; job: string; ended: string }> {
  cluster = await MockCluster.start(version, ['--scenario', 'recorded-script', '--clock', 'manual', ...scheduler]);
  const second = () => cluster!.advance(1);
  const jar = await cluster.upload();
  const ended = await cluster.runBp(jar, 'ended', { us: 0, rate: 500 });
  await until('it runs', async () => (await cluster!.get(`/jobs/${ended}`)).state === 'RUNNING', second);
  await cluster.advance(5);
  await cluster.send('PATCH', `/jobs/${ended}?mode=cancel`);
  const job = await cluster.runBp(jar, 'scaled', { us: 2000, rate: 500, p: 1 });
  await until('it runs', async () => (await cluster!.get(`/jobs/${job}`)).vertices?.every((vertex: Json) => vertex['status'] === 'RUNNING'), second);
  const autoscaler = new Autoscaler(cluster.port);
  // metrics are fetched when somebody asks; names of a task come with the first fetch after it runs
  for (let i = 0; i < 4; i++) {
    for (const vertex of (await cluster.get(`/jobs/${job}`)).vertices) await cluster.get(`/jobs/${job}/vertices/${vertex.id}/subtasks/metrics`);
    await cluster.advance(5);
  }
  return { autoscaler, job, ended };
}

describe.each(['2.3.0', '1.20.5'])('autoscaler and Flink %s', (version) => {
  test("reads what it needs of the default scheduler's job, which cannot be rescaled", async () => {
    const { autoscaler, job } = await clusterWithJobs(version, []);
    const [seen, ...others] = await autoscaler.loop();
    expect(others).toEqual([]);
    expect(seen!['job'].jid).toBe(job);
    expect(seen!['job'].timestamps.RUNNING).toBeGreaterThan(0);
    expect(seen!['job'].plan.nodes.length).toBe(4);
    const [source, , enrich] = seen!['vertices'];
    expect(source.metrics['Source__Source__Kafka_nlp.numRecordsOut'].sum).toBeGreaterThan(0);
    // nothing tells how busy a legacy source is
    expect(source.metrics.busyTimeMsPerSecond).toMatchObject({ min: 'NaN', max: 'NaN', avg: 'NaN', sum: 'NaN' });
    expect(enrich.metrics.busyTimeMsPerSecond.max).toBeGreaterThan(900);
    expect(enrich.metrics['accumulated-busy-time']).toBeGreaterThan(0);
    expect(seen!['slots'].map((metric: Json) => [metric['id'], metric['value']]).sort()).toEqual([['taskSlotsAvailable', '7'], ['taskSlotsTotal', '8']]);
    expect(seen!['options']['jobmanager.scheduler']).not.toBe('adaptive');
    const refusal = await autoscaler.get(`/jobs/${job}/resource-requirements`, 500);
    expect(refusal.errors[0]).toBe('Internal server error.');
    expect(refusal.errors[1]).toContain('java.lang.UnsupportedOperationException');
  }, 120_000);

  test("rescales the adaptive scheduler's job, which runs again within seconds", async () => {
    const { autoscaler, job } = await clusterWithJobs(version, ['--config', 'jobmanager.scheduler=adaptive']);
    // a rescale keeps a distance to the one before, and to the start
    await cluster!.advance(40);
    const [before] = await autoscaler.loop();
    expect(before!['options']['jobmanager.scheduler']).toBe('adaptive');
    const slow = before!['vertices'][2].id as string;
    await autoscaler.rescale(job, (vertex) => ({ lowerBound: 1, upperBound: vertex === slow ? 2 : 1 }));
    const wanted = await autoscaler.get(`/jobs/${job}/resource-requirements`);
    expect(wanted[slow]).toEqual({ parallelism: { lowerBound: 1, upperBound: 2 } });
    let seconds = 0;
    const rescaled = async () => {
      const now = (await autoscaler.get(`/jobs/${job}`)) as Json;
      return now['state'] === 'RUNNING' && now['vertices'][2].parallelism === 2 && now['vertices'].every((vertex: Json) => vertex['status'] === 'RUNNING');
    };
    await until('the job runs in two subtasks', rescaled, () => (seconds++, cluster!.advance(1)), 60);
    // a real cluster took 3 s
    expect(seconds).toBeLessThanOrEqual(6);
    const after = await autoscaler.get(`/jobs/${job}`);
    expect(after.timestamps.RUNNING).toBeGreaterThan(before!['job'].timestamps.RUNNING);
    expect(after.vertices.map((vertex: Json) => vertex['parallelism'])).toEqual([1, 1, 2, 1]);
    for (let i = 0; i < 4; i++) {
      await autoscaler.get(`/jobs/${job}/vertices/${slow}/subtasks/metrics`);
      await cluster!.advance(10);
    }
    const [then] = await autoscaler.loop();
    // the keys are spread over both now
    expect(before!['vertices'][2].metrics.busyTimeMsPerSecond.max).toBeGreaterThan(900);
    expect(then!['vertices'][2].metrics.busyTimeMsPerSecond.max).toBeLessThan(700);
  }, 120_000);
});
