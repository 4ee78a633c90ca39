import { uniform } from '../random.js';
import { Histogram } from './histogram.js';
import type { LatencySource, TaskView } from './vertex-view.js';

const SAMPLES = 128;

/** Time of latency markers from a source to here: they queue behind the data in front of each vertex on the way. */
export function markerLatency({ vertex, subtask }: TaskView, source: LatencySource): Histogram {
  const queuedMs = source.upstreamMs + (source.throughInput ? vertex.columns.estimatedTimeToConsumeBuffersMs[subtask] : 0);
  const samples = new Float64Array(SAMPLES);
  for (let i = 0; i < SAMPLES; i++) {
    const luck = uniform(vertex.seed, vertex.jobId, vertex.vertexId, subtask, source.operatorId, Math.floor(vertex.atMs / 1000) - i, 'latency marker');
    samples[i] = Math.floor(queuedMs * (0.5 + luck) + luck);
  }
  return new Histogram(samples);
}
