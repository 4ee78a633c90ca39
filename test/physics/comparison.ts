/**
 * Prediction beside measurement, with the tolerances that the project holds itself to. A run is one draw of chance, a prediction is not: it is
 * the median over several seeds.
 */
import { crossings, mean, median, measuredFigures, predictedFigures, rateOver, steady, type RunFigures, type VertexSeries } from './figures.js';
import type { Recording } from './recording.js';

export interface Comparison {
  readonly figure: string;
  readonly measured: number;
  readonly predicted: number;
  /** Greatest difference allowed, in the figure's unit. */
  readonly tolerance: number;
  /** What the prediction may be. */
  readonly from: number;
  readonly to: number;
  /** The prediction by each seed. */
  readonly draws: readonly number[];
  readonly passed: boolean;
  /** The prediction is not within the tolerance, but the figure is a matter of chance: the seeds lie apart by more than the tolerance, the measurement is as near to one of them as it allows. */
  readonly chance: boolean;
  readonly digits: number;
}

export interface RunComparison {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
  readonly measured: RunFigures;
  readonly predicted: RunFigures;
}

/** The end of a run counts as its steady state. */
const STEADY_SECONDS = 25;
/**
 * Throughput, unless the load changes, over more of it: of counters fetched up to 2 s late, slopes over 25 s differ by up to 7 % between the
 * vertices of one recorded run, through which the same records go.
 */
const THROUGHPUT_SECONDS = 50;

/** Seeds of a prediction. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7];

type Judgement = Pick<Comparison, 'figure' | 'measured' | 'predicted' | 'tolerance' | 'from' | 'to' | 'digits'>;

function within(figure: string, measured: number, predicted: number, tolerance: number, digits: number): Judgement {
  return { figure, measured, predicted, tolerance, from: measured - tolerance - 1e-9, to: measured + tolerance + 1e-9, digits };
}

/** Within a factor of the measurement. */
function withinFactor(figure: string, measured: number, predicted: number, factor: number, digits: number): Judgement {
  return { figure, measured, predicted, tolerance: measured * (factor - 1), from: measured / factor, to: measured * factor, digits };
}

export function compareRun(recording: Recording, options: { tickMs?: number; seeds?: readonly number[] } = {}): RunComparison {
  const measured = measuredFigures(recording);
  const { seeds = SEEDS, ...others } = options;
  const draws = seeds.map((seed) => predictedFigures(recording, { ...others, seed }));
  const judged = draws.map((predicted) => judge(recording, measured, predicted));
  const comparisons = judged[0].map((first, i) => combine(first, judged.map((list) => list[i].predicted)));
  // The draw that is the nearest to its fellows stands for them where a picture shows one.
  const distance = (list: readonly Judgement[]) => list.reduce((sum, { predicted, tolerance }, i) => sum + (tolerance > 0 ? Math.abs(predicted - comparisons[i].predicted) / tolerance || 0 : 0), 0);
  const distances = judged.map(distance);
  return { name: recording.name, comparisons, measured, predicted: draws[distances.indexOf(Math.min(...distances))] };
}

function combine(judgement: Judgement, draws: readonly number[]): Comparison {
  const known = draws.filter(Number.isFinite);
  const predicted = known.length * 2 > draws.length ? median(known) : NaN;
  const within = (value: number) => value >= judgement.from && value <= judgement.to;
  const passed = within(predicted);
  const wide = Math.max(...known) - Math.min(...known) > judgement.tolerance;
  const near = judgement.from <= Math.max(...known) && judgement.to >= Math.min(...known);
  return { ...judgement, predicted, draws, passed, chance: !passed && wide && near };
}

function judge(recording: Recording, measured: RunFigures, predicted: RunFigures): Judgement[] {
  const end = measured.times[measured.times.length - 1];
  const steadyFrom = end - STEADY_SECONDS;
  const bursts = String(recording.args.plan ?? '').includes(',');
  const comparisons: Judgement[] = [];
  measured.vertices.forEach((vertex, v) => {
    const other = predicted.vertices[v];
    const rate = (figures: RunFigures, series: VertexSeries) => rateOver(figures.times, series.records, bursts ? steadyFrom : end - THROUGHPUT_SECONDS);
    comparisons.push(within(`${vertex.name}: records/s`, rate(measured, vertex), rate(predicted, other), 0.05 * rate(measured, vertex), 0));
    if (bursts) comparisons.push(...compareCrossings(vertex, other, measured.times));
    else comparisons.push(...compareVertex(vertex, other, measured.times, steadyFrom, v === 0));
  });
  comparisons.push(...compareCheckpoints(measured, predicted, recording.args.unaligned !== undefined));
  return comparisons;
}

function compareVertex(measured: VertexSeries, predicted: VertexSeries, times: readonly number[], from: number, source: boolean): Judgement[] {
  const result: Judgement[] = [];
  const each = (what: string, series: 'ratio' | 'busy' | 'idle', tolerance: number) => {
    const a = steady(times, measured[series], from);
    const b = steady(times, predicted[series], from);
    a.forEach((value, i) => {
      if (!Number.isNaN(value)) result.push(within(`${measured.name}: ${what} ${i + 1}/${a.length}`, value, b[i], tolerance, 3));
    });
  };
  // How the keys fall decides which subtask has the fuller queues, and by how much: of those, the vertex and its highest subtask.
  const both = (what: string, series: 'inPool' | 'outPool' | 'queue', tolerance: (value: number) => number, digits: number) => {
    const a = steady(times, measured[series], from);
    const b = steady(times, predicted[series], from);
    if (a.some(Number.isNaN)) return;
    for (const [which, of] of [['mean', mean], ['highest', (list: readonly number[]) => list[list.length - 1]]] as const) {
      result.push(within(`${measured.name}: ${what}, ${which}`, of(a), of(b), tolerance(of(a)), digits));
    }
  };
  each('back-pressured', 'ratio', 0.05);
  if (!source) {
    each('busy', 'busy', 0.05);
    each('idle', 'idle', 0.05);
    both('in-pool', 'inPool', () => 0.15, 2);
    both('input queue', 'queue', (value) => Math.max(3, 0.25 * value), 1);
  }
  both('out-pool', 'outPool', () => 0.15, 2);
  return result;
}

function compareCrossings(measured: VertexSeries, predicted: VertexSeries, times: readonly number[]): Judgement[] {
  const result: Judgement[] = [];
  for (const [name, level] of [['LOW', 0.1], ['HIGH', 0.5]] as const) {
    const a = crossings(times, measured.ratio, level);
    const b = crossings(times, predicted.ratio, level);
    if (a.entered !== null) result.push(within(`${measured.name}: ${name} from, s`, a.entered, b.entered ?? NaN, 10, 0));
    if (a.left !== null) result.push(within(`${measured.name}: ${name} until, s`, a.left, b.left ?? NaN, 15, 0));
    if (a.entered === null) result.push(within(`${measured.name}: ${name} never`, 0, b.entered ?? 0, 0, 0));
  }
  return result;
}

function compareCheckpoints(measured: RunFigures, predicted: RunFigures, unaligned: boolean): Judgement[] {
  if (measured.checkpoints.length === 0) return [];
  const of = (figures: RunFigures, field: 'durationMs' | 'processedBytes' | 'persistedBytes') => (figures.checkpoints.length === 0 ? NaN : median(figures.checkpoints.map((c) => c[field])));
  const duration = of(measured, 'durationMs');
  return [
    unaligned
      ? withinFactor('checkpoint, ms (median)', duration, of(predicted, 'durationMs'), 2, 0)
      : within('checkpoint, ms (median)', duration, of(predicted, 'durationMs'), Math.max(100, 0.2 * duration), 0),
    withinFactor('processed in alignment, bytes', of(measured, 'processedBytes'), of(predicted, 'processedBytes'), 2, 0),
    within('persisted in alignment, bytes', of(measured, 'persistedBytes'), of(predicted, 'persistedBytes'), 0.25 * of(measured, 'persistedBytes'), 0),
  ];
}

/** Under overload unaligned checkpoints are the fastest, at-least-once ones the slowest. */
export function compareModes(runs: readonly RunComparison[], recordings: readonly Recording[]): Comparison[] {
  const durationOf = (test: (recording: Recording) => boolean) => {
    const at = recordings.findIndex((recording) => Number(recording.args.plan) >= 1600 && String(recording.args.us) === '0,2000,0' && test(recording));
    return at < 0 ? NaN : median(runs[at].predicted.checkpoints.map((c) => c.durationMs));
  };
  const unaligned = durationOf((r) => r.args.unaligned !== undefined);
  const exactlyOnce = durationOf((r) => r.args.unaligned === undefined && r.args.mode === undefined && r.args.iv === undefined);
  const atLeastOnce = durationOf((r) => r.args.mode === 'AT_LEAST_ONCE');
  if ([unaligned, exactlyOnce, atLeastOnce].some(Number.isNaN)) return [];
  const ordered = unaligned < exactlyOnce && exactlyOnce < atLeastOnce;
  return [{ figure: 'unaligned < exactly once < at least once', measured: 1, predicted: ordered ? 1 : 0, tolerance: 0, from: 1, to: 1, draws: [], passed: ordered, chance: false, digits: 0 }];
}
