import { expect, it } from 'vitest';
import { WatermarkCluster } from './cluster.js';

/** A source that waits for the other, and a changelog. */
const CHANGELOG = '    options: { state.changelog.enabled: "true", state.changelog.periodic-materialize.interval: 10 s }\n    checkpointing: { interval: 4 s, stateBackend: rocksdb }\n';
const TOPICS = [
  { rate: 100, shares: [3, 1, 0], backlog: 20_000, serviceUs: 4_000, source: ', idleAfter: 8 s, alignment: { group: g, maxDrift: 10 s }' },
  { rate: 100, shares: [1, 1], backlog: 20_000, serviceUs: 300, source: ', idleAfter: 8 s, alignment: { group: g, maxDrift: 10 s }' },
];

async function answers(cluster: WatermarkCluster): Promise<unknown[]> {
  const splits = [0, 1, 2].flatMap((p) => ['currentWatermark', 'accumulatedIdleTimeMs', 'accumulatedPausedTimeMs', 'pausedTimeMsPerSecond'].map((what) => `0.Read_a.split.a-${p}.watermark.${what}`));
  return [
    await cluster.metrics(0, ['0.Read_a.watermarkAlignmentDrift', '0.numRecordsOut', ...splits].join()),
    await cluster.metrics(1, '0.Read_b.watermarkAlignmentDrift,0.numRecordsOut,0.idleTimeMsPerSecond'),
    await (await fetch(`${cluster.flink.url}/jobs/${cluster.jobId}/checkpoints`)).json(),
  ];
}

it('what waits goes on from a snapshot as it would have without', async () => {
  await using cluster = await WatermarkCluster.start('2.3', 1, TOPICS, CHANGELOG);
  await cluster.flink.advanceBy('33 s');
  const snapshot = await cluster.flink.snapshot();
  await cluster.flink.advanceBy('40 s');
  const first = await answers(cluster);
  await cluster.flink.restore(snapshot);
  await cluster.flink.advanceBy('40 s');
  expect(await answers(cluster)).toEqual(first);
  const [, fast] = first as [Record<string, number>, Record<string, number>];
  expect(fast['0.idleTimeMsPerSecond']).toBeGreaterThan(500);
});
