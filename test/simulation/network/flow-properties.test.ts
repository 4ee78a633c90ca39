import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobModel } from '../../../src/simulation/model/job-model.js';
import { JobRun, checkpointing, edge, generator, jobModel, operator, vertex, type RunOptions } from '../../physics/harness.js';

interface Plan {
  readonly parallelism: readonly number[];
  readonly serviceTimeUs: readonly number[];
  readonly selectivity: readonly number[];
  readonly bytes: number;
  readonly rate: number;
  readonly strategies: readonly ('HASH' | 'REBALANCE' | 'RESCALE' | 'BROADCAST')[];
  readonly hot: number;
  readonly diamond: boolean;
  readonly hosts: number;
  readonly mode: 'EXACTLY_ONCE' | 'AT_LEAST_ONCE' | 'UNALIGNED' | 'OFF';
  readonly legacy: boolean;
  readonly exact: boolean;
  readonly bufferTimeoutMs: number;
}

const plans: fc.Arbitrary<Plan> = fc.record({
  parallelism: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 5 }),
  serviceTimeUs: fc.array(fc.constantFrom(0, 20, 200, 1000, 5000), { minLength: 5, maxLength: 5 }),
  selectivity: fc.array(fc.constantFrom(1, 1, 0.5, 2), { minLength: 5, maxLength: 5 }),
  bytes: fc.constantFrom(50, 1000, 20_000, 100_000),
  rate: fc.constantFrom(10, 300, 3000, 30_000),
  strategies: fc.array(fc.constantFrom('HASH' as const, 'REBALANCE' as const, 'RESCALE' as const, 'BROADCAST' as const), { minLength: 5, maxLength: 5 }),
  hot: fc.constantFrom(0, 0, 0.7),
  diamond: fc.boolean(),
  hosts: fc.integer({ min: 1, max: 4 }),
  mode: fc.constantFrom('EXACTLY_ONCE' as const, 'AT_LEAST_ONCE' as const, 'UNALIGNED' as const, 'OFF' as const),
  legacy: fc.boolean(),
  exact: fc.boolean(),
  bufferTimeoutMs: fc.constantFrom(-1, 0, 10, 100),
});

function jobOf(plan: Plan): JobModel {
  const vertices = plan.parallelism.map((parallelism, v) => {
    const source = v === 0;
    const sink = v === plan.parallelism.length - 1;
    return vertex(`v${v}`, parallelism, [
      operator({
        id: `o${v}`,
        kind: source ? 'source' : sink ? 'sink' : 'map',
        serviceTimeUs: plan.serviceTimeUs[v],
        selectivity: sink ? 0 : plan.selectivity[v],
        outputRecordBytes: plan.bytes,
        source: source ? generator(plan.rate, { legacy: plan.legacy }) : null,
      }),
    ]);
  });
  const skew = plan.hot > 0 ? ({ kind: 'hot-keys', hotKeys: [{ key: 'a', share: plan.hot }] } as const) : null;
  const edges = vertices.slice(1).map((target, i) => edge(vertices[i].id, target.id, plan.strategies[i], skew));
  // A second way round the second vertex: the third has two gates.
  if (plan.diamond) edges.push(edge('v0', 'v2', 'REBALANCE'));
  return jobModel(vertices, edges, {
    bufferTimeoutMs: plan.bufferTimeoutMs,
    checkpointing: plan.mode === 'OFF' ? null : checkpointing({ intervalMs: 1000, mode: plan.mode === 'AT_LEAST_ONCE' ? 'AT_LEAST_ONCE' : 'EXACTLY_ONCE', unaligned: plan.mode === 'UNALIGNED' }),
  });
}

function optionsOf(plan: Plan, more: RunOptions = {}): RunOptions {
  return { tickMs: 50, placement: (_v, s) => `tm-${s % plan.hosts}`, ...(plan.exact ? {} : { exactChannelsPerSubtask: 0 }), ...more };
}

const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);

describe('flow of records', () => {
  it('neither loses nor invents a record, in any channel', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = new JobRun(jobOf(plan), optionsOf(plan));
        run.advanceTo(4000, () => {
          const { channels, edges } = run.job.network;
          for (let c = 0; c < channels.count; c++) {
            const queued = channels.producerRecords[c] + channels.gateRecords[c];
            expect(queued).toBeCloseTo(channels.enqueued[c] - channels.dequeued[c], 3);
            expect(channels.producerRecords[c]).toBeGreaterThanOrEqual(-1e-6);
            expect(channels.gateRecords[c]).toBeGreaterThanOrEqual(-1e-6);
          }
          edges.forEach((e, index) => {
            let into = 0;
            for (let c = 0; c < channels.count; c++) if (channels.edge[c] === index) into += channels.enqueued[c];
            const emitted = sum(e.emitted) * (e.broadcast ? run.job.vertices[e.targetVertex].parallelism : 1);
            expect(Math.abs(into - emitted)).toBeLessThanOrEqual(1e-6 * Math.max(1, emitted));
          });
        });
        run.job.vertices.forEach(({ columns }, v) => {
          const { channels, edges } = run.job.network;
          let taken = 0;
          for (let c = 0; c < channels.count; c++) if (edges[channels.edge[c]].targetVertex === v) taken += channels.dequeued[c];
          expect(Math.abs(sum(columns.numRecordsIn) - taken)).toBeLessThanOrEqual(1e-6 * Math.max(1, taken));
        });
      }),
      { numRuns: 60, seed: 11 },
    );
  });

  it('accounts for every ms of every subtask', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = new JobRun(jobOf(plan), optionsOf(plan));
        run.advanceTo(3000, () => {
          for (const { columns, parallelism } of run.job.vertices) {
            for (let s = 0; s < parallelism; s++) {
              const shares = [columns.busyShare[s], columns.idleShare[s], columns.softBackPressuredShare[s], columns.hardBackPressuredShare[s]];
              expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
              for (const share of shares) expect(share).toBeGreaterThanOrEqual(-1e-9);
              expect(columns.busyMs[s] + columns.idleMs[s] + columns.softBackPressuredMs[s] + columns.hardBackPressuredMs[s]).toBeCloseTo(run.job.network.lastTickMs - run.startMs, 3);
            }
          }
        });
      }),
      { numRuns: 40, seed: 12 },
    );
  });

  it('keeps queues within pools and gates within their credit', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = new JobRun(jobOf(plan), optionsOf(plan));
        run.advanceTo(4000, () => {
          const { channels, edges, options } = run.job.network;
          edges.forEach((e, index) => {
            const consumers = run.job.vertices[e.targetVertex].parallelism;
            for (let consumer = 0; consumer < consumers; consumer++) {
              let buffers = 0;
              for (let c = 0; c < channels.count; c++) if (channels.edge[c] === index && channels.consumer[c] === consumer) buffers += channels.gateBuffers[c];
              expect(buffers).toBeLessThanOrEqual(e.remoteChannels[consumer] * options.exclusiveBuffersPerChannel + options.floatingBuffersPerGate + 1e-3);
            }
            let held = 0;
            let room = 0;
            for (let c = 0; c < channels.count; c++) if (channels.edge[c] === index) held += channels.producerRecords[c];
            for (const pool of e.poolBuffers) room += (pool + e.overdraftBuffers) * e.recordsPerBuffer;
            // What one record in gives is handed over whole.
            const whole = Math.max(1, run.job.network.vertices[e.sourceVertex].selectivity);
            expect(held).toBeLessThanOrEqual(room + run.job.vertices[e.sourceVertex].parallelism * whole + 1e-6);
          });
          run.job.vertices.forEach(({ columns }, v) => {
            for (const usage of columns.inPoolUsage) expect(usage).toBeLessThanOrEqual(1);
            // Overdraft buffers are beyond the pool.
            const most = Math.max(1, ...run.job.network.vertices[v].outputs.map((e) => 1 + edges[e].overdraftBuffers / Math.min(...edges[e].poolBuffers)));
            for (const usage of columns.outPoolUsage) expect(usage).toBeLessThanOrEqual(most + 1e-9);
          });
        });
      }),
      { numRuns: 80, seed: 13 },
    );
  });

  it('comes to the same with ticks of 10, 50 and 200 ms', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const throughput = [10, 50, 200].map((tickMs) => {
          // Between two instants at which the queues are full, or empty: how they fill is not throughput.
          // Pools of a few records are emptied by chance where keys are random: there the comparison would be one of luck.
          const strategies = plan.bytes > 1000 ? plan.strategies.map((strategy) => (strategy === 'HASH' ? ('REBALANCE' as const) : strategy)) : plan.strategies;
          const run = new JobRun(jobOf({ ...plan, strategies }), optionsOf(plan, { tickMs }));
          // Buffers of many small records in front of a slow task take minutes to fill.
          const fullMs = plan.bytes < 100 ? 300_000 : 20_000;
          run.advanceTo(fullMs);
          const before = run.job.vertices.map(({ columns }) => sum(columns.numRecordsIn) + sum(columns.sourceRecordsIn));
          run.advanceTo(fullMs + 40_000);
          return run.job.vertices.map(({ columns, parallelism }, v) => ({ records: sum(columns.numRecordsIn) + sum(columns.sourceRecordsIn) - before[v], pressed: (sum(columns.softBackPressuredMs) + sum(columns.hardBackPressuredMs)) / parallelism / run.elapsedMs }));
        });
        throughput[0].forEach((reference, v) => {
          for (const other of [throughput[1][v], throughput[2][v]]) {
            expect(Math.abs(other.records - reference.records)).toBeLessThanOrEqual(0.02 * reference.records + 10);
            // Where two ways lead to a vertex, which of them has the full queues is a matter of how the run began.
            // With random keys the counts differ, too.
            if (!plan.diamond && !plan.strategies.includes('HASH')) expect(Math.abs(other.pressed - reference.pressed)).toBeLessThanOrEqual(0.02);
          }
        });
      }),
      { numRuns: 25, seed: 14 },
    );
  });

  it('is the same in one long run as in two joined ones, and from the same seed', () => {
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 59 }), (plan, cut) => {
        const whole = new JobRun(jobOf(plan), optionsOf(plan));
        whole.advanceTo(3000);
        const joined = new JobRun(jobOf(plan), optionsOf(plan));
        joined.advanceTo(cut * 50);
        joined.job.network = structuredClone(joined.job.network);
        joined.advanceTo(3000);
        expect(structuredClone(joined.job.network)).toEqual(whole.job.network);
        expect(joined.job.vertices.map((v) => v.columns)).toEqual(whole.job.vertices.map((v) => v.columns));
      }),
      { numRuns: 25, seed: 15 },
    );
  });

  it('starves no subtask that has work', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const run = new JobRun(jobOf({ ...plan, rate: Math.max(300, plan.rate), hot: 0 }), optionsOf(plan));
        run.advanceTo(8000);
        const before = run.job.vertices.map(({ columns }) => columns.numRecordsIn.slice());
        run.advanceTo(20_000);
        run.job.vertices.forEach(({ columns }, v) => {
          if (v > 0) columns.numRecordsIn.forEach((records, s) => hasInput(run, v, s) && expect(records).toBeGreaterThan(before[v][s]));
        });
      }),
      { numRuns: 40, seed: 16 },
    );
  });

  it('completes the checkpoints that it begins', () => {
    fc.assert(
      fc.property(plans, fc.constantFrom('EXACTLY_ONCE' as const, 'AT_LEAST_ONCE' as const, 'UNALIGNED' as const), (plan, mode) => {
        const run = new JobRun(jobOf({ ...plan, mode, bytes: Math.min(plan.bytes, 1000), serviceTimeUs: plan.serviceTimeUs.map((us) => Math.min(us, 1000)) }), optionsOf(plan));
        run.advanceTo(60_000);
        // Tens of thousands of small records may lie in front of the first barrier.
        if (run.checkpoints.length === 0) run.advanceTo(300_000);
        expect(run.checkpoints.length).toBeGreaterThan(0);
        for (const checkpoint of run.checkpoints) {
          for (const ack of checkpoint.acknowledged) {
            expect(ack.startDelayMs).toBeGreaterThanOrEqual(0);
            expect(ack.alignmentDurationMs).toBeGreaterThanOrEqual(0);
            expect(ack.atMs).toBeGreaterThanOrEqual(run.startMs + checkpoint.triggerMs);
          }
        }
      }),
      { numRuns: 30, seed: 17 },
    );
  });
});

/** Some channel leads to the subtask (with RESCALE and many hosts there may be none of a producer that has output). */
function hasInput(run: JobRun, v: number, s: number): boolean {
  const { channels } = run.job.network;
  const net = run.job.network.vertices[v];
  for (let i = net.inputStart[s]; i < net.inputStart[s + 1]; i++) if (channels.expectedShare[net.inputChannels[i]] > 0) return true;
  return false;
}
