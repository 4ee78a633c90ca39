import { describe, expect, it } from 'vitest';
import { startMockFlink, type MockFlink } from '../../../src/index.js';

const SCENARIO = `
options: { restart-strategy.type: fixed-delay, restart-strategy: fixed-delay, restart-strategy.fixed-delay.delay: 1 s, restart-strategy.fixed-delay.attempts: 100, metrics.fetcher.update-interval: 600000,
  high-availability: zookeeper, high-availability.storageDir: file:///data/ha }
jobs:
  - name: numbers
    id: 0123456789abcdef0123456789abcdef
    vertices:
      - operators: [{ name: 'Source: numbers', source: { rate: 100/s } }]
      - operators: [{ name: Square }]
    edges: [{ from: 'Source: numbers', to: Square, ship: REBALANCE }]
`;

interface Subtask {
  readonly attempt: number;
  readonly status: string;
  readonly metrics: Readonly<Record<'read-records' | 'read-records-complete', number | boolean>>;
}

async function squareOf(flink: MockFlink): Promise<Subtask> {
  const get = async (path: string): Promise<any> => (await fetch(`${flink.url}${path}`)).json();
  const job = '/jobs/0123456789abcdef0123456789abcdef';
  const { vertices } = await get(job);
  const { subtasks } = await get(`${job}/vertices/${vertices[1].id}`);
  return subtasks[0];
}

/** The second attempt runs, and what was fetched last is of the first one. */
async function restarted(flinkVersion: string): Promise<{ readonly flink: MockFlink; readonly before: Subtask }> {
  const flink = await startMockFlink({ scenario: { yaml: SCENARIO }, flinkVersion, clock: 'manual' });
  await flink.advanceBy(60_000);
  await squareOf(flink);
  const before = await squareOf(flink);
  flink.events.apply({ failSubtask: { job: 'numbers', operator: 'Square', subtask: 0 } });
  await flink.advanceBy(20_000);
  return { flink, before };
}

describe('FLINK-28588: counters of a running attempt that was not fetched yet', () => {
  it.each(['1.16', '1.20', '2.3'])('are missing in %s', async (version) => {
    const { flink, before } = await restarted(version);
    await using _ = flink;
    expect(before).toMatchObject({ attempt: 0, metrics: { 'read-records-complete': true } });
    expect(await squareOf(flink)).toMatchObject({ attempt: 1, status: 'RUNNING', metrics: { 'read-records': 0, 'read-records-complete': false } });
  });

  it.each(['1.9', '1.13', '1.15'])('are those of the attempt before in %s', async (version) => {
    const { flink, before } = await restarted(version);
    await using _ = flink;
    expect(await squareOf(flink)).toMatchObject({ attempt: 1, status: 'RUNNING', metrics: before.metrics });
  });

  it('are of the new one at once where another job manager took over, whose attempts begin at 0 again', async () => {
    await using flink = await startMockFlink({ scenario: { yaml: SCENARIO }, flinkVersion: '1.20', clock: 'manual' });
    await flink.advanceBy(600_000);
    const before = await squareOf(flink);
    expect(before).toMatchObject({ attempt: 0, metrics: { 'read-records-complete': true } });
    flink.events.apply({ failOverJobManager: {} });
    await flink.advanceUntil(({ jobManager, jobs }) => jobManager.availability === 'LEADING' && jobManager.predecessors === 1 && [...jobs.values()].some(({ vertices }) => vertices.every(({ subtasks }) => subtasks[0]!.current.state === 'RUNNING')));
    await flink.advanceBy(5_000);
    expect(flink.clock.nowMs - flink.state.model.startMs).toBeLessThan(1_200_000);
    const after = await squareOf(flink);
    expect(after).toMatchObject({ attempt: 0, status: 'RUNNING' });
    expect(after.metrics['read-records']).toBeLessThan(before.metrics['read-records'] as number);
  });
});
