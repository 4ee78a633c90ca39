import { describe, expect, it } from 'vitest';
import { Cluster, type Json } from './cluster.js';

const scenario = (options: string): string => `
flink: 1.20
start: 2024-01-01T00:00:00Z
options:
  taskmanager.numberOfTaskSlots: 4
${options}
cluster: { taskManagers: { count: 1, slots: 4 } }
jobs:
${[1, 2, 3].map((n) => `  - name: job ${n}\n    at: ${n} s\n    vertices: [{ operators: [{ name: 'Source: ${n}', source: { rate: 100/s, limit: ${200 * n} } }, { name: 'Sink: ${n}', sink: {} }] }]`).join('\n')}
`;

const names = (jobs: readonly Json[]): string[] => jobs.map((job) => job['name'] as string).sort();

describe('ended jobs', () => {
  it.each(['1.9', '1.13', '2.3'])('of %s are forgotten after jobstore.expiration-time, one after the other', async (version) => {
    await using cluster = await Cluster.start(scenario('  jobstore.expiration-time: 60'), version);
    await cluster.flink.advanceUntil({ jobStatus: { job: 'job 3', status: 'FINISHED' } });
    const jobs = await cluster.jobs();
    expect(names(jobs)).toEqual(['job 1', 'job 2', 'job 3']);
    const first = jobs.find((job) => job['name'] === 'job 1')!;
    await cluster.flink.clock.advanceTo((first['end-time'] as number) + 59_500);
    expect(await cluster.status(`/jobs/${first['jid'] as string}`)).toBe(200);
    await cluster.advance('600 ms');
    expect(await cluster.status(`/jobs/${first['jid'] as string}`)).toBe(404);
    expect(names(await cluster.jobs())).toEqual(['job 2', 'job 3']);
    await cluster.advance('1 min');
    expect(await cluster.jobs()).toEqual([]);
    expect((await cluster.get('/overview'))['jobs-finished']).toBe(0);
  });

  it('are no more than jobstore.max-capacity: the oldest go', async () => {
    await using cluster = await Cluster.start(scenario('  jobstore.max-capacity: 2'), '1.20');
    await cluster.flink.advanceUntil({ jobStatus: { job: 'job 3', status: 'FINISHED' } });
    expect(names(await cluster.jobs())).toEqual(['job 2', 'job 3']);
  });
});
