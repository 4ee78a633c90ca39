import { describe, expect, it } from 'vitest';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import { JobRun, checkpointing, edge, generator, jobModel, operator, vertex } from '../../physics/harness.js';

/** Source → hash → slow → hash → sink with 12 subtasks each on 4 task managers; every all-to-all edge has 144 channels. */
function job(recordsPerSecond: number, mode: 'EXACTLY_ONCE' | 'AT_LEAST_ONCE', hot: number): JobModel {
  const skew = hot > 0 ? ({ kind: 'hot-keys', hotKeys: [{ key: '0', share: hot }] } as const) : null;
  return jobModel(
    [
      vertex('source', 12, [operator({ id: 'source', kind: 'source', outputRecordBytes: 500, source: generator(recordsPerSecond) })]),
      vertex('parse', 12, [operator({ id: 'parse', serviceTimeUs: 50, outputRecordBytes: 500 })]),
      vertex('slow', 12, [operator({ id: 'slow', serviceTimeUs: 2000, outputRecordBytes: 500 })]),
      vertex('sink', 12, [operator({ id: 'sink', kind: 'sink', serviceTimeUs: 10, selectivity: 0 })]),
    ],
    [edge('source', 'parse', 'REBALANCE'), edge('parse', 'slow', 'HASH', skew), edge('slow', 'sink', 'REBALANCE')],
    { checkpointing: checkpointing({ mode }) },
  );
}

function figures(model: JobModel, exactChannelsPerSubtask: number) {
  const run = new JobRun(model, { exactChannelsPerSubtask, placement: (_v, s) => `tm-${s % 4}` });
  const { vertices } = run.job;
  const queues = vertices.map(() => ({ inPool: 0, outPool: 0, queue: 0 }));
  let ticks = 0;
  run.advanceTo(30_000);
  run.advanceTo(120_000, () => {
    ticks++;
    vertices.forEach(({ columns }, v) => {
      queues[v].inPool += mean(columns.inPoolUsage);
      queues[v].outPool += mean(columns.outPoolUsage);
      queues[v].queue += mean(columns.inputQueueLength);
    });
  });
  return {
    throughput: vertices.map(({ columns }) => mean(columns.numRecordsIn) / run.elapsedMs),
    pressed: vertices.map(({ columns }) => mean(columns.softBackPressuredMs) / run.elapsedMs),
    busy: vertices.map(({ columns }) => mean(columns.busyMs) / run.elapsedMs),
    inPool: queues.map((q) => q.inPool / ticks),
    outPool: queues.map((q) => q.outPool / ticks),
    queue: queues.map((q) => q.queue / ticks),
    checkpointMs: mean(run.checkpoints.map((checkpoint) => checkpoint.durationMs)),
  };
}

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((a, b) => a + b, 0) / values.length;
}

describe('edges kept in sums', () => {
  it.each([
    ['light load', 3000, 'EXACTLY_ONCE', 0],
    ['overload, exactly once', 12_000, 'EXACTLY_ONCE', 0],
    ['overload, at least once', 12_000, 'AT_LEAST_ONCE', 0],
    ['a hot key', 3000, 'EXACTLY_ONCE', 0.4],
  ] as const)('agree with every channel for itself: %s', (_name, rate, mode, hot) => {
    const exact = figures(job(rate, mode, hot), 1000);
    const summed = figures(job(rate, mode, hot), 0);
    exact.throughput.forEach((value, v) => expect(Math.abs(summed.throughput[v] - value)).toBeLessThanOrEqual(0.03 * value));
    for (const figure of ['pressed', 'busy'] as const) exact[figure].forEach((value, v) => expect(Math.abs(summed[figure][v] - value), `${figure} ${v}`).toBeLessThanOrEqual(0.04));
    for (const figure of ['inPool', 'outPool'] as const) exact[figure].forEach((value, v) => expect(Math.abs(summed[figure][v] - value), `${figure} ${v}`).toBeLessThanOrEqual(0.15));
    exact.queue.forEach((value, v) => expect(Math.abs(summed.queue[v] - value), `queue ${v}`).toBeLessThanOrEqual(Math.max(3, 0.25 * value)));
    expect(Math.abs(summed.checkpointMs - exact.checkpointMs)).toBeLessThanOrEqual(Math.max(100, 0.25 * exact.checkpointMs));
  });
});
