import type { JobModel, JobVertexModel, RestartStrategyModel } from '../../simulation/model/job-model.js';
import type { CheckpointCoordinatorState, CheckpointState, VertexCheckpointState } from '../../simulation/state/checkpoint-state.js';
import { JOB_STATUSES, type ExceptionHistoryEntryState, type ExecutionAttemptState, type ExecutionVertexState, type JobState, type JobStatus, type JobVertexState } from '../../simulation/state/job-state.js';
import type { RescaleState } from '../../simulation/state/rescale-state.js';

/** A job as the job manager handed it out at some instant (Flink's ArchivedExecutionGraph): what REST answers from, for a while. */
export interface ExecutionGraph {
  readonly jobId: string;
  readonly name: string;
  readonly model: JobModel;
  readonly applicationId: string;
  readonly schedulerType: JobState['schedulerType'];
  readonly status: JobStatus;
  /** Epoch ms by JOB_STATUSES. */
  readonly statusTimestamps: Float64Array;
  /** The job is being initialized or failed to be: nothing is known but its id, name and status. */
  readonly isSparse: boolean;
  readonly vertices: readonly ExecutionJobVertex[];
  readonly pendingOperators: number;
  readonly restartStrategy: RestartStrategyModel;
  readonly failureCause: string | null;
  readonly rootException: { readonly stackTrace: string; readonly timestampMs: number } | null;
  readonly exceptionHistory: readonly ExceptionHistoryEntryState[];
  readonly checkpoints: CheckpointStatsSnapshot | null;
  /** Of the adaptive scheduler, oldest first; null = another scheduler's job. */
  readonly rescales: readonly RescaleState[] | null;
}

export interface ExecutionJobVertex {
  readonly id: string;
  readonly index: number;
  readonly model: JobVertexModel;
  readonly parallelism: number;
  readonly maxParallelism: number;
  readonly slotSharingGroupId: string;
  readonly subtasks: readonly ExecutionVertex[];
}

export interface ExecutionVertex {
  readonly index: number;
  readonly current: ExecutionAttemptState;
  /** Oldest first. */
  readonly priorAttempts: readonly ExecutionAttemptState[];
}

export type CheckpointStatsSnapshot = Pick<CheckpointCoordinatorState, 'config' | 'history' | 'counts' | 'latestCompleted' | 'latestSavepoint' | 'latestFailed' | 'latestRestored' | 'summary'>;

const TERMINAL: ReadonlySet<JobStatus> = new Set<JobStatus>(['FAILED', 'CANCELED', 'FINISHED']);

/** Globally terminal: the job will never run again. */
export function isGloballyTerminal(status: JobStatus): boolean {
  return TERMINAL.has(status);
}

/** Epoch ms at which a status was last entered, 0 = never. Whole, as clocks tell it. */
export function statusTimestamp(graph: Pick<ExecutionGraph, 'statusTimestamps'>, status: JobStatus): number {
  return Math.floor(graph.statusTimestamps[JOB_STATUSES.indexOf(status)]!);
}

/** No execution graph was made yet, or ever. */
export function isSparse(job: JobState): boolean {
  return job.status === 'INITIALIZING' || statusTimestamp(job, 'CREATED') === 0;
}

/** Operators of vertices that have not been made yet (adaptive batch scheduler). */
export function pendingOperators(job: JobState): number {
  return job.vertices.reduce((count, { model, parallelism }) => (parallelism === 0 ? count + model.operators.length : count), 0);
}

/** What REST shows of a vertex whose parallelism is not decided. */
export const UNDECIDED = -1;

/**
 * Copies what can still change of a job; copies of `earlier`, the graph that was taken before, are used again where nothing has changed since.
 * `verticesAppear`: those without subtasks are not there yet.
 */
export function takeExecutionGraph(job: JobState, verticesAppear: boolean, earlier?: ExecutionGraph): ExecutionGraph {
  const sparse = isSparse(job);
  const known = new Map(earlier?.vertices.map((vertex) => [vertex.id, vertex]));
  return {
    jobId: job.id,
    name: job.name,
    model: job.model,
    applicationId: job.applicationId,
    schedulerType: job.schedulerType,
    status: job.status,
    statusTimestamps: job.statusTimestamps.slice(),
    isSparse: sparse,
    vertices: sparse
      ? []
      : job.vertices.map((vertex, index) => ({ vertex, index })).filter(({ vertex }) => vertex.parallelism > 0 || !verticesAppear).map(({ vertex, index }) => ({
          id: vertex.id,
          index,
          model: vertex.model,
          parallelism: shownParallelism(vertex),
          maxParallelism: vertex.maxParallelism,
          slotSharingGroupId: vertex.slotSharingGroupId,
          subtasks: takeSubtasks(vertex.subtasks, known.get(vertex.id)?.subtasks),
        })),
    pendingOperators: sparse ? 0 : pendingOperators(job),
    restartStrategy: job.restartStrategy,
    failureCause: job.failureCause,
    rootException: job.exceptions.rootException,
    exceptionHistory: job.exceptions.history.slice(),
    checkpoints: job.checkpoints === null ? null : takeCheckpointStats(job.checkpoints),
    rescales: job.rescaleTimeline?.rescales.map((rescale) => ({ ...rescale, schedulerStates: rescale.schedulerStates.slice() })) ?? null,
  };
}

function takeSubtasks(subtasks: readonly ExecutionVertexState[], earlier: readonly ExecutionVertex[] = []): readonly ExecutionVertex[] {
  return subtasks.map((subtask) => {
    const before = earlier[subtask.index];
    if (before && isUnchanged(subtask, before)) return before;
    return { index: subtask.index, current: { ...subtask.current, timestamps: subtask.current.timestamps.slice() }, priorAttempts: subtask.priorAttempts.slice() };
  });
}

/** Whatever happens to an attempt, it enters a state, is given a place, fails or ends. */
function isUnchanged({ current, priorAttempts }: ExecutionVertexState, before: ExecutionVertex): boolean {
  const copy = before.current;
  if (current.attemptId !== copy.attemptId || current.state !== copy.state || current.taskManagerId !== copy.taskManagerId || current.slotIndex !== copy.slotIndex) return false;
  if (current.failureCause !== copy.failureCause || current.finalMetrics !== copy.finalMetrics || priorAttempts.length !== before.priorAttempts.length || priorAttempts.at(-1) !== before.priorAttempts.at(-1)) return false;
  for (let i = 0; i < current.timestamps.length; i++) if (current.timestamps[i] !== copy.timestamps[i]) return false;
  return true;
}

function shownParallelism({ parallelism, model }: JobVertexState): number {
  if (parallelism > 0) return parallelism;
  return model.decidedAtRunTime ? UNDECIDED : model.parallelism;
}

function copyOfVertex(vertex: VertexCheckpointState): VertexCheckpointState {
  return Object.fromEntries(Object.entries(vertex).map(([name, value]) => [name, value instanceof Float64Array ? value.slice() : value])) as unknown as VertexCheckpointState;
}

/** Copies what can still change of a job's checkpoint statistics; checkpoints that have ended are shared. */
export function takeCheckpointStats(coordinator: CheckpointCoordinatorState): CheckpointStatsSnapshot {
  const { summary } = coordinator;
  const copies = new Map<CheckpointState, CheckpointState>();
  const copy = (checkpoint: CheckpointState): CheckpointState => {
    let copied = copies.get(checkpoint);
    if (!copied) {
      copied = checkpoint.status === 'IN_PROGRESS' ? { ...checkpoint, vertices: checkpoint.vertices.map(copyOfVertex) } : { ...checkpoint };
      copies.set(checkpoint, copied);
    }
    return copied;
  };
  const copyOrNull = (checkpoint: CheckpointState | null): CheckpointState | null => checkpoint && copy(checkpoint);
  return {
    config: coordinator.config,
    history: coordinator.history.map(copy),
    counts: { ...coordinator.counts },
    latestCompleted: copyOrNull(coordinator.latestCompleted),
    latestSavepoint: copyOrNull(coordinator.latestSavepoint),
    latestFailed: copyOrNull(coordinator.latestFailed),
    latestRestored: coordinator.latestRestored && { ...coordinator.latestRestored },
    summary: {
      count: summary.count,
      checkpointedSize: summary.checkpointedSize.slice(),
      stateSize: summary.stateSize.slice(),
      endToEndDuration: summary.endToEndDuration.slice(),
      alignmentBuffered: summary.alignmentBuffered.slice(),
      processedData: summary.processedData.slice(),
      persistedData: summary.persistedData.slice(),
    },
  };
}
