import type { FlinkVersion } from '../../versions/flink-versions.js';
import { simulationFeatures } from '../../versions/simulation-features.js';
import type { JobVertexModel, SourceModel } from '../model/job-model.js';
import { networkOptions } from '../network/network-options.js';
import type { JobState, JobVertexState } from '../state/job-state.js';
import { EXECUTION_STATE_INDEX } from '../state/job-state.js';
import { kafkaSourceReading, type KafkaSourceReading } from '../kafka/readings.js';
import { kafkaSourceModel, topicOf } from '../kafka/sources.js';
import type { SimulationState } from '../state/simulation-state.js';
import type { SubtaskColumns } from '../state/subtask-columns.js';
import { versionOf } from '../version.js';
import { latencyStats, type LatencyStats } from './latency-paths.js';
import { changelogReadings, type ChangelogReading } from './changelog-values.js';
import { splitReadings, type SplitReading } from './split-readings.js';
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
  /** Histograms of latency markers that each operator keeps; none while markers are off. */
  readonly latencyStats: readonly LatencyStats[];
  /** Time that each subtask's current attempt was INITIALIZING, ms. */
  readonly initializationMs: Float64Array;
  readonly kafka: KafkaView | null;
  /** By subtask, where there is state and a changelog of it; null or absent elsewhere. */
  readonly changelog?: readonly ChangelogReading[] | null;
  /** Splits of a subtask of a source that makes watermarks; null or absent for all else. */
  readonly splits?: ((subtask: number) => readonly SplitReading[]) | null;
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
    latencyStats: latencyStats(state, job, vertexIndex),
    initializationMs: initializationTimes(vertex),
    kafka: kafkaView(state, job, vertexIndex),
    changelog: changelogReadings(job, vertexIndex),
    splits: job.network.vertices[vertexIndex].watermarks === null ? null : (subtask) => splitReadings(job.network.vertices[vertexIndex], columns.history, subtask),
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
