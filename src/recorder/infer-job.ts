import { WIRE_OVERHEAD_BYTES } from '../simulation/network/constants.js';
import { inferCheckpointing } from './infer-checkpointing.js';
import { inferEdges } from './infer-edges.js';
import { measureKafka, type KafkaMeasure } from './infer-kafka.js';
import { redact } from './infer-options.js';
import { inferPlacement } from './infer-placement.js';
import { inferRestartStrategy } from './infer-restart-strategy.js';
import { inferVertex } from './infer-vertex.js';
import { countedShots, known, mean, measureVertex, sum, type VertexMeasure } from './measure-vertex.js';
import { notesAt, type Notes } from './notes.js';
import type { ClusterSurvey, JobSurvey } from './survey.js';
import type { JobShot, JobWatch } from './watch.js';
import { writeDuration } from './written-values.js';

/** A job with the Kafka topics that it reads. */
export interface InferredJob {
  readonly job: Record<string, unknown>;
  readonly topics: readonly (KafkaMeasure & { readonly recordBytes: number; readonly consumedPerSecond: number })[];
}

export interface JobContext {
  readonly survey: ClusterSurvey;
  /** Instant of the recording at which the scenario begins. */
  readonly startMs: number;
  /** A name that no other job has. */
  readonly name: string;
}

function slotGroups(job: JobSurvey): JobSurvey {
  const groups = [...new Set(job.vertices.map(({ slotSharingGroup }) => slotSharingGroup))];
  // One group is the default one, whatever its id.
  return groups.length > 1 ? job : { ...job, vertices: job.vertices.map((vertex) => ({ ...vertex, slotSharingGroup: 'default' })) };
}

function heldUp(measure: VertexMeasure): number {
  const shares = known(measure.backPressured);
  return shares.length > 0 ? mean(shares) : 0;
}

function bufferTimeoutOf(survey: ClusterSurvey): string | number | null {
  const value = survey.options.find(({ key }) => key === 'execution.buffer-timeout.interval' || key === 'execution.buffer-timeout')?.value;
  return value === undefined ? null : /^\d+$/.test(value) ? writeDuration(Number(value)) : value;
}

function watchedSeconds(shots: readonly JobShot[]): number {
  return shots.length < 2 ? 0 : (shots.at(-1)!.atMs - shots[0]!.atMs) / 1_000;
}

/** A job of the scenario, from what was asked and watched. */
export function inferJob(given: JobSurvey, watch: JobWatch, context: JobContext, notes: Notes): InferredJob {
  const job = slotGroups(given);
  const shots = countedShots(watch);
  const seconds = watchedSeconds(shots);
  const measures = job.vertices.map((vertex, v) => measureVertex(shots, watch.shots, v, vertex));
  if (seconds === 0) notes.warn([], `${job.name}: too little was seen of it to measure rates (${watch.ended ?? 'the metrics did not change while it was watched'}); watch longer with --for.`);
  else notes.add([], `Watched for ${Math.round(seconds)} s${watch.ended === null ? '' : `, until ${watch.ended}`}. It ran for ${Math.round((shots[0]!.atMs - job.startMs) / 1_000)} s before; here it begins with the scenario.`);
  const { edges, emittedPerSecond } = inferEdges(job, measures, seconds, notesAt(notes, ['edges']));
  const topics: InferredJob['topics'][number][] = [];
  const vertices = job.vertices.map((vertex, v) => {
    const measure = measures[v]!;
    const isSource = vertex.inputs.length === 0;
    const kafka = isSource ? measureKafka(shots, v, vertex, measure) : null;
    if (kafka) topics.push({ ...kafka, recordBytes: Math.max(1, Math.round((measure.bytesPerRecord ?? 256) - WIRE_OVERHEAD_BYTES)), consumedPerSecond: sum(measure.handledPerSecond) });
    const inputs = vertex.inputs.map(({ id }) => job.vertices.findIndex((other) => other.id === id)).filter((index) => index >= 0);
    return inferVertex(
      vertex,
      measure,
      {
        index: v,
        shots,
        checkpoints: watch.checkpoints,
        isSource,
        isSink: !job.vertices.some(({ inputs: of }) => of.some(({ id }) => id === vertex.id)),
        inputsHeldUp: inputs.reduce((most, input) => Math.max(most, heldUp(measures[input]!)), 0),
        lagGrows: kafka !== null && kafka.lagPerSecond > 0.05 * sum(measure.handledPerSecond),
        emittedPerSecond: emittedPerSecond[v]!,
        startMs: context.startMs,
        kafka,
        kafkaGroup: context.name,
      },
      notesAt(notes, ['vertices', v]),
    );
  });
  const checkpointing = inferCheckpointing(job, watch, context.survey, notesAt(notes, ['checkpointing']));
  const restartStrategy = inferRestartStrategy(job.config?.['restart-strategy'] ?? '');
  const userConfig = Object.fromEntries(Object.entries(job.config?.['user-config'] ?? {}).map(([key, value]) => [key, redact(key, value)]));
  const bufferTimeout = bufferTimeoutOf(context.survey);
  if (bufferTimeout === null) notes.add(['bufferTimeout'], "Assumed: Flink's default; a job's own setting is not told.");
  return {
    job: {
      name: context.name,
      id: job.id,
      ...(job.jobType === 'BATCH' ? { type: 'BATCH' } : {}),
      parallelism: Math.max(1, job.config?.['job-parallelism'] ?? 1),
      ...(job.maxParallelism === null ? {} : { maxParallelism: job.maxParallelism }),
      placement: inferPlacement(job, notesAt(notes, ['placement'])),
      ...(checkpointing ? { checkpointing } : {}),
      ...(restartStrategy ? { restartStrategy } : {}),
      ...(Object.keys(userConfig).length > 0 ? { userConfig } : {}),
      ...(job.config?.['object-reuse-mode'] ? { objectReuse: true } : {}),
      bufferTimeout: bufferTimeout ?? '100 ms',
      vertices,
      edges,
    },
    topics,
  };
}
