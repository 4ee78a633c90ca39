/** The figures by which a run is judged, from a recording and from the simulation, in the same way. */
import { JobRun } from './harness.js';
import { placementOf, recordedJob, type Recording, type RecordedShot } from './recording.js';

/** A figure of every subtask at each shot. */
export interface VertexSeries {
  readonly name: string;
  /** Records that the vertex has handled (a source: emitted), all subtasks. */
  readonly records: number[];
  readonly ratio: number[][];
  readonly busy: number[][];
  readonly idle: number[][];
  readonly inPool: number[][];
  readonly outPool: number[][];
  readonly queue: number[][];
}

export interface CheckpointFigures {
  readonly durationMs: number;
  readonly processedBytes: number;
  readonly persistedBytes: number;
}

export interface RunFigures {
  /** Seconds since all tasks ran, of each shot. */
  readonly times: number[];
  readonly vertices: VertexSeries[];
  /** The completed ones among the last ten triggered, oldest first. */
  readonly checkpoints: CheckpointFigures[];
}

const HISTORY = 10;

/**
 * Recordings count from the moment at which REST told that all tasks ran, from a cache that is refreshed every 3 s: by what the sources had
 * emitted at the first shots, the tasks had run for 1.4 to 3.5 s by then. And a shot shows metrics as fetched 0 to 2 s before. Together a
 * shot at t shows the job as it was after this much more than t.
 */
const SHOTS_LATE_S = 1.5;
const GAUGES = ['inPoolUsage', 'outPoolUsage', 'inputQueueLength'] as const;

function emptySeries(name: string): VertexSeries {
  return { name, records: [], ratio: [], busy: [], idle: [], inPool: [], outPool: [], queue: [] };
}

export function measuredFigures(recording: Recording): RunFigures {
  const vertices = recording.vertices.map(({ name, parallelism }, v) => {
    const series = emptySeries(name);
    for (const shot of recording.series) {
      const metric = (id: string) => metricOf(shot, name, id, parallelism);
      series.records.push(metric(v === 0 ? 'numRecordsOut' : 'numRecordsIn').reduce((a, b) => a + b, 0));
      series.ratio.push(metric('ratio'));
      series.busy.push(metric('busyTimeMsPerSecond').map((x) => x / 1000));
      series.idle.push(metric('idleTimeMsPerSecond').map((x) => x / 1000));
      series.inPool.push(metric('buffers.inPoolUsage'));
      series.outPool.push(metric('buffers.outPoolUsage'));
      series.queue.push(metric('buffers.inputQueueLength'));
    }
    return series;
  });
  const checkpoints = (recording.checkpoints.history ?? [])
    .filter((checkpoint) => checkpoint.status === 'COMPLETED')
    .map((checkpoint) => ({ durationMs: checkpoint.end_to_end_duration, processedBytes: checkpoint.processed_data, persistedBytes: checkpoint.persisted_data }))
    .reverse();
  return { times: recording.series.map((shot) => shot.t), vertices, checkpoints };
}

function metricOf(shot: RecordedShot, vertex: string, id: string, parallelism: number): number[] {
  const metrics = shot[vertex];
  const values = typeof metrics === 'object' ? metrics[id] : undefined;
  return Array.from({ length: parallelism }, (_, s) => values?.[s] ?? NaN);
}

/** The same run in the simulation, from its inputs alone. */
export function predictedFigures(recording: Recording, options: { tickMs?: number; seed?: number } = {}): RunFigures {
  const run = new JobRun(recordedJob(recording), { ...options, placement: placementOf(recording) });
  const times = recording.series.map((shot) => shot.t);
  const vertices = recording.vertices.map(({ name }) => emptySeries(name));
  for (const t of times) {
    // Queues go up and down with each checkpoint: their mean since the last shot, lest shots and checkpoints fall into step.
    const sums = run.job.vertices.map((vertex) => GAUGES.map(() => new Array<number>(vertex.parallelism).fill(0)));
    let ticks = 0;
    run.advanceTo((t + SHOTS_LATE_S) * 1000, () => {
      ticks++;
      run.job.vertices.forEach(({ columns }, v) => GAUGES.forEach((gauge, g) => columns[gauge].forEach((value, s) => (sums[v][g][s] += value))));
    });
    run.job.vertices.forEach((vertex, v) => {
      const { columns, parallelism } = vertex;
      const source = v === 0;
      const list = (value: (subtask: number) => number) => Array.from({ length: parallelism }, (_, s) => value(s));
      const pressed = (s: number) => Math.min(1, (run.perSecond(v, 'softBackPressuredMs', s) + run.perSecond(v, 'hardBackPressuredMs', s)) / 1000);
      const idle = (s: number) => run.perSecond(v, 'idleMs', s) / 1000;
      const series = vertices[v];
      series.records.push((source ? columns.numRecordsOut : columns.numRecordsIn).reduce((a, b) => a + b, 0));
      series.ratio.push(list(pressed));
      series.busy.push(list((s) => (source ? NaN : 1 - Math.min(1, idle(s) + pressed(s)))));
      series.idle.push(list(idle));
      const gauge = (g: number) => list((s) => (ticks > 0 ? sums[v][g][s] / ticks : columns[GAUGES[g]][s]));
      series.inPool.push(gauge(0));
      series.outPool.push(gauge(1));
      series.queue.push(gauge(2));
    });
  }
  run.advanceTo((recording.seconds + SHOTS_LATE_S) * 1000);
  const recent = run.checkpoints.filter((checkpoint) => checkpoint.id > run.triggered - HISTORY);
  return { times, vertices, checkpoints: recent.map(({ durationMs, processedBytes, persistedBytes }) => ({ durationMs, processedBytes, persistedBytes })) };
}

export function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Slope of a counter over the last seconds, by least squares: its readings come late by up to a metric fetch. */
export function rateOver(times: readonly number[], counter: readonly number[], fromT: number): number {
  const points = times.flatMap((t, i) => (t >= fromT && Number.isFinite(counter[i]) ? [[t, counter[i]] as const] : []));
  const t0 = mean(points.map(([t]) => t));
  const c0 = mean(points.map(([, c]) => c));
  const covariance = points.reduce((sum, [t, c]) => sum + (t - t0) * (c - c0), 0);
  return covariance / points.reduce((sum, [t]) => sum + (t - t0) ** 2, 0);
}

/** Mean over the last seconds of each subtask, in ascending order: which of equal subtasks has more is chance. */
export function steady(times: readonly number[], series: readonly (readonly number[])[], fromT: number): number[] {
  const shots = series.filter((_, i) => times[i] >= fromT);
  if (shots.length === 0) return [];
  return shots[0].map((_, s) => mean(shots.map((shot) => shot[s]).filter((x) => !Number.isNaN(x)))).sort((a, b) => a - b);
}

/** Instants at which the highest ratio of a vertex first passes a level, and at which it is last below it again. */
export function crossings(times: readonly number[], ratio: readonly (readonly number[])[], level: number): { entered: number | null; left: number | null } {
  const highest = ratio.map((shot) => Math.max(...shot.map((x) => (Number.isNaN(x) ? 0 : x))));
  const first = highest.findIndex((x) => x > level);
  if (first < 0) return { entered: null, left: null };
  let last = highest.length - 1;
  while (highest[last] <= level) last--;
  return { entered: times[first], left: last + 1 < times.length ? times[last + 1] : null };
}
