import { backPressureLevel } from '../simulation/backpressure/index.js';
import type { JobState, JobVertexState } from '../simulation/state/job-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { lagOf } from './conditions.js';

export interface VertexSummary {
  readonly id: string;
  readonly name: string;
  readonly parallelism: number;
  /** Subtasks by execution state. */
  readonly tasks: Readonly<Record<string, number>>;
  /** Share of the last tick that the worst subtask was back-pressured, and its level. */
  readonly backPressured: number;
  readonly level: 'ok' | 'low' | 'high';
}

export interface JobSummary {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly startMs: number;
  /** -1 while it has not ended. */
  readonly endMs: number;
  readonly restarts: number;
  readonly failureCause: string | null;
  readonly checkpoints: { readonly completed: number; readonly failed: number; readonly inProgress: number; readonly latestCompletedId: number | null } | null;
  /** Records in Kafka that it has not read. */
  readonly lag: number;
  readonly vertices: readonly VertexSummary[];
}

export interface StateSummary {
  readonly scenario: string;
  readonly flinkVersion: string;
  readonly seed: number;
  readonly nowMs: number;
  readonly jobs: readonly JobSummary[];
  readonly taskManagers: readonly { readonly id: string; readonly host: string; readonly status: string; readonly slots: number; readonly freeSlots: number }[];
  readonly topics: readonly { readonly name: string; readonly partitions: number; readonly recordsPerSecond: number; readonly endOffset: number }[];
  readonly kafkaBroker: string;
  readonly checkpointStorage: { readonly bytesPerSecond: number | null; readonly latencyMs: number; readonly failing: boolean };
}

export function summarizeJob(state: SimulationState, job: JobState): JobSummary {
  const { checkpoints } = job;
  return {
    id: job.id,
    name: job.name,
    status: job.status,
    startMs: job.startMs,
    endMs: job.endMs,
    restarts: job.numRestarts,
    failureCause: job.failureCause,
    checkpoints: checkpoints && { completed: checkpoints.counts.completed, failed: checkpoints.counts.failed, inProgress: checkpoints.counts.inProgress, latestCompletedId: checkpoints.latestCompleted?.id ?? null },
    lag: lagOf(state, job.id),
    vertices: job.vertices.map(summarizeVertex),
  };
}

function summarizeVertex(vertex: JobVertexState): VertexSummary {
  const { softBackPressuredShare: soft, hardBackPressuredShare: hard } = vertex.columns;
  const worst = soft.reduce((most, share, subtask) => Math.max(most, share + hard[subtask]!), 0);
  const tasks: Record<string, number> = {};
  for (const { current } of vertex.subtasks) tasks[current.state] = (tasks[current.state] ?? 0) + 1;
  return { id: vertex.id, name: vertex.model.name, parallelism: vertex.parallelism, tasks, backPressured: Math.min(1, Math.round(worst * 1_000) / 1_000), level: backPressureLevel(worst) };
}

/** What there is, at a glance. */
export function summarize(state: SimulationState): StateSummary {
  const { bytesPerSecond, latencyMs, failing } = state.checkpointStorage;
  return {
    scenario: state.model.name,
    flinkVersion: state.model.flinkVersion,
    seed: state.model.seed,
    nowMs: state.nowMs,
    jobs: [...state.jobs.values()].map((job) => summarizeJob(state, job)),
    taskManagers: [...state.taskManagers.values()].map(({ id, host, status, slots }) => ({ id, host, status, slots: slots.length, freeSlots: slots.filter(({ jobId }) => jobId === null).length })),
    topics: [...state.kafka.topics.values()].map(({ name, endOffsets, recordsPerSecond }) => ({ name, partitions: endOffsets.length, recordsPerSecond, endOffset: endOffsets.reduce((sum, end) => sum + Math.floor(end), 0) })),
    kafkaBroker: state.kafka.brokerState,
    checkpointStorage: { bytesPerSecond, latencyMs, failing },
  };
}
