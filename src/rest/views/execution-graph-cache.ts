import { durationOption } from '../../simulation/options.js';
import type { JobState } from '../../simulation/state/job-state.js';
import type { EndpointContext } from '../endpoint.js';
import { requireLeader } from '../availability.js';
import { jobNotFoundHead, NotFoundException } from '../errors.js';
import { takeCheckpointStats, takeExecutionGraph, type CheckpointStatsSnapshot, type ExecutionGraph } from './execution-graph.js';

interface Kept<T> {
  readonly takenMs: number;
  readonly value: T;
}

/** Plain data: what the caches of a simulation hold, by job id. */
export interface JobCachesState {
  readonly graphs: ReadonlyMap<string, Kept<ExecutionGraph>>;
  readonly checkpoints: ReadonlyMap<string, Kept<CheckpointStatsSnapshot | null>>;
}

/**
 * Answers about jobs come from copies that are kept for web.refresh-interval (3 s) of virtual time, as in Flink: what has just changed may
 * not be seen yet, and a thousand requests cost one copy.
 */
class SnapshotCache<T> {
  readonly entries = new Map<string, Kept<T>>();

  get(jobs: ReadonlyMap<string, JobState>, jobId: string, nowMs: number, keptMs: number, askLeader: () => void, take: (job: JobState, earlier: T | undefined) => T): T | undefined {
    const kept = this.entries.get(jobId);
    if (kept && nowMs >= kept.takenMs && nowMs < kept.takenMs + keptMs) return kept.value;
    askLeader();
    const job = jobs.get(jobId);
    if (!job) {
      this.entries.delete(jobId);
      return undefined;
    }
    for (const id of this.entries.keys()) if (!jobs.has(id)) this.entries.delete(id);
    const value = take(job, kept?.value);
    this.entries.set(jobId, { takenMs: nowMs, value });
    return value;
  }
}

interface JobCaches {
  readonly graphs: SnapshotCache<ExecutionGraph>;
  readonly checkpoints: SnapshotCache<CheckpointStatsSnapshot | null>;
}

/** One pair for each simulation that is served. */
const CACHES = new WeakMap<object, JobCaches>();

function cachesOf(simulation: object): JobCaches {
  let caches = CACHES.get(simulation);
  if (!caches) {
    caches = { graphs: new SnapshotCache(), checkpoints: new SnapshotCache() };
    CACHES.set(simulation, caches);
  }
  return caches;
}

export function takeJobCaches(simulation: object): JobCachesState | null {
  const caches = CACHES.get(simulation);
  return caches ? { graphs: caches.graphs.entries, checkpoints: caches.checkpoints.entries } : null;
}

export function putJobCaches(simulation: object, state: JobCachesState | null): void {
  CACHES.delete(simulation);
  if (state === null) return;
  const { graphs, checkpoints } = cachesOf(simulation);
  for (const [id, kept] of state.graphs) graphs.entries.set(id, kept);
  for (const [id, kept] of state.checkpoints) checkpoints.entries.set(id, kept);
}

const REFRESH_INTERVAL_MS = 3000;

/** The job as it was at most web.refresh-interval ago; 404 when there is none of that id. */
export function getExecutionGraph(context: EndpointContext, jobId: string): ExecutionGraph {
  const { state } = context;
  const graph = cachesOf(context.simulation).graphs.get(state.jobs, jobId, state.nowMs, durationOption(state.options, 'web.refresh-interval', REFRESH_INTERVAL_MS), () => requireLeader(context, 'execution graph'), (job, earlier) => takeExecutionGraph(job, context.features.batchVerticesAppear, earlier));
  if (!graph) throw new NotFoundException(`Job ${jobId} not found`, [jobNotFoundHead(jobId)]);
  return graph;
}

/** Checkpoint statistics of a job, null when it has none; from the execution graph or, in later versions, from a cache of their own. */
export function getCheckpointStats(context: EndpointContext, jobId: string): CheckpointStatsSnapshot | null {
  if (!context.features.checkpointStatsHaveOwnCache) return getExecutionGraph(context, jobId).checkpoints;
  const { state } = context;
  const keptMs = durationOption(state.options, ['rest.cache.checkpoint-statistics.timeout', 'web.refresh-interval'], REFRESH_INTERVAL_MS);
  const stats = cachesOf(context.simulation).checkpoints.get(state.jobs, jobId, state.nowMs, keptMs, () => requireLeader(context, 'checkpoints'), (job) => job.checkpoints && takeCheckpointStats(job.checkpoints));
  if (stats === undefined) throw new NotFoundException(`Job ${jobId} not found`, [jobNotFoundHead(jobId)]);
  return stats;
}
