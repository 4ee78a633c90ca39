import type { FlinkVersion } from '../../versions/flink-versions.js';
import { simulationFeatures } from '../../versions/simulation-features.js';
import type { JobVertexModel, SourceModel } from '../model/job-model.js';
import { networkOptions } from '../network/network-options.js';
import { durationOption } from '../options.js';
import type { JobState, JobVertexState } from '../state/job-state.js';
import { EXECUTION_STATE_INDEX } from '../state/job-state.js';
import { kafkaSourceReading, type KafkaSourceReading } from '../kafka/readings.js';
import { kafkaSourceModel, topicOf } from '../kafka/sources.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { SubtaskColumns } from '../state/subtask-columns.js';
import { versionOf } from '../version.js';
import { meterWindows, type MeterWindows } from './meter-view.js';

export type ReadingColumns = Readonly<Omit<SubtaskColumns, 'history'>>;

/** What the metrics of a vertex's tasks and operators are read from, as of `atMs`: the state itself or a copy of what is needed. */
export interface VertexView {
  readonly atMs: number;
  readonly version: FlinkVersion;
  readonly seed: number;
  readonly jobId: string;
  readonly vertexId: string;
  readonly model: JobVertexModel;
  readonly parallelism: number;
  readonly columns: ReadingColumns;
  readonly windows: MeterWindows;
  /** Input gates. */
  readonly gates: number;
  readonly debloating: boolean;
  /** 0 = periodic checkpoints are off. */
  readonly checkpointIntervalMs: number;
  /** Sources that latency markers come from; none while markers are off. */
  readonly latencySources: readonly LatencySource[];
  /** Time that each subtask's current attempt was INITIALIZING, ms. */
  readonly initializationMs: Float64Array;
  readonly kafka: KafkaView | null;
}

export interface LatencySource {
  readonly operatorId: string;
  /** Whether the markers come through this vertex's input. */
  readonly throughInput: boolean;
  /** Time that markers queue in front of the vertices on the way, this one not included, ms. */
  readonly upstreamMs: number;
}

export interface KafkaView {
  readonly topic: string;
  readonly recordBytes: number;
  /** Offset of the first record that the broker still has, by partition. */
  readonly startOffsets: Float64Array;
  readonly reading: (subtask: number) => KafkaSourceReading;
}

export interface TaskView {
  readonly vertex: VertexView;
  readonly subtask: number;
}

export interface OperatorView extends TaskView {
  /** Position in the chain. */
  readonly operator: number;
}

export function sourceOf(model: JobVertexModel): SourceModel | null {
  return model.operators[0].source;
}

/** The live view of a vertex: nothing is copied but times that are few. */
export function vertexView(state: SimulationState, job: JobState, vertexIndex: number): VertexView {
  const vertex = job.vertices[vertexIndex];
  const version = versionOf(state);
  const { columns, model, parallelism } = vertex;
  return {
    atMs: state.nowMs,
    version,
    seed: state.model.seed,
    jobId: job.id,
    vertexId: vertex.id,
    model,
    parallelism,
    columns,
    windows: meterWindows(columns.history, parallelism, simulationFeatures(version).timeGaugeWindowMs),
    gates: job.model.edges.filter((edge) => edge.targetVertexId === vertex.id).length,
    debloating: networkOptions(state, job.model).bufferDebloatEnabled,
    checkpointIntervalMs: job.checkpoints?.config.intervalMs ?? 0,
    latencySources: durationOption(state.options, 'metrics.latency.interval', 0) > 0 ? latencySources(job, vertexIndex) : [],
    initializationMs: initializationTimes(vertex),
    kafka: kafkaView(state, job, vertexIndex),
  };
}

function initializationTimes(vertex: JobVertexState): Float64Array {
  const { INITIALIZING, RUNNING } = EXECUTION_STATE_INDEX;
  const times = new Float64Array(vertex.parallelism);
  for (const { index, current } of vertex.subtasks) {
    const began = current.timestamps[INITIALIZING];
    if (began > 0) times[index] = Math.max(0, current.timestamps[RUNNING] - began);
  }
  return times;
}

function kafkaView(state: SimulationState, job: JobState, vertexIndex: number): KafkaView | null {
  const model = kafkaSourceModel(job, vertexIndex);
  if (model === null) return null;
  const { name, recordBytes, startOffsets } = topicOf(state.kafka, model.topic);
  return { topic: name, recordBytes, startOffsets, reading: (subtask) => kafkaSourceReading(state, job, vertexIndex, subtask) };
}

/** Every source from which a marker reaches the vertex, on its shortest way. */
function latencySources(job: JobState, vertexIndex: number): LatencySource[] {
  const here = job.vertices[vertexIndex];
  const byId = new Map(job.vertices.map((vertex) => [vertex.id, vertex]));
  const waits = new Map<string, number>([[here.id, 0]]);
  const found: LatencySource[] = [];
  for (const [vertexId, upstreamMs] of waits) {
    const vertex = byId.get(vertexId)!;
    const [head] = vertex.model.operators;
    if (head.source !== null) found.push({ operatorId: head.id, throughInput: vertex !== here, upstreamMs });
    const withThis = upstreamMs + (vertex === here ? 0 : queueingMs(vertex));
    // A Map's iteration goes on to entries that are added meanwhile: breadth first.
    for (const edge of job.model.edges) if (edge.targetVertexId === vertexId && !waits.has(edge.sourceVertexId)) waits.set(edge.sourceVertexId, withThis);
  }
  return found;
}

function queueingMs(vertex: JobVertexState): number {
  return vertex.columns.estimatedTimeToConsumeBuffersMs.reduce((sum, each) => sum + each, 0) / vertex.parallelism;
}
