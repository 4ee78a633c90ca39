import { describe, expect, it } from 'vitest';
import { applyNetworkAction, startSubtask, stopSubtask } from '../../../src/simulation/network/index.js';
import { defaultMaxParallelism, consumerShares, murmurHash, operatorIndex, pointwiseRange } from '../../../src/simulation/network/shares.js';
import { offeredRecords } from '../../../src/simulation/network/offered-load.js';
import { JobRun, checkpointing, edge, generator, jobModel, operator, vertex } from '../../physics/harness.js';

const source = (recordsPerSecond: number, options: Parameters<typeof generator>[1] = {}, bytes = 1000) => operator({ id: 'source', kind: 'source', outputRecordBytes: bytes, source: generator(recordsPerSecond, options) });
const map = (id: string, serviceTimeUs: number) => operator({ id, serviceTimeUs, outputRecordBytes: 1000 });
const sink = (serviceTimeUs = 0) => operator({ id: 'sink', kind: 'sink', serviceTimeUs, selectivity: 0 });
const total = (values: Float64Array) => values.reduce((a, b) => a + b, 0);

describe('shares', () => {
  it('put the recorded hot key (Integer 0) on the subtask where it was seen', () => {
    expect(operatorIndex(murmurHash(0) % 128, 4, 128)).toBe(2);
    const shares = consumerShares(edge('a', 'b', 'HASH'), { kind: 'hot-keys', hotKeys: [{ key: '0', share: 0.6 }] }, 4, -1);
    expect([...shares].map((share) => Number(share.toFixed(3)))).toEqual([0.1, 0.1, 0.7, 0.1]);
  });

  it('follow the key groups, which do not divide evenly', () => {
    expect([...consumerShares(edge('a', 'b', 'HASH'), null, 3, 128)].map((share) => share * 128)).toEqual([43, 43, 42]);
    expect([1, 85, 86, 200, 30_000].map(defaultMaxParallelism)).toEqual([128, 128, 256, 512, 32_768]);
  });

  it('of pointwise edges cover every consumer once', () => {
    for (const [producers, consumers] of [[2, 5], [5, 2], [3, 3], [4, 6]]) {
      const reached = new Set<number>();
      for (let p = 0; p < producers; p++) for (let c = pointwiseRange(p, producers, consumers)[0]; c < pointwiseRange(p, producers, consumers)[1]; c++) reached.add(c);
      expect([...reached].sort((a, b) => a - b)).toEqual(Array.from({ length: consumers }, (_, c) => c));
    }
  });
});

describe('offered load', () => {
  it('is the integral of its steps and ramps', () => {
    const steps = [{ afterMs: 0, recordsPerSecond: 100, rampMs: 0 }, { afterMs: 10_000, recordsPerSecond: 300, rampMs: 4000 }];
    expect(offeredRecords(steps, 0, 10_000)).toBeCloseTo(1000, 6);
    expect(offeredRecords(steps, 10_000, 14_000)).toBeCloseTo(800, 6);
    expect(offeredRecords(steps, 8000, 15_000)).toBeCloseTo(200 + 800 + 300, 6);
  });
});

describe('the bottleneck', () => {
  const run = (serviceTimes: readonly number[], seconds = 30) => {
    const names = ['source', 'a', 'b', 'c'];
    const job = new JobRun(jobModel([vertex('source', 2, [source(2000)]), ...serviceTimes.map((us, i) => vertex(names[i + 1], 2, [map(names[i + 1], us)]))], serviceTimes.map((_, i) => edge(names[i], names[i + 1], 'REBALANCE'))));
    job.advanceTo(seconds * 1000);
    return job.job.vertices.map(({ columns }) => ({ busy: columns.busyShare[0], pressed: columns.softBackPressuredShare[0], idle: columns.idleShare[0], inPool: columns.inPoolUsage[0], outPool: columns.outPoolUsage[0] }));
  };

  it('is busy, all before it is back-pressured, all behind it idles', () => {
    const [first, a, b, c] = run([50, 2000, 50]);
    expect(first.pressed).toBeGreaterThan(0.95);
    expect(a.pressed).toBeGreaterThan(0.9);
    expect(a.outPool).toBeGreaterThan(0.9);
    expect(b.busy).toBeGreaterThan(0.99);
    expect(b.inPool).toBeGreaterThan(0.9);
    expect(c.idle).toBeGreaterThan(0.9);
  });

  it('at the first operator leaves all behind it idle; at the last it fills every stage', () => {
    const slowFirst = run([2000, 50, 50]);
    expect(slowFirst[1].busy).toBeGreaterThan(0.99);
    expect(slowFirst[2].pressed).toBe(0);
    const slowLast = run([50, 50, 2000]);
    for (const v of [0, 1, 2]) expect(slowLast[v].pressed).toBeGreaterThan(0.9);
  });

  it('moves when a service time changes', () => {
    const job = new JobRun(jobModel([vertex('source', 1, [source(500)]), vertex('a', 1, [map('a', 1000)]), vertex('sink', 1, [sink()])], [edge('source', 'a', 'FORWARD'), edge('a', 'sink', 'FORWARD')]));
    job.advanceTo(5000);
    expect(job.job.vertices[0].columns.softBackPressuredShare[0]).toBe(0);
    expect(applyNetworkAction(job.state, job.job, { kind: 'set-service-time', target: { job: 'job', operator: 'a' }, serviceTimeUs: 4000 })).toBe(true);
    job.advanceTo(20_000);
    expect(job.job.vertices[0].columns.softBackPressuredShare[0]).toBeGreaterThan(0.9);
  });
});

describe('sources', () => {
  it('owe what they could not emit, and pay it when they can', () => {
    const job = new JobRun(jobModel([vertex('source', 1, [source(800)]), vertex('sink', 1, [sink(1250)])], [edge('source', 'sink', 'FORWARD')]));
    job.advanceTo(10_000);
    applyNetworkAction(job.state, job.job, { kind: 'set-source-rate', target: { job: 'job', operator: 'source' }, recordsPerSecond: 1600, rampMs: 0 });
    job.advanceTo(20_000);
    expect(job.job.network.vertices[0].owed[0]).toBeGreaterThan(7000);
    applyNetworkAction(job.state, job.job, { kind: 'set-source-rate', target: { job: 'job', operator: 'source' }, recordsPerSecond: 0, rampMs: 0 });
    job.advanceTo(35_000);
    expect(job.job.vertices[1].columns.numRecordsIn[0]).toBeCloseTo(24_000, 0);
  });

  it('of the old kind are back-pressured hard, those of the new kind softly', () => {
    for (const legacy of [true, false]) {
      const job = new JobRun(jobModel([vertex('source', 1, [source(2000, { legacy })]), vertex('sink', 1, [sink(2000)])], [edge('source', 'sink', 'FORWARD')]));
      job.advanceTo(10_000);
      const { columns } = job.job.vertices[0];
      expect(columns.hardBackPressuredShare[0] > 0.9).toBe(legacy);
      expect(columns.softBackPressuredShare[0] > 0.9).toBe(!legacy);
    }
  });

  it('with a limit end, and the tasks behind them when all is worked off', () => {
    const job = new JobRun(jobModel([vertex('source', 2, [source(1000, { recordLimit: 3000 })]), vertex('a', 2, [map('a', 500)]), vertex('sink', 1, [sink()])], [edge('source', 'a', 'HASH'), edge('a', 'sink', 'REBALANCE')]));
    job.advanceTo(10_000);
    expect(job.finished.map(({ vertexIndex, subtask }) => `${vertexIndex}.${subtask}`).sort()).toEqual(['0.0', '0.1', '1.0', '1.1', '2.0']);
    expect(total(job.job.vertices[2].columns.numRecordsIn)).toBeCloseTo(3000, 3);
  });
});

describe('checkpoints', () => {
  const durations = (fields: Parameters<typeof checkpointing>[0], rate = 2000) => {
    const job = new JobRun(jobModel([vertex('source', 2, [source(rate)]), vertex('a', 2, [map('a', 2000)]), vertex('sink', 1, [sink()])], [edge('source', 'a', 'HASH'), edge('a', 'sink', 'REBALANCE')], { checkpointing: checkpointing(fields) }));
    job.advanceTo(60_000);
    return job.checkpoints.slice(2);
  };

  it('take long under back pressure, unless their barriers overtake', () => {
    const aligned = durations({});
    const unaligned = durations({ unaligned: true });
    const switching = durations({ unaligned: true, alignedTimeoutMs: 300 });
    expect(Math.min(...aligned.map((c) => c.durationMs))).toBeGreaterThan(1000);
    expect(Math.max(...unaligned.map((c) => c.durationMs))).toBeLessThan(500);
    expect(Math.max(...switching.map((c) => c.durationMs))).toBeLessThan(900);
    expect(Math.min(...switching.map((c) => c.durationMs))).toBeGreaterThanOrEqual(300);
    expect(aligned.every((c) => c.persistedBytes === 0)).toBe(true);
    expect(unaligned.every((c) => c.persistedBytes > 500_000)).toBe(true);
    expect(switching.every((c) => c.persistedBytes > 100_000)).toBe(true);
  });

  it('set buffers aside while they align, up to 1.10, each counted as a whole segment', () => {
    const buffered = (flinkVersion: string) => {
      const job = new JobRun(jobModel([vertex('source', 2, [source(2000)]), vertex('a', 2, [map('a', 2000)]), vertex('sink', 1, [sink()])], [edge('source', 'a', 'HASH'), edge('a', 'sink', 'REBALANCE')], { checkpointing: checkpointing() }), { flinkVersion });
      job.advanceTo(60_000);
      return job.checkpoints.slice(2).map(({ acknowledged }) => acknowledged.reduce((bytes, ack) => bytes + ack.alignmentBufferedBytes, 0));
    };
    const old = buffered('1.9.3');
    expect(Math.max(...old)).toBeGreaterThan(100_000);
    expect(old.every((bytes) => bytes % 32_768 === 0)).toBe(true);
    expect(buffered('1.11.4').every((bytes) => bytes === 0)).toBe(true);
  });

  it('are quick at low load, where a time-out finds nothing to overtake', () => {
    for (const checkpoint of durations({ unaligned: true, alignedTimeoutMs: 5000 }, 100)) {
      expect(checkpoint.durationMs).toBeLessThan(300);
      expect(checkpoint.persistedBytes).toBe(0);
    }
  });
});

describe('buffers', () => {
  it('shrink to what is taken in the target time, when asked to, and checkpoints get quicker', () => {
    const run = (enabled: string) => {
      const job = new JobRun(jobModel([vertex('source', 2, [source(2000)]), vertex('a', 2, [map('a', 2000)]), vertex('sink', 1, [sink()])], [edge('source', 'a', 'HASH'), edge('a', 'sink', 'REBALANCE')], { checkpointing: checkpointing({}) }), {
        options: { 'taskmanager.network.memory.buffer-debloat.enabled': enabled, 'taskmanager.network.memory.buffer-debloat.target': '200 ms' },
      });
      job.advanceTo(60_000);
      return job;
    };
    const plain = run('false');
    const debloated = run('true');
    expect(plain.job.vertices[1].columns.debloatedBufferSizeBytes[0]).toBe(32_768);
    expect(debloated.job.vertices[1].columns.debloatedBufferSizeBytes[0]).toBeLessThan(12_000);
    expect(debloated.checkpoints.at(-1)!.durationMs).toBeLessThan(0.6 * plain.checkpoints.at(-1)!.durationMs);
    expect(total(debloated.job.vertices[1].columns.numRecordsIn)).toBeGreaterThan(0.95 * total(plain.job.vertices[1].columns.numRecordsIn));
  });

  it('are counted by the options of the cluster', () => {
    const job = new JobRun(jobModel([vertex('source', 2, [source(2000)]), vertex('a', 2, [map('a', 2000)])], [edge('source', 'a', 'HASH')]), {
      options: { 'taskmanager.network.memory.buffers-per-channel': '4', 'taskmanager.network.memory.floating-buffers-per-gate': '2' },
    });
    job.advanceTo(20_000);
    expect([...job.job.network.edges[0].poolBuffers]).toEqual([10, 10]);
    const { channels } = job.job.network;
    for (let c = 0; c < channels.count; c++) if (channels.local[c] === 0) expect(channels.gateBuffers[c]).toBeLessThanOrEqual(6.001);
  });
});

describe('blocking exchanges', () => {
  it('keep all that the producer writes until the consumer runs', () => {
    const batch = { ...edge('source', 'a', 'HASH'), exchange: 'blocking' as const };
    const job = new JobRun(jobModel([vertex('source', 1, [source(5000, { recordLimit: 20_000 })]), vertex('a', 1, [map('a', 100)])], [batch]));
    stopSubtask(job.state, job.job, 1, 0);
    job.advanceTo(6000);
    expect(job.finished.map(({ vertexIndex }) => vertexIndex)).toEqual([0]);
    expect(job.job.vertices[0].columns.softBackPressuredMs[0]).toBe(0);
    startSubtask(job.state, job.job, 1, 0);
    job.advanceTo(12_000);
    expect(job.job.vertices[1].columns.numRecordsIn[0]).toBeCloseTo(20_000, 3);
    expect(job.finished.map(({ vertexIndex }) => vertexIndex)).toEqual([0, 1]);
  });

  it('are read again by a new attempt of the consumer', () => {
    const batch = { ...edge('source', 'a', 'HASH'), exchange: 'blocking' as const };
    const job = new JobRun(jobModel([vertex('source', 1, [source(20_000, { recordLimit: 20_000 })]), vertex('a', 1, [map('a', 1000)])], [batch]));
    job.advanceTo(6000);
    stopSubtask(job.state, job.job, 1, 0);
    startSubtask(job.state, job.job, 1, 0);
    job.advanceTo(40_000);
    expect(job.job.vertices[1].columns.numRecordsIn[0]).toBeCloseTo(20_000, 3);
  });
});

describe('chains and functions', () => {
  it('hold the results of windows until their end', () => {
    const windowed = operator({ id: 'window', kind: 'window', serviceTimeUs: 10, selectivity: 0.1, window: { sizeMs: 5000, slideMs: 5000 } });
    const job = new JobRun(jobModel([vertex('source', 1, [source(1000)]), vertex('window', 1, [windowed]), vertex('sink', 1, [sink()])], [edge('source', 'window', 'HASH'), edge('window', 'sink', 'FORWARD')]));
    job.advanceTo(4900);
    expect(total(job.job.vertices[2].columns.numRecordsIn)).toBe(0);
    job.advanceTo(6000);
    expect(total(job.job.vertices[2].columns.numRecordsIn)).toBeGreaterThan(400);
    expect(job.job.vertices[1].columns.numFiredTimers[0]).toBeGreaterThan(400);
  });

  it('fail when they were told to, once', () => {
    const failing = operator({ id: 'a', failure: { afterRecords: 1000, exceptionClass: 'java.lang.RuntimeException', message: 'no' } });
    const job = new JobRun(jobModel([vertex('source', 1, [source(500)]), vertex('a', 1, [failing])], [edge('source', 'a', 'FORWARD')]));
    job.advanceTo(5000);
    expect(job.failures).toEqual([{ vertexIndex: 1, subtask: 0, exceptionClass: 'java.lang.RuntimeException', message: 'no' }]);
  });

  it('a sink at the limit of its outside system is busy, asynchronous requests leave the thread alone until they are full', () => {
    const limited = operator({ id: 'sink', kind: 'sink', selectivity: 0, serviceTimeUs: 10, sink: { capacityRecordsPerSecond: 300, commitMs: 0 } });
    const requests = operator({ id: 'async', kind: 'async', serviceTimeUs: 10, async: { capacity: 100, latencyMs: 200 } });
    const job = new JobRun(jobModel([vertex('source', 1, [source(400)]), vertex('async', 1, [requests]), vertex('sink', 1, [limited])], [edge('source', 'async', 'FORWARD'), edge('async', 'sink', 'FORWARD')]));
    job.advanceTo(3000);
    expect(job.job.vertices[1].columns.busyShare[0]).toBeLessThan(0.05);
    job.advanceTo(60_000);
    expect(job.job.vertices[2].columns.busyShare[0]).toBeGreaterThan(0.99);
    expect(job.job.vertices[1].columns.softBackPressuredShare[0]).toBeGreaterThan(0.9);
  });
});

describe('a new attempt', () => {
  it('of a source that had finished begins with its own result', () => {
    const job = new JobRun(jobModel([vertex('source', 1, [source(1000, { recordLimit: 1000 })]), vertex('a', 1, [map('a', 5000)])], [edge('source', 'a', 'FORWARD')]));
    job.advanceTo(3000);
    for (const v of [0, 1]) {
      stopSubtask(job.state, job.job, v, 0);
      startSubtask(job.state, job.job, v, 0);
    }
    job.advanceTo(20_000);
    expect(job.job.vertices[1].columns.numRecordsIn[0]).toBeCloseTo(1000, 3);
  });
});

describe('a subtask that stops', () => {
  it('loses its queues and lets no record go on', () => {
    const job = new JobRun(jobModel([vertex('source', 2, [source(2000)]), vertex('a', 2, [map('a', 2000)])], [edge('source', 'a', 'HASH')]));
    job.advanceTo(5000);
    for (const s of [0, 1]) stopSubtask(job.state, job.job, 1, s);
    expect(total(job.job.network.channels.gateRecords)).toBe(0);
    const before = total(job.job.vertices[1].columns.numRecordsIn);
    job.advanceTo(8000);
    expect(total(job.job.vertices[1].columns.numRecordsIn)).toBe(before);
    expect(job.job.vertices[0].columns.softBackPressuredShare[0]).toBeGreaterThan(0.99);
  });
});
