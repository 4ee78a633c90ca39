import { expect, it } from 'vitest';
import { WatermarkCluster } from './cluster.js';

it('partitions are dealt out anew when a job starts over with another parallelism, and read on from the checkpoint', async () => {
  await using cluster = await WatermarkCluster.start('1.20', 2, [{ rate: 400, shares: [1, 1, 1, 1], source: ', idleAfter: 30 s' }], '    checkpointing: { interval: 5 s }\n');
  const offsets = async (subtasks: number): Promise<Record<string, number>> => {
    const names = Array.from({ length: subtasks }, (_, s) => [0, 1, 2, 3].map((p) => `${s}.Read_a.KafkaSourceReader.topic.a.partition.${p}.currentOffset`)).flat();
    return cluster.metrics(0, names.join());
  };
  const before = await offsets(2);
  const owner = (values: Record<string, number>, p: number): string[] => Object.keys(values).filter((name) => name.endsWith(`partition.${p}.currentOffset`)).map((name) => name.split('.')[0]!);
  const owners = [0, 1, 2, 3].map((p) => owner(before, p));
  expect(owners.every((each) => each.length === 1)).toBe(true);
  expect(owners[0]).toEqual(owners[2]);
  expect(owners[0]).not.toEqual(owners[1]);
  cluster.flink.events.apply({ rescaleJob: { job: cluster.jobId, parallelism: 1 } });
  await cluster.flink.advanceBy('30 s');
  const after = await offsets(1);
  expect([0, 1, 2, 3].map((p) => owner(after, p))).toEqual([['0'], ['0'], ['0'], ['0']]);
  // 100 records a second came into each partition since the topic was made: none was left out or read from the start again.
  const elapsedS = (cluster.nowMs - cluster.flink.state.model.startMs) / 1000;
  for (const offset of Object.values(after)) {
    expect(offset).toBeGreaterThan(100 * elapsedS - 1_200);
    expect(offset).toBeLessThanOrEqual(100 * elapsedS);
  }
  expect(await cluster.behind(1, '0.currentInputWatermark')).toBeLessThan(13);
});
