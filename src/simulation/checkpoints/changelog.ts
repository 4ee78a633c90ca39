import { networkFeatures } from '../../versions/network-features.js';
import { schedule } from '../event-queue.js';
import { durationOption, findOption } from '../options.js';
import { below } from '../random.js';
import type { JobModel } from '../model/job-model.js';
import type { ChangelogState, ChangelogVertexState, RestorePointState } from '../state/checkpoint-state.js';
import type { JobState, JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';
import { partOf, type SnapshotSizes } from './snapshot-sizes.js';
import { snapshotDurations } from './storage.js';

/** state.changelog.*, and as the options were called before 1.16. */
const PREFIXES = ['state.changelog.', 'state.backend.changelog.'] as const;
const DEFAULT_MATERIALIZATION_INTERVAL_MS = 600_000;

interface MaterializationEvent {
  readonly jobId: string;
  readonly vertexIndex: number;
  readonly subtask: number;
  readonly attemptId: string;
}

/** The changelog of a job whose state backend keeps one (1.15 and later); null for all others. */
export function createChangelog(state: SimulationState, job: JobModel): ChangelogState | null {
  if (!networkFeatures(versionOf(state)).hasStateChangelog) return null;
  const options = { ...state.options, ...job.options };
  const option = (name: string): string | undefined => findOption(options, ...PREFIXES.map((prefix) => prefix + name));
  if (option('enabled')?.trim().toLowerCase() !== 'true') return null;
  const isPeriodic = option('periodic-materialize.enabled')?.trim().toLowerCase() !== 'false';
  const intervalMs = durationOption(options, PREFIXES.map((prefix) => `${prefix}periodic-materialize.interval`), DEFAULT_MATERIALIZATION_INTERVAL_MS);
  const vertices = job.vertices.filter((vertex) => vertex.operators.some((operator) => operator.state !== null)).map((vertex) => [vertex.id, emptyLog(vertex.parallelism)] as const);
  return { materializationIntervalMs: isPeriodic && intervalMs > 0 ? intervalMs : -1, vertices: new Map(vertices) };
}

function emptyLog(parallelism: number): ChangelogVertexState {
  const column = (): Float64Array => new Float64Array(parallelism);
  return {
    materializedBytes: column(),
    materializedAtBytes: column(),
    started: column(),
    completed: column(),
    failed: column(),
    lastDurationMs: column().fill(-1),
    lastLogBytes: column(),
    lastLogIncrementBytes: column(),
    lastMaterializedBytes: column(),
  };
}

/** A task's state is there: its log goes on from the checkpoint that it was restored from, and its materializations begin. */
export function startChangelog(state: SimulationState, job: JobState, vertexIndex: number, subtask: number): void {
  const { changelog, restorePoint } = job.checkpoints ?? {};
  const vertex = job.vertices[vertexIndex];
  let log = changelog?.vertices.get(vertex.id);
  if (!changelog || !log) return;
  if (log.started.length !== vertex.parallelism) changelog.vertices.set(vertex.id, (log = emptyLog(vertex.parallelism)));
  for (const count of [log.started, log.completed, log.failed, log.lastLogBytes, log.lastLogIncrementBytes, log.lastMaterializedBytes]) count[subtask] = 0;
  log.lastDurationMs[subtask] = -1;
  const { stateBytes, stateChangeBytes } = vertex.columns;
  const held = restorePoint?.materialized?.get(vertex.id);
  log.materializedBytes[subtask] = held ? partOf(held.bytes, vertex, subtask) : stateBytes[subtask];
  log.materializedAtBytes[subtask] = held ? partOf(held.atBytes, vertex, subtask) : stateChangeBytes[subtask];
  if (changelog.materializationIntervalMs < 0) return;
  // Subtasks do not all write at once.
  scheduleMaterialization(state, job, vertexIndex, subtask, below(changelog.materializationIntervalMs, state.model.seed, 'materialization', job.id, vertex.id, subtask));
}

function scheduleMaterialization(state: SimulationState, job: JobState, vertexIndex: number, subtask: number, delayMs: number): void {
  const { attemptId } = job.vertices[vertexIndex].subtasks[subtask].current;
  schedule(state.queue, state.nowMs + delayMs, 'checkpoint.materialize', { jobId: job.id, vertexIndex, subtask, attemptId } satisfies MaterializationEvent);
}

function logOf(state: SimulationState, { jobId, vertexIndex, subtask, attemptId }: MaterializationEvent): { job: JobState; vertex: JobVertexState; log: ChangelogVertexState } | null {
  const job = state.jobs.get(jobId);
  const vertex = job?.vertices[vertexIndex];
  const log = vertex && job?.checkpoints?.changelog?.vertices.get(vertex.id);
  const current = vertex?.subtasks[subtask]?.current;
  return job && vertex && log && current?.attemptId === attemptId && current.state === 'RUNNING' ? { job, vertex, log } : null;
}

/** The time for a materialization has come: what has changed since the last one is written as the state backend writes it. */
export function onMaterialization(state: SimulationState, event: MaterializationEvent): void {
  const found = logOf(state, event);
  if (!found) return;
  const { job, vertex, log } = found;
  const { vertexIndex, subtask } = event;
  log.started[subtask]++;
  const position = vertex.columns.stateChangeBytes[subtask];
  const bytes = vertex.columns.stateBytes[subtask];
  const isNew = position > log.materializedAtBytes[subtask];
  const { syncMs, asyncMs } = snapshotDurations(state, job, vertexIndex, subtask, -log.started[subtask], isNew ? bytes : 0);
  const durationMs = isNew ? syncMs + asyncMs : 0;
  schedule(state.queue, state.nowMs + durationMs, 'checkpoint.materialized', { ...event, bytes, position, durationMs });
}

/** It is written: from here on the log before it is not needed any more. */
export function onMaterialized(state: SimulationState, event: MaterializationEvent & { readonly bytes: number; readonly position: number; readonly durationMs: number }): void {
  const found = logOf(state, event);
  if (!found) return;
  const { job, log } = found;
  const { vertexIndex, subtask, bytes, position, durationMs } = event;
  if (state.checkpointStorage.failing) log.failed[subtask]++;
  else {
    log.completed[subtask]++;
    log.lastDurationMs[subtask] = durationMs;
    log.materializedBytes[subtask] = bytes;
    log.materializedAtBytes[subtask] = position;
  }
  scheduleMaterialization(state, job, vertexIndex, subtask, job.checkpoints!.changelog!.materializationIntervalMs);
}

/** A snapshot tells the metrics what it is made of. */
export function noteSnapshot(job: JobState, vertexIndex: number, subtask: number, sizes: SnapshotSizes): void {
  const log = job.checkpoints?.changelog?.vertices.get(job.vertices[vertexIndex].id);
  if (!log) return;
  log.lastMaterializedBytes[subtask] = Math.round(log.materializedBytes[subtask]);
  log.lastLogBytes[subtask] = sizes.stateBytes - log.lastMaterializedBytes[subtask];
  log.lastLogIncrementBytes[subtask] = Math.min(sizes.checkpointedBytes, log.lastLogBytes[subtask]);
}

/** What of the changelog a completed checkpoint holds. */
export function heldMaterializations(job: JobState): RestorePointState['materialized'] {
  const changelog = job.checkpoints?.changelog;
  return changelog ? new Map([...changelog.vertices].map(([id, log]) => [id, { bytes: log.materializedBytes.slice(), atBytes: log.materializedAtBytes.slice() }])) : undefined;
}
