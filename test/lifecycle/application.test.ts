import { describe, expect, it } from 'vitest';
import { Cluster, type Json } from './cluster.js';

const scenario = (options: readonly string[] = [], source = 'rate: 100/s, limit: 1000'): string => `
flink: 1.20
start: 2024-01-01T00:00:00Z
options:
  taskmanager.numberOfTaskSlots: 2
${options.map((option) => `  ${option}`).join('\n')}
cluster: { deployment: application, entryClass: com.example.Shop, taskManagers: { count: 1, slots: 2 } }
jobs:
  - name: shop
    restartStrategy: { kind: none }
    vertices:
      - operators: [{ name: 'Source: Orders', source: { ${source} } }, { name: 'Orders: Writer', sink: {} }]
`;
const HIGH_AVAILABILITY = ['high-availability.type: zookeeper', 'high-availability: zookeeper', 'high-availability.zookeeper.client.session-timeout: 10 s'];
const ENDLESS = 'rate: 100/s';

describe('application mode', () => {
  it.each(['1.9', '1.13', '1.20', '2.3'])('of %s takes no jars and no jobs', async (version) => {
    await using cluster = await Cluster.start(scenario([], ENDLESS), version);
    await cluster.advance('10 s');
    expect((await cluster.get('/config'))['features']?.['web-submit'] ?? false).toBe(false);
    expect(await cluster.status('/jars')).toBe(404);
    expect(await cluster.status('/jars/upload', 'POST')).toBe(404);
    expect(await cluster.status('/jars/x.jar/run', 'POST')).toBe(404);
    expect(await cluster.status('/jobs', 'POST')).toBe(404);
    expect(await cluster.jobs()).toHaveLength(1);
    expect(await cluster.text('/jobmanager/log')).toContain(version === '1.9' ? 'Starting StandaloneJobClusterEntryPoint' : 'Starting StandaloneApplicationClusterEntryPoint');
  });

  it('gives its job any id without high availability, zeros with it, and the one that was set', async () => {
    const idWith = async (options: readonly string[]): Promise<string> => {
      await using cluster = await Cluster.start(scenario(options, ENDLESS), '1.20');
      await cluster.advance('10 s');
      return (await cluster.jobs())[0]!['jid'] as string;
    };
    expect(await idWith([])).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(await idWith(HIGH_AVAILABILITY)).toBe('0'.repeat(32));
    expect(await idWith(['$internal.pipeline.job-id: 0123456789abcdef0123456789abcdef'])).toBe('0123456789abcdef0123456789abcdef');
  });

  it.each([
    ['FINISHED', 'rate: 100/s, limit: 1000', 'SUCCEEDED', '0'],
    ['CANCELED', ENDLESS, 'CANCELED', '0'],
    ['FAILED', ENDLESS, 'FAILED', '1443'],
  ])('ends the cluster when its job is %s', async (status, source, told, code) => {
    await using cluster = await Cluster.start(scenario([], source), '1.20');
    await cluster.advance('5 s');
    if (status === 'CANCELED') cluster.flink.events.apply({ cancelJob: {} });
    if (status === 'FAILED') cluster.flink.events.apply({ failSubtask: { operator: 'Source: Orders' } });
    await cluster.flink.advanceUntil({ jobStatus: { job: 'shop', status: status as 'FINISHED' } });
    // The result is still to be asked for.
    expect((await cluster.jobs())[0]!['state']).toBe(status);
    await cluster.advance('2100 ms');
    expect(await cluster.status('/jobs/overview')).toBeNull();
    await cluster.advance('10 min');
    expect(await cluster.status('/overview')).toBeNull();
    const messages = cluster.flink.state.jobManager.log.entries.map(({ message }) => message);
    expect(messages).toContain(`Shutting StandaloneApplicationClusterEntryPoint down with application status ${told}. Diagnostics null.`);
    expect(messages.at(-1)).toBe(`Terminating cluster entrypoint process StandaloneApplicationClusterEntryPoint with exit code ${code}.`);
  });

  it('stays where execution.shutdown-on-application-finish says so, from 1.15 on', async () => {
    for (const [version, stays] of [['1.14', false], ['1.15', true], ['2.3', true]] as const) {
      await using cluster = await Cluster.start(scenario(['execution.shutdown-on-application-finish: false']), version);
      await cluster.flink.advanceUntil({ jobStatus: { job: 'shop', status: 'FINISHED' } });
      await cluster.advance('1 min');
      expect([version, await cluster.status('/overview')]).toEqual([version, stays ? 200 : null]);
    }
  });

  it('is an application of its own in 2.3, which ends after its job', async () => {
    await using cluster = await Cluster.start(scenario(['execution.shutdown-on-application-finish: false'], ENDLESS), '2.3');
    await cluster.advance('10 s');
    const [application] = (await cluster.get('/applications/overview'))['applications'] as Json[];
    expect(application).toMatchObject({ name: 'com.example.Shop', status: 'RUNNING', jobs: { RUNNING: 1 } });
    expect((await cluster.job())['application-id']).toBe(application!['id']);
    cluster.flink.events.apply({ cancelJob: {} });
    await cluster.advance('3 s');
    const ended = await cluster.get(`/applications/${application!['id'] as string}`);
    const [job] = ended['jobs'] as Json[];
    expect(ended['status']).toBe('CANCELED');
    expect(ended['end-time']).toBeGreaterThan(job!['end-time']);
  });

  it('runs its program again when its process is started again, or recovers its job', async () => {
    for (const [options, restored] of [[[], false], [HIGH_AVAILABILITY, true]] as const) {
      await using cluster = await Cluster.start(scenario(options, ENDLESS), '1.20');
      await cluster.advance('10 s');
      const before = (await cluster.jobs())[0]!['jid'] as string;
      cluster.flink.events.apply({ crashJobManager: { restartAfter: '10 s' } });
      await cluster.advance('3 min');
      const after = await cluster.jobs();
      expect(after).toHaveLength(1);
      expect(after[0]!['state']).toBe('RUNNING');
      expect(after[0]!['jid'] === before).toBe(restored);
    }
  });

  it('is for exactly one job', async () => {
    const two = scenario().replace(/jobs:[^]*/, (jobs) => `${jobs}${jobs.slice('jobs:\n'.length).replace('name: shop', 'name: two').replaceAll('Orders', 'Returns')}`);
    await expect(Cluster.start(two, '1.20')).rejects.toThrow(/application with 2 jobs; allowed: exactly one job/);
  });
});
