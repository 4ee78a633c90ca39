import { rowsIn } from '../../versions/metrics/metric-row.js';
import { FILE_MERGING_METRICS } from '../../versions/metrics/job-metrics.js';
import { parseMemoryBytes } from '../../versions/flink-options.js';
import { findOption } from '../options.js';
import type { CheckpointState } from '../state/checkpoint-state.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';
import { createMetric, type Metric } from './metric.js';

const OPTION = 'execution.checkpointing.file-merging.';
const DEFAULT_MAX_FILE_BYTES = 32 * 1024 * 1024;
/** state.storage.fs.memory-threshold: less than that lies in the metadata. */
const DEFAULT_MEMORY_THRESHOLD_BYTES = 20 * 1024;

/** Files that the kept checkpoints of a job have of the tasks of one task manager. */
export interface FileMergingView {
  readonly logicalFiles: number;
  readonly physicalFiles: number;
  readonly bytes: number;
}

type Quantity = (typeof FILE_MERGING_METRICS)[number]['quantity'];

/** Nothing is wasted: physical files hold what the logical ones do. */
const VALUES: Readonly<Record<Quantity, (view: FileMergingView) => number>> = {
  'fileMerging.logicalFileCount': ({ logicalFiles }) => logicalFiles,
  'fileMerging.logicalFileSize': ({ bytes }) => bytes,
  'fileMerging.physicalFileCount': ({ physicalFiles }) => physicalFiles,
  'fileMerging.physicalFileSize': ({ bytes }) => bytes,
};

/** The files of a job on a task manager where it merges them; null where it does not, or has no task there. */
export function fileMergingView(state: SimulationState, job: JobState, taskManagerId: string): FileMergingView | null {
  const options = { ...state.options, ...job.model.options };
  if (!job.checkpoints || findOption(options, `${OPTION}enabled`)?.trim().toLowerCase() !== 'true') return null;
  if (!job.vertices.some(({ subtasks }) => subtasks.some(({ current }) => current.taskManagerId === taskManagerId && current.state === 'RUNNING'))) return null;
  const mostBytes = sizeOr(DEFAULT_MAX_FILE_BYTES, findOption(options, `${OPTION}max-file-size`));
  const leastBytes = sizeOr(DEFAULT_MEMORY_THRESHOLD_BYTES, findOption(options, 'state.storage.fs.memory-threshold', 'state.backend.fs.memory-threshold'));
  const { kept = [], config } = job.checkpoints;
  // Incremental checkpoints share their files: the newest refers to all that there are.
  const checkpoints = config.incremental ? kept.slice(-1) : kept;
  const sizes = checkpoints.map((checkpoint) => filesOf(job, checkpoint, taskManagerId).filter((bytes) => bytes >= leastBytes));
  const total = (files: readonly number[]): number => files.reduce((sum, bytes) => sum + bytes, 0);
  const bytes = total(sizes.map(total));
  const across = findOption(options, `${OPTION}across-checkpoint-boundary`)?.trim().toLowerCase() === 'true';
  const physicalFiles = across ? Math.ceil(bytes / mostBytes) : total(sizes.map((files) => Math.ceil(total(files) / mostBytes)));
  return { logicalFiles: total(sizes.map((files) => files.length)), physicalFiles, bytes };
}

const sizeOr = (otherwise: number, text: string | undefined): number => (text === undefined ? null : parseMemoryBytes(text)) ?? otherwise;

/** What the tasks of a task manager have in a checkpoint, bytes. */
function filesOf(job: JobState, { vertices }: CheckpointState, taskManagerId: string): number[] {
  return job.vertices.flatMap(({ subtasks }, v) => subtasks.filter(({ current }) => current.taskManagerId === taskManagerId).map(({ index }) => vertices[v]?.stateSizeBytes[index] ?? 0));
}

/** Of a job at a task manager, where its checkpoint files are merged. */
export function fileMergingMetrics(state: SimulationState): Metric<FileMergingView>[] {
  return rowsIn(FILE_MERGING_METRICS, versionOf(state)).map((row) => createMetric<FileMergingView>(row, VALUES[row.quantity]));
}
