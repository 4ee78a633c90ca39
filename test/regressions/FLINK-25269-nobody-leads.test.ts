import { expect, it } from 'vitest';
import { startMockFlink } from '../../src/index.js';

/** Status and first error text of the job list, second by second, from a failover of the job manager on. */
async function askThroughFailover(flinkVersion: string): Promise<{ status: number; error: string }[]> {
  await using flink = await startMockFlink({ scenario: 'jobmanager-failover', flinkVersion, openAt: '30 s' });
  flink.events.apply({ failOverJobManager: {} });
  const seen: { status: number; error: string }[] = [];
  for (let second = 0; second < 60; second++) {
    await flink.advanceBy('1 s');
    const answer = await fetch(`${flink.url}/jobs/overview`);
    const body = (await answer.json()) as { errors?: string[] };
    seen.push({ status: answer.status, error: body.errors?.[0]?.split('\n')[0] ?? '' });
  }
  return seen;
}

it.each(['1.20.5', '2.3.0'])('while nobody leads the answer is 503 with the text of the election, and 200 again afterwards (%s)', async (version) => {
  const seen = await askThroughFailover(version);
  const electing = seen.filter(({ status }) => status === 503);
  expect(electing.length).toBeGreaterThan(0);
  for (const { error } of electing) expect(error).toBe('Service temporarily unavailable due to an ongoing leader election. Please refresh.');
  expect(seen.at(-1)!.status).toBe(200);
});
