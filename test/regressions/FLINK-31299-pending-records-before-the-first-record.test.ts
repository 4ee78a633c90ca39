import { expect, it } from 'vitest';
import { startMockFlink } from '../../src/index.js';

it.each(['1.20.5', '2.3.0'])('pendingRecords is not among the metrics before the first record, and is afterwards (%s)', async (version) => {
  await using flink = await startMockFlink({ scenario: 'healthy', flinkVersion: version, openAt: '0 s' });
  flink.events.apply({ setTopicRate: { topic: 'page-views', rate: '0/s' } });
  await flink.advanceBy('40 s');
  const [job] = flink.state.jobs.values();
  const path = `${flink.url}/jobs/${job!.id}/vertices/${job!.vertices[0]!.id}/subtasks/metrics`;
  const names = async (): Promise<string[]> => {
    // the first question only makes the job manager fetch
    await fetch(path);
    await flink.advanceBy('20 ms');
    return ((await (await fetch(path)).json()) as { id: string }[]).map(({ id }) => id);
  };
  const early = await names();
  expect(early.some((name) => name.endsWith('.currentOutputWatermark'))).toBe(true);
  expect(early.filter((name) => name.endsWith('.pendingRecords'))).toEqual([]);
  flink.events.apply({ setTopicRate: { topic: 'page-views', rate: '400/s' } });
  await flink.advanceBy('30 s');
  expect((await names()).filter((name) => name.endsWith('.pendingRecords'))).not.toEqual([]);
});
