import { findOption } from '../options.js';
import { logNormal } from '../random.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** What a storage without limits takes: local disks of the recorded clusters. */
const UNLIMITED_BYTES_PER_MS = 400_000;
/** Copying references on the heap in the synchronous part. */
const SYNC_BYTES_PER_MS = 2_000_000;

/** `file:///x` and `/x` → `file:/x`, as Hadoop-less Flink prints local paths; others stay as they are. */
export function normalizePath(path: string): string {
  return path.replace(/^(file:)?\/+(?=[^/])/, 'file:/').replace(/(.)\/+$/, '$1');
}

export function checkpointDirectory(state: SimulationState, job: JobState): string | null {
  const options = { ...state.options, ...job.model.options };
  const path = findOption(options, 'execution.checkpointing.dir', 'state.checkpoints.dir');
  return path === undefined ? null : normalizePath(path);
}

export function savepointDirectory(state: SimulationState, job: JobState): string | null {
  const options = { ...state.options, ...job.model.options };
  const path = findOption(options, 'execution.checkpointing.savepoint-dir', 'state.savepoints.dir', 'savepoints.state.backend.fs.dir');
  return path === undefined ? null : normalizePath(path);
}

/** The scheme that Flink's messages call the file system of a path. */
export function fileSystemOf(path: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(path)?.[1] ?? 'file';
}

interface SnapshotDurations {
  readonly syncMs: number;
  readonly asyncMs: number;
  /** From the end of the snapshot to the acknowledgement's arrival at the JobManager. */
  readonly ackMs: number;
}

/** How long a subtask's snapshot takes once the barrier is there. */
export function snapshotDurations(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, checkpointId: number, bytes: number): SnapshotDurations {
  const { bytesPerSecond, latencyMs } = state.checkpointStorage;
  const draw = (median: number, spread: number, what: string): number => logNormal(median, spread, state.model.seed, what, job.id, checkpointId, vertexIndex, subtask);
  const commitMs = job.vertices[vertexIndex].model.operators.reduce((sum, operator) => sum + (operator.sink?.commitMs ?? 0), 0);
  const perMs = bytesPerSecond === null ? UNLIMITED_BYTES_PER_MS : bytesPerSecond / 1000;
  return {
    syncMs: Math.floor(draw(0.4, 0.9, 'sync') + commitMs + bytes / SYNC_BYTES_PER_MS),
    asyncMs: Math.floor(draw(1.3, 0.8, 'async') + latencyMs + bytes / perMs),
    ackMs: Math.max(1, Math.round(draw(3, 0.6, 'ack'))),
  };
}
