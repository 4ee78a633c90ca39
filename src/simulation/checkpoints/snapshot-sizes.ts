import type { CheckpointState, RestorePointState } from '../state/checkpoint-state.js';
import type { JobState, JobVertexState } from '../state/job-state.js';

/** dstl.dfs.preemptive-persist-threshold: the changelog writes itself whenever so much has come together; only the rest waits for the checkpoint. */
const PREEMPTIVE_PERSIST_BYTES = 5 * 1024 * 1024;

export interface SnapshotSizes {
  /** All that the checkpoint refers to. */
  readonly stateBytes: number;
  /** What was written for it. */
  readonly checkpointedBytes: number;
  /** What of it the asynchronous part writes. */
  readonly writtenBytes: number;
}

/** Value of a subtask in columns of another parallelism: its even part. */
export function partOf(columns: Float64Array | undefined, { parallelism }: JobVertexState, subtask: number): number {
  if (columns === undefined) return 0;
  return columns.length === parallelism ? columns[subtask] : columns.reduce((sum, value) => sum + value, 0) / parallelism;
}

/** Bytes that state changes have come to since the last completed checkpoint; null without one that the next can build on. */
function changedSince(point: RestorePointState | null, vertex: JobVertexState, subtask: number): number | null {
  // The files of a savepoint are its own.
  if (point === null || point.isSavepoint) return null;
  return Math.max(0, vertex.columns.stateChangeBytes[subtask] - partOf(point.changeBytes?.get(vertex.id), vertex, subtask));
}

/** Sizes of a subtask's snapshot: all of its state, or with incremental checkpoints and the changelog what has changed. */
export function snapshotSizes(job: JobState, kind: CheckpointState['checkpointType'], vertexIndex: number, subtask: number): SnapshotSizes {
  const { config, changelog, restorePoint } = job.checkpoints!;
  const vertex = job.vertices[vertexIndex];
  const all = Math.round(vertex.columns.stateBytes[subtask]);
  const isCheckpoint = kind === 'CHECKPOINT';
  const changed = isCheckpoint ? changedSince(restorePoint, vertex, subtask) : null;
  const log = changelog?.vertices.get(vertex.id);
  if (log && isCheckpoint) {
    const stateBytes = Math.round(log.materializedBytes[subtask] + vertex.columns.stateChangeBytes[subtask] - log.materializedAtBytes[subtask]);
    const checkpointedBytes = changed === null ? stateBytes : Math.round(changed);
    return { stateBytes, checkpointedBytes, writtenBytes: Math.min(checkpointedBytes, PREEMPTIVE_PERSIST_BYTES) };
  }
  const incremental = config.incremental && config.stateBackend !== 'hashmap' && changed !== null;
  const checkpointedBytes = incremental ? Math.min(all, Math.round(changed)) : all;
  return { stateBytes: all, checkpointedBytes, writtenBytes: checkpointedBytes };
}
