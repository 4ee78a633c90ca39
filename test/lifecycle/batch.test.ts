import { describe, expect, it } from 'vitest';
import { Cluster, type Json } from './cluster.js';

/** Numbers → Sum (decided) → Check (2) → Report (decided); 20,000 records of 100 bytes. */
const scenario = (options = '', slots = 4): string => `
flink: 1.20
start: 2024-01-01T00:00:00Z
options:
  execution.batch.adaptive.auto-parallelism.max-parallelism: 4
  execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task: 800kb
${options}
cluster: { taskManagers: { count: 1, slots: ${slots} } }
jobs:
  - name: nightly
    type: BATCH
    parallelism: 2
    restartStrategy: { kind: fixed-delay, attempts: 3, delay: 2 s }
    vertices:
      - operators: [{ name: 'Source: Numbers', recordSize: 96, source: { rate: 10000/s, limit: 20000 } }]
      - parallelism: auto
        operators: [{ name: Sum, selectivity: 0.1, recordSize: 96, serviceTime: 200 us }]
      - operators: [{ name: Check, serviceTime: 2 ms, recordSize: 96 }]
      - parallelism: auto
        operators: [{ name: Last }, { name: 'Report: Writer', sink: {} }]
    edges:
      - { from: 'Source: Numbers', to: Sum, ship: HASH }
      - { from: Sum, to: Check, ship: REBALANCE }
      - { from: Check, to: Last, ship: HASH }
`;

const shown = (job: Json): unknown[] => (job['vertices'] as Json[]).map((vertex) => [vertex['name'], vertex['parallelism'], (Object.values(vertex['tasks'] as Json) as number[]).reduce((sum, count) => sum + count, 0)]);

describe('the adaptive batch scheduler', () => {
  it.each(['1.17', '1.20'])('shows vertices of %s without subtasks until their parallelism is decided', async (version) => {
    await using cluster = await Cluster.start(scenario(), version);
    await cluster.advance('2 s');
    expect(shown(await cluster.job())).toEqual([['Source: Numbers', 2, 2], ['Sum', -1, 0], ['Check', 2, 0], ['Last -> Report: Writer', -1, 0]]);
    const { nodes } = (await cluster.job())['plan'] as { nodes: Json[] };
    expect(nodes.map((node) => node['parallelism'])).toEqual([-1, 2, -1, 2]);
    const [, sum] = (await cluster.job())['vertices'] as Json[];
    const vertex = await cluster.get(`/jobs/${(await cluster.jobs())[0]!['jid'] as string}/vertices/${sum!['id'] as string}`);
    expect(vertex).toMatchObject({ parallelism: -1, maxParallelism: 4, subtasks: [] });
    await cluster.flink.advanceUntil(({ jobs }) => [...jobs.values()][0]!.vertices[1]!.parallelism > 0);
    // 20,000 records of 100 bytes are 2 MB: three tasks of 800 kB each. Check, whose parallelism is given, is there with it.
    expect(shown(await cluster.job()).slice(1)).toEqual([['Sum', 3, 3], ['Check', 2, 2], ['Last -> Report: Writer', -1, 0]]);
    expect(await cluster.text('/jobmanager/log')).toMatch(/Parallelism of JobVertex: Sum \([0-9a-f]{32}\) is decided to be 3\./);
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'FINISHED' } });
    expect(shown(await cluster.job()).at(-1)).toEqual(['Last -> Report: Writer', 1, 1]);
  });

  it.each(['2.0', '2.3'])('makes vertices of %s when their inputs are there, and counts the operators to come', async (version) => {
    await using cluster = await Cluster.start(scenario(), version);
    await cluster.advance('2 s');
    const before = await cluster.job();
    expect(shown(before)).toEqual([['Source: Numbers', 2, 2]]);
    expect(before['pending-operators']).toBe(4);
    expect((await cluster.jobs())[0]).toMatchObject({ 'pending-operators': 4, tasks: { total: 2 } });
    const { nodes } = before['stream-graph'] as { nodes: Json[] };
    expect(nodes.map((node) => [node['operator'], node['parallelism'], 'job_vertex_id' in node])).toEqual([['Source: Numbers', 2, true], ['Sum', -1, false], ['Check', 2, false], ['Last', -1, false], ['Report: Writer', -1, false]]);
    await cluster.flink.advanceUntil(({ jobs }) => [...jobs.values()][0]!.vertices[1]!.parallelism > 0);
    expect((await cluster.job())['pending-operators']).toBe(3);
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'FINISHED' } });
    expect(await cluster.job()).toMatchObject({ 'pending-operators': 0, state: 'FINISHED' });
  });

  it.each([
    ['1.13', '', 2],
    ['1.15', '', 2],
    // A power of two, and 1 GB a task unless the older option says otherwise.
    ['1.15', '  jobmanager.scheduler: AdaptiveBatch\n  jobmanager.adaptive-batch-scheduler.avg-data-volume-per-task: 800kb', 4],
    ['1.20', '  jobmanager.scheduler: Default', 2],
    ['1.20', '  execution.batch.adaptive.auto-parallelism.enabled: false', 2],
    ['1.20', '  execution.batch.adaptive.auto-parallelism.min-parallelism: 4', 4],
  ])('decides in %s as the options say: %s', async (version, options, parallelism) => {
    await using cluster = await Cluster.start(scenario(options), version);
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'FINISHED' } });
    expect(shown(await cluster.job())[1]).toEqual(['Sum', parallelism, parallelism]);
  });

  it('loses no record on the way to more or fewer tasks', async () => {
    await using cluster = await Cluster.start(scenario(), '1.20');
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'FINISHED' } });
    await cluster.advance('20 s');
    await cluster.job();
    const counts = ((await cluster.job())['vertices'] as Json[]).map((vertex) => [vertex['metrics']['read-records'], vertex['metrics']['write-records']]);
    expect(counts[0]![1]).toBe(20_000);
    expect(Math.abs(counts[1]![0] - 20_000)).toBeLessThanOrEqual(3);
    expect(Math.abs(counts[2]![0] - 2_000)).toBeLessThanOrEqual(3);
  });

  it('restarts a failed task alone, with what its producers have stored', async () => {
    await using cluster = await Cluster.start(scenario(), '2.3');
    await cluster.advance('2 s');
    await cluster.flink.advanceUntil(({ jobs }) => [...jobs.values()][0]!.vertices[2]!.subtasks.some(({ current }) => current.state === 'RUNNING'));
    cluster.flink.events.apply({ failSubtask: { operator: 'Check', subtask: 0 } });
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'RESTARTING' } });
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'FINISHED' } });
    const [job] = cluster.flink.state.jobs.values();
    expect(job!.vertices.map(({ subtasks }) => subtasks.map(({ current }) => current.attemptNumber))).toEqual([[0, 0], [0, 0, 0], [1, 0], [0]]);
  });

  it('goes on region by region where slots are few, each slot used again', async () => {
    await using cluster = await Cluster.start(scenario('', 1), '1.20');
    await cluster.advance('1 s');
    const tasks = (await cluster.jobs())[0]!['tasks'] as Json;
    expect(tasks).toMatchObject({ scheduled: 1, total: 2 });
    expect(await cluster.get('/overview')).toMatchObject({ 'slots-available': 0 });
    await cluster.flink.advanceUntil({ jobStatus: { job: 'nightly', status: 'FINISHED' } });
    expect((await cluster.get('/overview'))['jobs-finished']).toBe(1);
    await cluster.advance('1 s');
    expect(await cluster.get('/overview')).toMatchObject({ 'slots-available': 1 });
  });
});
