import { WIRE_OVERHEAD_BYTES } from '../simulation/network/constants.js';
import { chainNames, isPlainChain, plainDescription } from './chain-names.js';
import { inferServiceTime, type Surroundings } from './infer-service-time.js';
import { OVERLOAD, offeredSteps } from './infer-rates.js';
import type { KafkaMeasure } from './infer-kafka.js';
import { highest, known, mean, perSecond, sum, type VertexMeasure } from './measure-vertex.js';
import type { Notes } from './notes.js';
import type { VertexSurvey } from './survey.js';
import type { CheckpointShot, JobShot } from './watch.js';
import { round, writeDuration, writeRate, writeServiceTime, writeSize } from './written-values.js';

export interface VertexContext extends Surroundings {
  readonly index: number;
  readonly shots: readonly JobShot[];
  readonly checkpoints: readonly CheckpointShot[];
  readonly isSink: boolean;
  readonly emittedPerSecond: number;
  /** Instant of the recording at which the scenario begins. */
  readonly startMs: number;
  readonly kafka: KafkaMeasure | null;
  readonly kafkaGroup: string;
}

/** Name of an operator inside a metric's. */
function metricScope(operatorName: string): string {
  return operatorName.replace(/[^\w-]/g, '_').slice(0, 80);
}

/** Records out for one in of each operator; the last one makes up the chain's. */
function chainSelectivities(names: readonly string[], vertex: VertexSurvey, measure: VertexMeasure, context: VertexContext): number[] {
  const total = measure.inPerSecond > 0 ? context.emittedPerSecond / measure.inPerSecond : 1;
  let soFar = 1;
  return names.map((name, o) => {
    if (o === names.length - 1) return context.isSink ? 1 : total / soFar;
    if (context.isSource && o === 0) return 1;
    const rate = (metric: string): number => sum(known(perSecond(context.shots, context.index, `${metricScope(name)}.${metric}`, vertex.parallelism)));
    const [taken, emitted] = [rate('numRecordsIn'), rate('numRecordsOut')];
    const selectivity = taken > 0 && emitted > 0 ? emitted / taken : 1;
    soFar *= selectivity;
    return selectivity;
  });
}

/** State of the vertex as checkpoints had it, and how it grows. */
function inferState(vertex: VertexSurvey, measure: VertexMeasure, context: VertexContext): { state: Record<string, unknown>; note: string } | null {
  const sizes = context.checkpoints.flatMap(({ triggerMs, stateBytes }) => (stateBytes?.has(vertex.id) ? [{ triggerMs, bytes: stateBytes.get(vertex.id)! }] : []));
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last || last.bytes === 0) return null;
  const records = (sum(measure.handledPerSecond) * (last.triggerMs - first.triggerMs)) / 1_000;
  const perRecord = records > 0 && last.bytes > first.bytes * 1.1 ? (last.bytes - first.bytes) / records : 0;
  const seen = `Measured: ${first.bytes === last.bytes ? '' : `${first.bytes} to `}${last.bytes} bytes in the vertex's part of checkpoints.`;
  if (Math.round(perRecord) === 0) return { state: { initial: writeSize(last.bytes), max: writeSize(last.bytes) }, note: seen };
  const atStart = Math.max(0, first.bytes - perRecord * ((sum(measure.handledPerSecond) * (first.triggerMs - context.startMs)) / 1_000));
  return { state: { perRecord: Math.round(perRecord), initial: writeSize(atStart) }, note: `${seen} It grows with the records; where that ends is not known.` };
}

/** A source that makes watermarks says by how much they lag. */
function watermarksOf(vertex: VertexSurvey, notes: Notes): Record<string, unknown> {
  if (![...vertex.metrics].some((id) => id.endsWith('.watermarkLag'))) return {};
  notes.add(['source', 'maxOutOfOrderness'], 'Measured: it makes watermarks. Assumed: by how much records may be late.');
  return { maxOutOfOrderness: 0 };
}

function inferSource(vertex: VertexSurvey, measure: VertexMeasure, context: VertexContext, notes: Notes): Record<string, unknown> {
  const { kafka } = context;
  const watermarks = watermarksOf(vertex, notes);
  if (kafka) {
    notes.add(['source', 'group'], "Assumed: no metric names the consumer's group.");
    return { topic: kafka.topic, group: context.kafkaGroup, startFrom: 'earliest', ...(kafka.legacy ? { legacy: true } : {}), ...watermarks };
  }
  const { steps, heldUp } = offeredSteps(measure.spans);
  const legacy = known(measure.busy).length === 0;
  notes.add(['source'], legacy ? 'Assumed: a SourceFunction, for it tells no busy time.' : 'Assumed: a generator, for it has no metrics of Kafka.');
  if (heldUp) notes.warn(['source', 'rate'], `Assumed where the source is back-pressured: ${Math.round(OVERLOAD * 100 - 100)} % more than it could emit. What was offered to it cannot be seen.`);
  else notes.add(['source', 'rate'], 'Measured: what the source emitted while nothing held it up.');
  const [only] = steps;
  if (steps.length <= 1) return { rate: writeRate(only?.recordsPerSecond ?? 0), ...(legacy ? { legacy: true } : {}), ...watermarks };
  return {
    rate: steps.map(({ fromMs, recordsPerSecond }, i) => ({ after: i === 0 ? 0 : writeDuration(Math.round(fromMs - context.startMs)), rate: writeRate(recordsPerSecond) })),
    ...(legacy ? { legacy: true } : {}),
    ...watermarks,
  };
}

function describeTimes(measure: VertexMeasure): string {
  const part = (name: string, shares: readonly number[]): string[] => (known(shares).length === 0 ? [] : [`${name} ${shares.map((share) => (Number.isNaN(share) ? '?' : share.toFixed(2))).slice(0, 16).join(', ')}${shares.length > 16 ? ' …' : ''}`]);
  const parts = [...part('back-pressured', measure.backPressured), ...part('busy', measure.busy), ...part('idle', measure.idle)];
  return `Seen: ${Math.round(sum(measure.handledPerSecond))} records/s${parts.length > 0 ? `; by subtask: ${parts.join('; ')}` : ''}.`;
}

/** Use of the busiest subtask far above the mean at even rates: one subtask is slower than the others. */
function unevenService(measure: VertexMeasure): boolean {
  const perRecord = measure.busy.map((busy, s) => busy / measure.handledPerSecond[s]!).filter((value) => Number.isFinite(value) && value > 0);
  return perRecord.length > 1 && highest(measure.busy) > 0.2 && highest(perRecord) > 1.5 * mean(perRecord);
}

/** A vertex of the scenario, from what was measured of it. */
export function inferVertex(vertex: VertexSurvey, measure: VertexMeasure, context: VertexContext, notes: Notes): Record<string, unknown> {
  const names = chainNames(vertex.name);
  const description = plainDescription(vertex.description);
  const service = inferServiceTime(measure, context);
  const selectivities = chainSelectivities(names, vertex, measure, context);
  const recordSize = measure.bytesPerRecord === null || context.isSink ? null : Math.max(1, Math.round(measure.bytesPerRecord - WIRE_OVERHEAD_BYTES));
  const state = inferState(vertex, measure, context);
  notes.add([], describeTimes(measure));
  if (unevenService(measure)) notes.warn([], `${vertex.name}: a record takes longer in some subtasks than in others; the scenario has the mean.`);
  if (recordSize !== null) notes.add(['operators', 0, 'recordSize'], 'Measured: bytes by records sent, less what a record has round it on the wire.');
  if (state) notes.add(['operators', 0, 'state'], state.note);
  const operators = names.map((name, o): Record<string, unknown> => {
    const last = o === names.length - 1;
    const at: Notes = { add: (path, text) => notes.add(['operators', o, ...path], text), warn: (path, text) => notes.warn(['operators', o, ...path], text) };
    if (o === 0) at.add(['serviceTime'], service.basis + (names.length > 1 ? ' Of the whole chain; how its operators share it is not told.' : ''));
    const selectivity = round(selectivities[o]!, 3);
    if (selectivity !== 1 && !(last && context.isSink)) at.add(['selectivity'], 'Measured: records out by records in.');
    const repeated = names.indexOf(name) !== o;
    return {
      name,
      ...(o === 0 ? { id: vertex.id } : {}),
      ...(o > 0 ? { uid: `${vertex.id.slice(0, 8)}-${repeated ? `${name}-${o}` : name}` } : {}),
      ...(o === 0 ? { serviceTime: writeServiceTime(service.us) } : {}),
      ...(selectivity !== 1 && !(last && context.isSink) ? { selectivity } : {}),
      ...(recordSize === null ? {} : { recordSize }),
      ...(o === 0 && state ? { state: state.state } : {}),
      ...(o === 0 && context.isSource ? { source: inferSource(vertex, measure, context, at) } : {}),
      ...(last && context.isSink && !(o === 0 && context.isSource) ? { sink: {} } : {}),
    };
  });
  return {
    name: vertex.name,
    id: vertex.id,
    parallelism: vertex.parallelism,
    ...(vertex.maxParallelism === null || vertex.maxParallelism <= 0 ? {} : { maxParallelism: vertex.maxParallelism }),
    ...(vertex.slotSharingGroup === 'default' ? {} : { slotSharingGroup: vertex.slotSharingGroup }),
    ...(description === '' || isPlainChain(description, names) ? {} : { description }),
    operators,
  };
}
