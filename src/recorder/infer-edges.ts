import type { Notes } from './notes.js';
import { sum, type VertexMeasure } from './measure-vertex.js';
import type { JobSurvey } from './survey.js';
import { round } from './written-values.js';

interface EdgeDraft {
  readonly from: number;
  readonly to: number;
  readonly ship: string;
  readonly exchange: string | undefined;
  /** Records a second that went this way; null where the consumer has other inputs too. */
  readonly perSecond: number | null;
}

/** Edges of a job, and what each vertex emits a second on any one of them. */
export interface InferredEdges {
  readonly edges: readonly Record<string, unknown>[];
  readonly emittedPerSecond: readonly number[];
}

const SHIPS = new Set(['FORWARD', 'REBALANCE', 'RESCALE', 'HASH', 'BROADCAST', 'GLOBAL', 'SHUFFLE', 'CUSTOM']);
/** Parts of a stream that are nearer to the whole are the whole. */
const WHOLE = 0.98;
/** Shares that differ less from even are even; counts of few records differ by chance. */
const EVEN = 0.05;
const CHANCE = 4;

function draftEdges(job: JobSurvey, measures: readonly VertexMeasure[]): EdgeDraft[] {
  return job.vertices.flatMap((target, to) =>
    target.inputs.map(({ id, ship_strategy, exchange }): EdgeDraft => {
      const from = job.vertices.findIndex((vertex) => vertex.id === id);
      const ship = SHIPS.has(ship_strategy ?? '') ? ship_strategy! : job.vertices[from]?.parallelism === target.parallelism ? 'FORWARD' : 'REBALANCE';
      const copies = ship === 'BROADCAST' ? target.parallelism : 1;
      return { from, to, ship, exchange, perSecond: target.inputs.length === 1 ? measures[to]!.inPerSecond / copies : null };
    }),
  );
}

/** Shares by subtask where they are uneven beyond chance; null = even. */
function unevenShares(measure: VertexMeasure, watchedSeconds: number): number[] | null {
  const rates = measure.handledPerSecond;
  const each = sum(rates) / rates.length;
  if (rates.length < 2 || each === 0) return null;
  const tolerated = Math.max(EVEN, CHANCE / Math.sqrt(each * watchedSeconds));
  return rates.some((rate) => Math.abs(rate / each - 1) > tolerated) ? rates.map((rate) => round(rate / sum(rates), 3)) : null;
}

/** How vertices are named in edges: by name where one vertex has it. */
export function vertexReference(job: JobSurvey, index: number): string {
  const { name, id } = job.vertices[index]!;
  return job.vertices.filter((vertex) => vertex.name === name).length === 1 ? name : id;
}

export function inferEdges(job: JobSurvey, measures: readonly VertexMeasure[], watchedSeconds: number, notes: Notes): InferredEdges {
  const drafts = draftEdges(job, measures);
  const emittedPerSecond = job.vertices.map((_, v) => {
    const outputs = drafts.filter(({ from }) => from === v);
    // Some versions count a record once for each output.
    const known = outputs.every(({ perSecond }) => perSecond !== null) && outputs.length > 1;
    return known ? Math.max(...outputs.map(({ perSecond }) => perSecond!)) : measures[v]!.outPerSecond;
  });
  const edges = drafts.map(({ from, to, ship, exchange, perSecond }, e) => {
    const isOneOfSeveral = drafts.filter((other) => other.from === from).length > 1;
    const emitted = emittedPerSecond[from]!;
    const fraction = isOneOfSeveral && perSecond !== null && emitted > 0 ? Math.min(1, perSecond / emitted) : 1;
    const shares = unevenShares(measures[to]!, watchedSeconds);
    const shown = measures[to]!.handledPerSecond.map((rate) => Math.round(rate)).join(', ');
    if (shares && (ship === 'HASH' || ship === 'CUSTOM')) notes.add([e, 'skew'], `Measured: ${shown} records/s by subtask.`);
    else if (shares && ship !== 'FORWARD') notes.add([e], `Not played: records came unevenly (${shown}/s by subtask), which ${ship} does not do by itself.`);
    if (fraction < WHOLE) notes.add([e, 'fraction'], 'Measured: what the consumer took of what its producer emitted.');
    return {
      from: vertexReference(job, from),
      to: vertexReference(job, to),
      ship,
      ...(exchange === 'blocking' ? { exchange } : {}),
      ...(fraction < WHOLE ? { fraction: round(fraction) } : {}),
      ...(shares && (ship === 'HASH' || ship === 'CUSTOM') ? { skew: { shares } } : {}),
    };
  });
  if (drafts.some(({ to }) => job.vertices[to]!.inputs.length > 1)) notes.add([], 'Assumed: a vertex with several inputs gets all that each of its producers emits; only the sum of them is measurable.');
  return { edges, emittedPerSecond };
}
