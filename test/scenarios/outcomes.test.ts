import { beforeAll, describe, expect, it } from 'vitest';
import { runTimeSeries } from '../../src/cli/simulate.js';
import type { JobSample, Sample, VertexSample } from '../../src/cli/time-series.js';
import { loadScenario } from '../../src/scenario/load-scenario.js';
import { Simulation } from '../../src/simulation/simulation.js';

const MINUTE_MS = 60_000;

/** Runs a scenario and answers questions about it; instants are minutes from its start. */
class Run {
  readonly samples: readonly Sample[];

  constructor(
    name: string,
    minutes: number,
    private readonly everyMs = 5_000,
  ) {
    this.samples = runTimeSeries(loadScenario(name), minutes * MINUTE_MS, everyMs);
  }

  sample(minute: number): Sample {
    return this.samples[Math.round((minute * MINUTE_MS) / this.everyMs)]!;
  }

  job(minute: number): JobSample {
    return this.sample(minute).jobs[0]!;
  }

  vertex(minute: number, name: string): VertexSample {
    return this.job(minute).vertices.find((vertex) => vertex.name === name)!;
  }

  /** Mean over the samples after `from` up to `to`. */
  mean(from: number, to: number, name: string, quantity: keyof { [K in keyof VertexSample as VertexSample[K] extends number ? K : never]: 0 }): number {
    const values = this.samples.slice(Math.round((from * MINUTE_MS) / this.everyMs) + 1, Math.round((to * MINUTE_MS) / this.everyMs) + 1).map((sample) => sample.jobs[0]!.vertices.find((vertex) => vertex.name === name)![quantity]);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  levels(minute: number): string[] {
    return this.job(minute).vertices.map((vertex) => vertex.level);
  }

  lag(minute: number): number {
    return this.sample(minute).topics[0]!.groups[0]!.lag;
  }

  /** Minute of the first sample at which the vertex is HIGH. */
  firstHigh(name: string): number {
    const index = this.samples.findIndex((sample) => sample.jobs[0]?.vertices.find((vertex) => vertex.name === name)?.level === 'high');
    return index < 0 ? Infinity : (index * this.everyMs) / MINUTE_MS;
  }

  /** Median duration of the checkpoints that ended from a minute on. */
  checkpointMedianMs(from: number): number {
    const seen = new Map<number, number>();
    for (const sample of this.samples.slice(Math.round((from * MINUTE_MS) / this.everyMs))) {
      const checkpoints = sample.jobs[0]?.checkpoints;
      if (checkpoints && checkpoints.lastDurationMs !== null) seen.set(checkpoints.completed + checkpoints.failed, checkpoints.lastDurationMs);
    }
    const durations = [...seen.values()].sort((a, b) => a - b);
    return durations[durations.length >> 1]!;
  }
}

describe('healthy', () => {
  let run: Run;
  beforeAll(() => (run = new Run('healthy', 30)));

  it('has every level OK and room to spare', () => {
    for (const minute of [5, 15, 30]) {
      expect(run.levels(minute)).toEqual(['ok', 'ok']);
      for (const { busy } of run.job(minute).vertices) expect(busy).toBeLessThan(0.5);
    }
  });

  it('keeps up: what is not committed is a checkpoint interval’s worth', () => {
    const { endOffset, groups } = run.sample(30).topics[0]!;
    expect(run.lag(30)).toBeLessThan(400);
    expect(endOffset - groups[0]!.committed).toBeLessThan(400 * 12);
  });

  it('completes every checkpoint in well under a second', () => {
    const { completed, failed } = run.job(30).checkpoints!;
    expect(completed).toBeGreaterThan(170);
    expect(failed).toBe(0);
    expect(run.checkpointMedianMs(0)).toBeLessThan(500);
  });
});

describe('hot-key', () => {
  let run: Run;
  let simulation: Simulation;
  beforeAll(() => {
    run = new Run('hot-key', 32);
    simulation = new Simulation(loadScenario('hot-key').model);
    simulation.advanceBy(10 * MINUTE_MS);
  });

  it('runs at 1200 a second until the key is hot, then at what one subtask of Enrich manages', () => {
    expect(run.mean(1, 5, 'Enrich', 'recordsInPerSecond')).toBeCloseTo(1_200, -1);
    // 0.6 + 0.4/4 of the records go through one subtask at 500 a second.
    expect(run.mean(7, 20, 'Enrich', 'recordsInPerSecond')).toBeGreaterThan((500 / 0.7) * 0.95);
    expect(run.mean(7, 20, 'Enrich', 'recordsInPerSecond')).toBeLessThan((500 / 0.7) * 1.05);
  });

  it('has one busy and three idle subtasks of Enrich, and everything before it HIGH', () => {
    const job = [...simulation.state.jobs.values()][0]!;
    const busy = [...job.vertices[2]!.columns.busyShare].sort((a, b) => b - a);
    expect(busy[0]).toBeGreaterThan(0.95);
    for (const share of busy.slice(1)) expect(share).toBeLessThan(0.3);
    expect(run.levels(10)).toEqual(['high', 'high', 'ok', 'ok']);
  });

  it('works off what was owed once the key is quiet again', () => {
    expect(run.lag(20)).toBeGreaterThan(300_000);
    expect(run.mean(21, 25, 'Enrich', 'recordsInPerSecond')).toBeGreaterThan(1_900);
    expect(run.lag(32)).toBeLessThan(1_200);
    expect(run.levels(32)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });
});

describe('slow-sink', () => {
  let run: Run;
  beforeAll(() => (run = new Run('slow-sink', 32, 1_000)));
  const [source, parse, enrich, sink] = ['Source: readings', 'Parse', 'Enrich', 'Database: Writer'] as const;

  it('turns HIGH from the sink upwards, never the sink itself', () => {
    expect(run.firstHigh(enrich)).toBeGreaterThan(5);
    expect(run.firstHigh(parse)).toBeGreaterThan(run.firstHigh(enrich));
    expect(run.firstHigh(source)).toBeGreaterThan(run.firstHigh(parse));
    expect(run.firstHigh(source)).toBeLessThan(6);
    expect(run.firstHigh(sink)).toBe(Infinity);
    expect(run.mean(7, 25, sink, 'busy')).toBeGreaterThan(0.98);
  });

  it('runs at the sink’s capacity, the rest is lag', () => {
    expect(run.mean(7, 25, sink, 'recordsInPerSecond')).toBeCloseTo(300, -1);
    expect(run.lag(25)).toBeGreaterThan(0.95 * 20 * 60 * 500);
  });

  it('has longer checkpoints by the time that the full buffers need, none fails', () => {
    expect(run.job(4.9).checkpoints!.lastDurationMs).toBeLessThan(500);
    expect(run.job(20).checkpoints!.lastDurationMs).toBeGreaterThan(5_000);
    expect(run.job(32).checkpoints!.failed).toBe(0);
  });

  it('is healthy again afterwards', () => {
    expect(run.levels(32)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(run.lag(32)).toBeLessThan(800);
  });
});

describe('backpressure-tour', () => {
  let run: Run;
  beforeAll(() => (run = new Run('backpressure-tour', 45)));
  // Between checkpoints (every two minutes, done within 15 s): while barriers are aligned, channels stand still.
  const pools = (minute: number): Record<string, number> =>
    Object.fromEntries(['TaskA', 'TaskB'].flatMap((name) => [[`${name} in`, run.mean(minute, minute + 0.5, name, 'inPoolUsage')], [`${name} out`, run.mean(minute, minute + 0.5, name, 'outPoolUsage')]]));

  it('starts with empty pools', () => {
    for (const usage of Object.values(pools(4))) expect(usage).toBeLessThan(0.3);
    expect(run.levels(4)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('TaskB is the cause: TaskA’s out-pool and TaskB’s in-pool are full, TaskB’s out-pool is not', () => {
    const usage = pools(12.9);
    expect(usage['TaskA out']).toBeGreaterThan(0.8);
    expect(usage['TaskB in']).toBeGreaterThan(0.7);
    expect(usage['TaskB out']).toBeLessThan(0.3);
    expect(run.levels(13)).toEqual(['high', 'high', 'ok', 'ok']);
  });

  it('TaskA is the cause: its in-pool is full, its out-pool is not', () => {
    const usage = pools(28.9);
    expect(usage['TaskA in']).toBeGreaterThan(0.7);
    expect(usage['TaskA out']).toBeLessThan(0.3);
    expect(usage['TaskB in']).toBeLessThan(0.3);
    expect(run.levels(29)).toEqual(['high', 'ok', 'ok', 'ok']);
  });

  it('the sink is the cause: all pools on the way are full', () => {
    for (const usage of Object.values(pools(42.9))) expect(usage).toBeGreaterThan(0.7);
    expect(run.levels(43)).toEqual(['high', 'high', 'high', 'ok']);
  });
});

describe('the three experiments', () => {
  let runs: Record<'a' | 'b' | 'c', Run>;
  beforeAll(() => (runs = { a: new Run('experiment-a-exactly-once', 20), b: new Run('experiment-b-at-least-once', 20), c: new Run('experiment-c-no-checkpoints', 20) }));
  const enrich = 'Enrich -> Sink: Kafka Sink';
  const throughput = (run: Run): number => run.vertex(20, enrich).recordsIn - run.vertex(2, enrich).recordsIn;

  it('throughput: A ≤ B ≤ C, with a small gain', () => {
    const [a, b, c] = [throughput(runs.a), throughput(runs.b), throughput(runs.c)];
    expect(a).toBeLessThanOrEqual(b);
    expect(b).toBeLessThanOrEqual(c);
    expect(c / a).toBeLessThan(1.03);
  });

  it('checkpoints of B take longer than those of A: about 3.9 s against 2.9 s', () => {
    const [a, b] = [runs.a.checkpointMedianMs(2), runs.b.checkpointMedianMs(2)];
    expect(a).toBeGreaterThan(2_300);
    expect(a).toBeLessThan(3_500);
    expect(b).toBeGreaterThan(a * 1.15);
    expect(b).toBeLessThan(4_700);
    expect(runs.c.job(20).checkpoints?.total ?? 0).toBe(0);
  });

  it('without checkpoints there is as much back pressure: they are not its cause', () => {
    for (const run of Object.values(runs)) {
      expect(run.levels(15)).toEqual(['high', 'high', 'ok']);
      expect(run.mean(5, 20, 'Parse', 'backPressured')).toBeGreaterThan(0.9);
    }
  });
});

describe('empty and recorded-script', () => {
  it.each(['empty', 'recorded-script'])('%s has free slots only and no job', (name) => {
    const { model } = loadScenario(name);
    const slots = model.cluster.taskManagers.reduce((sum, taskManager) => sum + taskManager.slots, 0);
    expect(new Run(name, 2).sample(2)).toMatchObject({ taskManagers: model.cluster.taskManagers.length, freeSlots: slots, jobs: [], topics: [] });
  });
});
