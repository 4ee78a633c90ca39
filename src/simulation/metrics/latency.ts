import { uniform } from '../random.js';
import { Histogram } from './histogram.js';
import type { LatencyStats } from './latency-paths.js';
import type { TaskView } from './vertex-view.js';

/** A histogram keeps that many of the latest markers (metrics.latency.history-size). */
const SAMPLES = 128;

/** Markers that a subtask has got; the first ones are sent at once. A histogram is registered with its first marker. */
export function markersReceived({ vertex, subtask }: TaskView, { intervalMs, sinceMs, paths, groups }: LatencyStats): number {
  if (!(sinceMs[subtask] > 0)) return 0;
  const intervals = Math.floor((vertex.atMs - sinceMs[subtask]) / intervalMs) + 1;
  const each = paths.reduce((sum, path) => sum + path.perInterval, 0);
  return Math.floor(intervals * each + uniform(vertex.seed, vertex.jobId, vertex.vertexId, subtask, groups.flat().join(), 'markers') * (each < 1 ? 1 : 0));
}

/** Time of latency markers from their sources to here: they queue behind the data in front of each vertex on the way. */
export function markerLatency(task: TaskView, stats: LatencyStats): Histogram {
  const { vertex, subtask } = task;
  const received = markersReceived(task, stats);
  const here = vertex.columns.estimatedTimeToConsumeBuffersMs[subtask];
  const samples = new Float64Array(Math.min(SAMPLES, received));
  for (let i = 0; i < samples.length; i++) {
    const path = stats.paths[(received - i) % stats.paths.length];
    const queuedMs = path.upstreamMs + (path.throughInput ? here : 0);
    const luck = uniform(vertex.seed, vertex.jobId, vertex.vertexId, subtask, path.operatorId, received - i, 'latency marker');
    samples[i] = Math.floor(queuedMs * (0.5 + luck) + luck);
  }
  return new Histogram(samples, received);
}
