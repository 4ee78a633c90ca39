import { describe, expect, it } from 'vitest';
import { Cluster, type Json } from './cluster.js';

const job = (name: string, at: string, parallelism: number): string => `
  - name: ${name}
    at: ${at}
    parallelism: ${parallelism}
    restartStrategy: { kind: none }
    vertices: [{ operators: [{ name: 'Source: ${name}', source: { rate: 10/s } }, { name: 'Sink: ${name}', sink: {} }] }]`;

const scenario = (jobs: string, options = ''): string => `
flink: 1.20
start: 2024-01-01T00:00:00Z
options:
  taskmanager.numberOfTaskSlots: 4
  slot.request.timeout: 60 s
  resourcemanager.standalone.start-up-time: 60 s
${options}
cluster: { taskManagers: { count: 1, slots: 4 }, allowTooFewSlots: true }
jobs:${jobs}
`;

const VERSIONS = ['1.9', '1.13', '1.17', '1.20', '2.3'];

describe('slots', () => {
  it.each(VERSIONS)('of %s that a job frees go to the one that waits, which is RUNNING with SCHEDULED tasks until then', async (version) => {
    await using cluster = await Cluster.start(scenario(job('first', '1 s', 3) + job('second', '10 s', 2)), version);
    await cluster.advance('20 s');
    const named = async (name: string): Promise<Json> => (await cluster.jobs()).find((one) => one['name'] === name)!;
    expect(await named('second')).toMatchObject({ state: 'RUNNING', tasks: { scheduled: 2, running: 0 } });
    expect((await cluster.get('/overview'))['slots-available']).toBe(0);
    cluster.flink.events.apply({ cancelJob: { job: 'first' } });
    await cluster.advance('10 s');
    expect(await named('second')).toMatchObject({ state: 'RUNNING', tasks: { scheduled: 0, running: 2 } });
    expect((await cluster.get('/overview'))['slots-available']).toBe(2);
  });

  it.each(VERSIONS)('of %s that never come fail the job with NoResourceAvailableException', async (version) => {
    await using cluster = await Cluster.start(scenario(job('greedy', '1 s', 9)), version);
    await cluster.advance('40 s');
    expect((await cluster.jobs())[0]).toMatchObject({ state: 'RUNNING', tasks: { scheduled: 9 } });
    await cluster.advance('30 s');
    expect((await cluster.jobs())[0]).toMatchObject({ state: 'FAILED', tasks: { running: 0, scheduled: 0 } });
    const jobId = (await cluster.jobs())[0]!['jid'] as string;
    expect(JSON.stringify(await cluster.get(`/jobs/${jobId}/exceptions`))).toContain('org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException');
    expect((await cluster.get('/overview'))['slots-available']).toBe(4);
    expect(await cluster.get('/overview')).toMatchObject({ 'jobs-failed': 1, 'jobs-running': 0 });
  });
});

describe('failure labels', () => {
  it.each([
    ['1.17', undefined],
    ['1.18', { type: 'USER', team: 'shop' }],
    ['2.3', { type: 'USER', team: 'shop' }],
  ])('are told in %s as %o, and filter the history', async (version, labels) => {
    await using cluster = await Cluster.start(scenario(job('labelled', '1 s', 1)).replace('{ kind: none }', '{ kind: fixed-delay, attempts: 5, delay: 1 s }'), version);
    await cluster.advance('10 s');
    cluster.flink.events.apply({ failSubtask: { operator: 'Source: labelled', labels: { type: 'USER', team: 'shop' } } });
    await cluster.advance('10 s');
    cluster.flink.events.apply({ failSubtask: { operator: 'Source: labelled', message: 'another' } });
    await cluster.advance('10 s');
    const path = `/jobs/${(await cluster.jobs())[0]!['jid'] as string}/exceptions`;
    const entries = (await cluster.get(path))['exceptionHistory']['entries'] as Json[];
    expect(entries.map((entry) => entry['failureLabels'])).toEqual(labels ? [{}, labels] : [undefined, undefined]);
    if (!labels) return;
    const filtered = (await cluster.get(`${path}?failureLabelFilter=type:USER`))['exceptionHistory']['entries'] as Json[];
    expect(filtered).toHaveLength(1);
  });
});
