import { describe, expect, it } from 'vitest';
import { Cluster, type Json } from './cluster.js';

const SCENARIO = `
flink: 1.20
start: 2024-01-01T00:00:00Z
options:
  scheduler-mode: reactive
  taskmanager.numberOfTaskSlots: 2
  state.checkpoints.dir: file:///data/checkpoints
  jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling: 1 s
  jobmanager.adaptive-scheduler.scaling-interval.min: 1 s
cluster: { taskManagers: { count: 1, slots: 2 } }
jobs:
  - name: elastic
    parallelism: 1
    checkpointing: { interval: 5 s }
    vertices:
      - operators: [{ name: 'Source: Numbers', source: { rate: 100/s } }]
      - operators: [{ name: 'Numbers: Writer', sink: {} }]
    edges: [{ from: 'Source: Numbers', to: 'Numbers: Writer', ship: HASH }]
`;

const parallelism = (job: Json): number[] => (job['vertices'] as Json[]).map((vertex) => vertex['parallelism'] as number);

describe('reactive mode', () => {
  it.each(['1.13', '1.17', '1.20', '2.3'])('of %s takes all slots, more of them when task managers come, less when one goes', async (version) => {
    await using cluster = await Cluster.start(SCENARIO, version);
    await cluster.advance('20 s');
    expect(parallelism(await cluster.job())).toEqual([2, 2]);
    cluster.flink.events.apply({ addTaskManagers: { count: 1 } });
    await cluster.advance('60 s');
    expect(parallelism(await cluster.job())).toEqual([4, 4]);
    expect(await cluster.job()).toMatchObject({ state: 'RUNNING' });
    expect((await cluster.get('/overview'))['slots-available']).toBe(0);
    cluster.flink.events.apply({ killTaskManager: { taskManager: 1 } });
    await cluster.advance('2 min');
    expect(parallelism(await cluster.job())).toEqual([2, 2]);
    expect(await cluster.job()).toMatchObject({ state: 'RUNNING' });
    const { counts } = await cluster.get(`/jobs/${(await cluster.jobs())[0]!['jid'] as string}/checkpoints`);
    expect(counts.restored).toBeGreaterThanOrEqual(2);
    expect(await cluster.get('/config')).toMatchObject({ 'refresh-interval': 1 });
  });

  it('waits without any slot, however long, and starts with the first', async () => {
    await using cluster = await Cluster.start(SCENARIO.replace('{ count: 1, slots: 2 }', '{ count: 1, slots: 2 }, allowTooFewSlots: true').replace('jobs:\n', 'timeline:\n  - { at: 1 s, killTaskManager: { taskManager: 0 } }\njobs:\n').replace('    parallelism: 1\n', '    parallelism: 1\n    at: 2 min\n'), '1.20');
    await cluster.advance('12 min');
    expect((await cluster.jobs())[0]).toMatchObject({ state: 'CREATED' });
    cluster.flink.events.apply({ addTaskManagers: { count: 1 } });
    await cluster.advance('30 s');
    expect((await cluster.jobs())[0]).toMatchObject({ state: 'RUNNING', tasks: { running: 4 } });
  });
});
