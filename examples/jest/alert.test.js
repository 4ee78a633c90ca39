import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startMockFlink } from 'mock-flink';

/** What is tested: an alert that speaks up when checkpoints stop completing. */
async function checkpointAlert(flink, sinceMs) {
  const { jobs } = await (await fetch(`${flink}/jobs/overview`)).json();
  const { latest } = await (await fetch(`${flink}/jobs/${jobs[0].jid}/checkpoints`)).json();
  const completed = latest.completed?.latest_ack_timestamp ?? 0;
  return completed < sinceMs ? `${jobs[0].name}: no checkpoint since ${completed === 0 ? 'the start' : new Date(completed).toISOString()}` : null;
}

let flink;
beforeEach(async () => {
  flink = await startMockFlink({ scenario: 'healthy', openAt: '5 min' });
});
afterEach(() => flink.close());

test('is silent while checkpoints complete', async () => {
  expect(await checkpointAlert(flink.url, flink.clock.nowMs - 120_000)).toBeNull();
});

test('speaks up when the storage fails', async () => {
  flink.events.apply({ setCheckpointStorage: { failing: true } });
  await flink.advanceBy('5 min');
  expect(await checkpointAlert(flink.url, flink.clock.nowMs - 120_000)).toMatch(/^page view counts: no checkpoint since 20/);
});
