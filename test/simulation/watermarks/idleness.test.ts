import { describe, expect, it } from 'vitest';
import { ScenarioError, startMockFlink } from '../../../src/index.js';
import { WatermarkCluster } from './cluster.js';

const IN = '0.currentInputWatermark';

describe('a partition that never had a record', () => {
  it('holds the watermark back', async () => {
    await using cluster = await WatermarkCluster.start('1.20', 1, [{ rate: 100, shares: [1, 0] }]);
    await cluster.flink.advanceBy('1 min');
    expect(await cluster.behind(1, IN)).toBe(Infinity);
    expect((await cluster.metrics(0, '0.Source__Read_a.numRecordsOut,0.numRecordsOut'))['0.numRecordsOut']).toBeGreaterThan(5_000);
  });

  it('does so until the time-out with idleness', async () => {
    await using cluster = await WatermarkCluster.start('1.20', 1, [{ rate: 100, shares: [1, 0], source: ', idleAfter: 25 s' }]);
    await cluster.flink.advanceBy('10 s');
    expect(await cluster.behind(1, IN)).toBe(Infinity);
    await cluster.flink.advanceBy('20 s');
    expect(await cluster.behind(1, IN)).toBeLessThan(13);
  });

  it('does not in the KafkaSource of 1.13, whose splits count from their first record, and does in the legacy consumer', async () => {
    await using source = await WatermarkCluster.start('1.13', 1, [{ rate: 100, shares: [1, 0] }]);
    await source.flink.advanceBy('20 s');
    expect(await source.behind(1, IN)).toBeLessThan(13);
    await using legacy = await WatermarkCluster.start('1.13', 1, [{ rate: 100, shares: [1, 0], source: ', legacy: true' }]);
    await legacy.flink.advanceBy('20 s');
    expect(await legacy.behind(1, IN)).toBe(Infinity);
  });

  it('cannot be marked idle before there was a WatermarkStrategy', async () => {
    await using cluster = await WatermarkCluster.start('1.10', 1, [{ rate: 100, shares: [1, 0], source: ', idleAfter: 5 s, legacy: true' }]);
    await cluster.flink.advanceBy('1 min');
    expect(await cluster.behind(1, IN)).toBe(Infinity);
  });
});

describe('a partition that falls silent', () => {
  const silent = (idle: string) => ({ rate: 0, backlog: 500, shares: [1, 1], source: idle });

  it('stops the watermark of the whole job; with idleness the job goes on without it, and the idle source has its last word', async () => {
    await using stopped = await WatermarkCluster.start('1.20', 2, [{ rate: 200, shares: [1, 1] }, silent('')]);
    await stopped.flink.advanceBy('2 min');
    expect(await stopped.behind(2, IN)).toBeGreaterThan(100);
    await using going = await WatermarkCluster.start('1.20', 2, [{ rate: 200, shares: [1, 1] }, silent(', idleAfter: 10 s')]);
    await going.flink.advanceBy('2 min');
    expect(await going.behind(2, IN)).toBeLessThan(13);
    expect(await going.behind(1, '0.Read_b.currentOutputWatermark')).toBeGreaterThan(13);
  });

  it('tells its idle time from 2.1 on, below the split', async () => {
    await using cluster = await WatermarkCluster.start('2.3', 1, [{ rate: 100, shares: [1, 0], source: ', idleAfter: 10 s' }]);
    await cluster.flink.advanceBy('2 min');
    const split = (partition: number, what: string) => `0.Read_a.split.a-${partition}.watermark.${what}`;
    const values = await cluster.metrics(0, [0, 1].flatMap((p) => ['idleTimeMsPerSecond', 'activeTimeMsPerSecond', 'currentWatermark', 'accumulatedIdleTimeMs'].map((what) => split(p, what))).join());
    expect(values).toMatchObject({ [split(0, 'idleTimeMsPerSecond')]: 0, [split(0, 'activeTimeMsPerSecond')]: 1000, [split(1, 'idleTimeMsPerSecond')]: 1000, [split(1, 'activeTimeMsPerSecond')]: 0 });
    expect(values[split(1, 'currentWatermark')]).toBeLessThan(0);
    expect(values[split(0, 'currentWatermark')]).toBeGreaterThan(cluster.nowMs - 13_000);
    expect(values[split(1, 'accumulatedIdleTimeMs')]).toBeGreaterThan(90_000);
  });
});

it('a source subtask that has no partition holds the watermark back, unless it may become idle', async () => {
  await using held = await WatermarkCluster.start('1.20', 3, [{ rate: 100, shares: [1, 1] }]);
  await held.flink.advanceBy('1 min');
  expect(await held.behind(1, IN)).toBe(Infinity);
  await using idle = await WatermarkCluster.start('1.20', 3, [{ rate: 100, shares: [1, 1], source: ', idleAfter: 10 s' }]);
  await idle.flink.advanceBy('1 min');
  expect(await idle.behind(1, IN)).toBeLessThan(13);
});

it('idleness of a source without watermarks is a mistake that is told', async () => {
  const yaml = 'title: t\njobs: [{ name: j, vertices: [{ operators: [{ name: r, source: { rate: 1, idleAfter: 5 s } }] }, { operators: [{ name: s, sink: {} }] }], edges: [{ from: r, to: s, ship: FORWARD }] }]';
  const started = startMockFlink({ scenario: { yaml } });
  await expect(started).rejects.toThrow(ScenarioError);
  await expect(started).rejects.toThrow(/maxOutOfOrderness/);
});
