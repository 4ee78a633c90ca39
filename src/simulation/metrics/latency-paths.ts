import { durationOption, findOption } from '../options.js';
import { EXECUTION_STATE_INDEX, type JobState, type JobVertexState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';

/** What one histogram of latency markers tells apart (metrics.latency.granularity): nothing, sources, or sources' subtasks. */
export interface LatencyStats {
  /** Groups of its name that say where its markers come from. */
  readonly groups: readonly (readonly [key: string, value: string])[];
  readonly intervalMs: number;
  /** Since when each subtask of the vertex gets markers (epoch ms). */
  readonly sinceMs: Float64Array;
  readonly paths: readonly LatencyPath[];
}

/** How the markers of a source come to a vertex. */
export interface LatencyPath {
  readonly operatorId: string;
  /** Whether they come through this vertex's input. */
  readonly throughInput: boolean;
  /** Time that they queue in front of the vertices on the way, this one not included, ms. */
  readonly upstreamMs: number;
  /** Markers that a subtask gets in an interval: each source subtask sends one, and each task on the way one on by a channel of its choice. */
  readonly perInterval: number;
}

/** Flink's default is to send none. */
const OFF = 0;

/** The histograms of a vertex's operators; the job's options go before the cluster's. */
export function latencyStats(state: SimulationState, job: JobState, vertexIndex: number): LatencyStats[] {
  const options = { ...state.options, ...job.model.options };
  const intervalMs = durationOption(options, 'metrics.latency.interval', OFF);
  if (intervalMs <= 0) return [];
  const vertex = job.vertices[vertexIndex];
  const sinceMs = Float64Array.from(vertex.subtasks, ({ current }) => current.timestamps[EXECUTION_STATE_INDEX.RUNNING]);
  const stats = (groups: LatencyStats['groups'], paths: readonly LatencyPath[]): LatencyStats => ({ groups, intervalMs, sinceMs, paths });
  const found = latencyPaths(job, vertex);
  switch (findOption(options, 'metrics.latency.granularity')?.trim().toLowerCase()) {
    case 'single':
      return found.length > 0 ? [stats([], found.map(({ path }) => path))] : [];
    case 'subtask':
      return found.flatMap(({ path, source }) =>
        Array.from({ length: source.parallelism }, (_, subtask) =>
          stats([['source_id', path.operatorId], ['source_subtask_index', String(subtask)]], [{ ...path, perInterval: path.perInterval / source.parallelism }]),
        ),
      );
    default:
      return found.map(({ path }) => stats([['source_id', path.operatorId]], [path]));
  }
}

/** Every source from which a marker reaches the vertex, on its shortest way. */
function latencyPaths(job: JobState, here: JobVertexState): { path: LatencyPath; source: JobVertexState }[] {
  const byId = new Map(job.vertices.map((vertex) => [vertex.id, vertex]));
  const waits = new Map<string, number>([[here.id, 0]]);
  const found: { path: LatencyPath; source: JobVertexState }[] = [];
  for (const [vertexId, upstreamMs] of waits) {
    const vertex = byId.get(vertexId)!;
    const [head] = vertex.model.operators;
    if (head.source !== null) found.push({ path: { operatorId: head.id, throughInput: vertex !== here, upstreamMs, perInterval: vertex.parallelism / here.parallelism }, source: vertex });
    const withThis = upstreamMs + (vertex === here ? 0 : queueingMs(vertex));
    // A Map's iteration goes on to entries that are added meanwhile: breadth first.
    for (const edge of job.model.edges) if (edge.targetVertexId === vertexId && !waits.has(edge.sourceVertexId)) waits.set(edge.sourceVertexId, withThis);
  }
  return found;
}

function queueingMs(vertex: JobVertexState): number {
  return vertex.columns.estimatedTimeToConsumeBuffersMs.reduce((sum, each) => sum + each, 0) / vertex.parallelism;
}
