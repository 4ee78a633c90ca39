import { describe, expect, it } from 'vitest';
import { JobRun, edge, generator, jobModel, operator, vertex } from '../../physics/harness.js';

/** A source, a task whose records each become `selectivity` records of 1000 bytes, and a slow one behind it. */
function behindFlatMap(selectivity: number, more: { flinkVersion?: string; options?: Record<string, string>; legacy?: boolean; bytes?: number } = {}): JobRun {
  const bytes = more.bytes ?? 987;
  const model = jobModel(
    [
      vertex('source', 1, [operator({ id: 'source', kind: 'source', outputRecordBytes: 100, source: generator(2000, { legacy: more.legacy ?? false }) })]),
      vertex('flatMap', 1, [operator({ id: 'flatMap', selectivity, outputRecordBytes: bytes })]),
      vertex('sink', 1, [operator({ id: 'sink', kind: 'sink', serviceTimeUs: 2000, selectivity: 0 })]),
    ],
    [edge('source', 'flatMap', 'FORWARD'), edge('flatMap', 'sink', 'FORWARD')],
  );
  const run = new JobRun(model, { ...(more.flinkVersion === undefined ? {} : { flinkVersion: more.flinkVersion }), options: more.options ?? {} });
  run.advanceTo(60_000);
  return run;
}

describe('overdraft buffers', () => {
  it('are taken by a task that has to end a record when its pool is empty: usage above 1, soft back pressure', () => {
    // 100 records of 1000 bytes need four buffers of 32 KiB, three of them beyond the one that was there.
    const { columns } = behindFlatMap(100).job.vertices[1];
    expect(columns.outPoolUsage[0]).toBeCloseTo(13 / 10, 6);
    expect(columns.outputQueueLength[0]).toBe(13);
    expect(columns.softBackPressuredShare[0]).toBeGreaterThan(0.9);
    expect(columns.hardBackPressuredShare[0]).toBe(0);
  });

  it('are no more than the option allows; a task that needs more waits inside the record', () => {
    const { columns } = behindFlatMap(1000).job.vertices[1];
    expect(columns.outPoolUsage[0]).toBeCloseTo(15 / 10, 6);
    expect(columns.hardBackPressuredShare[0]).toBeGreaterThan(0.9);
    expect(columns.softBackPressuredShare[0]).toBe(0);
    const ample = behindFlatMap(1000, { options: { 'taskmanager.network.memory.max-overdraft-buffers-per-gate': '40' } }).job.vertices[1];
    expect(ample.columns.outPoolUsage[0]).toBeCloseTo(40 / 10, 6);
    expect(ample.columns.softBackPressuredShare[0]).toBeGreaterThan(0.9);
    const none = behindFlatMap(100, { options: { 'taskmanager.network.memory.max-overdraft-buffers-per-gate': '0' } }).job.vertices[1];
    expect(none.columns.outPoolUsage[0]).toBe(1);
    expect(none.columns.hardBackPressuredShare[0]).toBeGreaterThan(0.9);
  });

  it('are needed for records larger than a segment, not for those that fit into one', () => {
    expect(behindFlatMap(1, { bytes: 100_000 }).job.vertices[1].columns.outPoolUsage[0]).toBeGreaterThan(1.2);
    expect(behindFlatMap(1, { bytes: 30_000 }).job.vertices[1].columns.outPoolUsage[0]).toBeLessThanOrEqual(1);
  });

  it('do not exist before 1.16, nor for legacy sources', () => {
    const old = behindFlatMap(100, { flinkVersion: '1.15.4' }).job.vertices[1];
    expect(old.columns.outPoolUsage[0]).toBe(1);
    expect(old.columns.hardBackPressuredShare[0]).toBeGreaterThan(0.9);
    const legacy = behindFlatMap(1, { legacy: true, bytes: 100_000 });
    expect(legacy.job.network.edges[0].overdraftBuffers).toBe(0);
  });
});
