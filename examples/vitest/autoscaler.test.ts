import { expect, it } from 'vitest';
import { startMockFlink } from 'mock-flink';

/** What is tested: starts another task manager while records wait in Kafka. */
async function scale(lag: number, taskManagers: number, start: (count: number) => void): Promise<void> {
  if (lag > 5_000 && taskManagers < 4) start(taskManagers + 1);
}

it('starts task managers while the lag is high, and stops at four', async () => {
  await using flink = await startMockFlink({ scenario: 'healthy', openAt: '20 s' });
  flink.events.apply({ setTopicRate: { topic: 'page-views', rate: '20000/s' } });
  await flink.advanceUntil({ lagAbove: { records: 5_000 } });
  for (let round = 0; round < 5; round++) {
    const overview = (await (await fetch(`${flink.url}/overview`)).json()) as { taskmanagers: number };
    await scale(flink.summary().jobs[0]!.lag, overview.taskmanagers, (count) => flink.cluster.setTaskManagers(count));
    await flink.advanceBy('30 s');
  }
  expect(flink.cluster.taskManagers).toBe(4);
});
