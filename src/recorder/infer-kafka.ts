import { HELD_UP } from './infer-service-time.js';
import { joinSteps, type OfferedStep } from './infer-rates.js';
import { known, mean, sum, type RateSpan, type VertexMeasure } from './measure-vertex.js';
import type { VertexSurvey } from './survey.js';
import type { JobShot } from './watch.js';

/** A Kafka topic as far as the metrics of its consumer show it. */
export interface KafkaMeasure {
  /** As metric names write it: what is neither letter nor digit as `_`. */
  readonly topic: string;
  readonly partitions: number;
  readonly legacy: boolean;
  readonly offered: readonly OfferedStep[];
  /** Mean next offset of the partitions when the watch began. */
  readonly offset: number;
  /** Records not yet consumed when the watch began, and how many more each second; null = there was no lag metric. */
  readonly lag: number | null;
  readonly lagPerSecond: number;
  readonly lagSource: string;
}

const OFFSET = /^\d+\.(?<operator>.+?)\.(?<kind>KafkaSourceReader|KafkaConsumer)\.topic\.(?<topic>.+)\.partition\.(?<partition>\d+)\.currentOffsets?$/;

/** All records that wait, by the shot: pendingRecords where there are, else each subtask's longest lag for all of its partitions. */
function lags(shots: readonly JobShot[], vertex: number, partitionsBySubtask: ReadonlyMap<number, number>): { values: number[]; source: string } {
  const read = (suffix: string, weight: (subtask: number) => number): number[] =>
    shots.map(({ vertices }) => {
      const found = [...vertices[vertex]!.metrics].filter(([name]) => name.endsWith(suffix)).slice(0, 1);
      const values = found.flatMap(([, bySubtask]) => bySubtask.map((lag, s) => lag * weight(s)));
      return known(values).length > 0 ? sum(known(values)) : NaN;
    });
  const pending = read('.pendingRecords', () => 1);
  if (known(pending).length > 0) return { values: pending, source: 'pendingRecords' };
  return { values: read('.records-lag-max', (s) => partitionsBySubtask.get(s) ?? 0), source: 'records-lag-max' };
}

/** Least squares: the value at the first instant, and its growth a second; null = no values. */
function fitLine(atMs: readonly number[], values: readonly number[]): { atFirst: number; perSecond: number } | null {
  const points = values.flatMap((value, i) => (Number.isNaN(value) ? [] : [{ seconds: (atMs[i]! - atMs[0]!) / 1_000, value }]));
  if (points.length === 0) return null;
  const [seconds, value] = [mean(points.map((point) => point.seconds)), mean(points.map((point) => point.value))];
  const spread = sum(points.map((point) => (point.seconds - seconds) ** 2));
  const perSecond = spread > 0 ? sum(points.map((point) => (point.seconds - seconds) * (point.value - value))) / spread : 0;
  return { atFirst: value - perSecond * seconds, perSecond };
}

/** All spans as one. */
function wholeTime(spans: readonly RateSpan[]): { fromMs: number; toMs: number; recordsPerSecond: number }[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  const records = sum(spans.map(({ fromMs, toMs, recordsPerSecond }) => recordsPerSecond * (toMs - fromMs)));
  return [{ fromMs: first.fromMs, toMs: last.toMs, recordsPerSecond: records / (last.toMs - first.fromMs) }];
}

/** What a source vertex reads from Kafka; null when its metrics name no topic. */
export function measureKafka(shots: readonly JobShot[], vertex: number, survey: VertexSurvey, measure: VertexMeasure): KafkaMeasure | null {
  const partitions = new Map<number, { subtask: number; metric: string }>();
  let topic: string | null = null;
  let legacy = false;
  for (const id of survey.metrics) {
    const groups = OFFSET.exec(id)?.groups;
    if (!groups || (topic !== null && groups['topic'] !== topic)) continue;
    topic = groups['topic']!;
    legacy = groups['kind'] === 'KafkaConsumer';
    partitions.set(Number(groups['partition']), { subtask: parseInt(id, 10), metric: id.slice(id.indexOf('.') + 1) });
  }
  if (topic === null || shots.length === 0) return null;
  const bySubtask = new Map<number, number>();
  for (const { subtask } of partitions.values()) bySubtask.set(subtask, (bySubtask.get(subtask) ?? 0) + 1);
  const { values, source } = lags(shots, vertex, bySubtask);
  const line = fitLine(shots.map(({ atMs }) => atMs), values);
  // The consumer tells its longest lag of a while, and while it is held up that of its last fetch: good for a mean, not for each look.
  const isFine = source === 'pendingRecords' && measure.spans.every(({ backPressured }) => !(backPressured > HELD_UP));
  const spans = isFine ? measure.spans : wholeTime(measure.spans);
  const offered = spans.map((span, i) => {
    const growth = isFine ? ((values[i + 1]! - values[i]!) * 1_000) / (span.toMs - span.fromMs) : (line?.perSecond ?? 0);
    return { ...span, recordsPerSecond: Math.max(0, span.recordsPerSecond + (Number.isNaN(growth) ? 0 : growth)) };
  });
  const offsets = known([...partitions.values()].map(({ subtask, metric }) => shots[0]!.vertices[vertex]!.metrics.get(metric)?.[subtask] ?? NaN)).filter((offset) => offset >= 0);
  return {
    topic,
    partitions: Math.max(...partitions.keys()) + 1,
    legacy,
    offered: joinSteps(offered),
    offset: offsets.length > 0 ? mean(offsets) : 0,
    lag: line && Math.max(0, line.atFirst),
    lagPerSecond: line?.perSecond ?? 0,
    lagSource: source,
  };
}
