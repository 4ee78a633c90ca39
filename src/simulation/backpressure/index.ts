import type { JobState, JobVertexState } from '../state/job-state.js';
import type { BackPressureSampleState, BackPressureStats, BackPressureTrackerState } from '../state/sample-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { durationOption, numberOption } from '../options.js';
import { tickThreadSamples } from '../threads/flame-graph.js';
import { isBackPressured, threadActivityAt } from '../threads/thread-activity.js';

export type { BackPressureStats } from '../state/sample-state.js';

export type BackPressureLevel = 'ok' | 'low' | 'high';

const LOW_RATIO = 0.1;
const HIGH_RATIO = 0.5;

/** Flink's levels, in every version: up to 0.10 ok, up to 0.5 low, above high. */
export function backPressureLevel(ratio: number): BackPressureLevel {
  if (ratio <= LOW_RATIO) return 'ok';
  return ratio <= HIGH_RATIO ? 'low' : 'high';
}

interface SamplingOptions {
  readonly cleanupIntervalMs: number;
  readonly refreshIntervalMs: number;
  readonly numSamples: number;
  readonly delayMs: number;
}

/** The four options, under their names of the time (and the ones before). */
function samplingOptions(state: SimulationState): SamplingOptions {
  const names = (suffix: string) => [`web.backpressure.${suffix}`, `jobmanager.web.backpressure.${suffix}`];
  return {
    cleanupIntervalMs: durationOption(state.options, names('cleanup-interval'), 600_000),
    refreshIntervalMs: durationOption(state.options, names('refresh-interval'), 60_000),
    numSamples: Math.max(1, Math.floor(numberOption(state.options, names('num-samples'), 100))),
    delayMs: Math.max(1, durationOption(state.options, names('delay-between-samples'), 50)),
  };
}

/**
 * What the cache holds about a vertex, null for nothing (then REST says `deprecated`). Asking starts a sample when there is nothing or
 * what there is has grown old; it answers with the old all the same.
 */
export function requestBackPressure(state: SimulationState, jobId: string, vertexId: string): BackPressureStats | null {
  const job = state.jobs.get(jobId);
  const vertex = job?.vertices.find((candidate) => candidate.id === vertexId);
  if (job === undefined || vertex === undefined) return null;
  const options = samplingOptions(state);
  const tracker = (vertex.backPressure ??= { stats: null, lastAccessMs: state.nowMs, sample: null });
  forgetUnused(tracker, state.nowMs, options.cleanupIntervalMs);
  tracker.lastAccessMs = state.nowMs;
  const { stats } = tracker;
  if (stats === null || state.nowMs - stats.endTimestampMs >= options.refreshIntervalMs) startSample(state, job, vertex, tracker);
  return stats;
}

function forgetUnused(tracker: BackPressureTrackerState, nowMs: number, cleanupIntervalMs: number): void {
  if (nowMs - tracker.lastAccessMs >= cleanupIntervalMs) tracker.stats = null;
}

const GLOBALLY_TERMINAL: readonly string[] = ['FINISHED', 'CANCELED', 'FAILED'];

/** One sample a vertex at a time; it needs all subtasks running, else it comes to nothing and the next request tries again. */
function startSample(state: SimulationState, job: JobState, vertex: JobVertexState, tracker: BackPressureTrackerState): void {
  if (tracker.sample !== null || GLOBALLY_TERMINAL.includes(job.status)) return;
  if (vertex.subtasks.some((subtask) => subtask.current.state !== 'RUNNING')) return;
  const { parallelism } = vertex;
  tracker.sample = {
    sampleId: state.idSequence++,
    startMs: state.nowMs,
    attemptIds: vertex.subtasks.map((subtask) => subtask.current.attemptId),
    looks: new Int32Array(parallelism),
    hits: new Int32Array(parallelism),
  };
}

/** Takes the looks (for back pressure and for flame graphs) that fall into the tick that ends now. */
export function tickBackPressure(state: SimulationState): void {
  tickThreadSamples(state);
  let options: SamplingOptions | null = null;
  for (const job of state.jobs.values()) {
    for (const vertex of job.vertices) {
      const tracker = vertex.backPressure;
      if (tracker === undefined || tracker.sample === null) continue;
      options ??= samplingOptions(state);
      takeLooks(state, vertex, tracker.sample, options);
      finishSample(state, vertex, tracker, tracker.sample, options);
    }
  }
}

function takeLooks(state: SimulationState, vertex: JobVertexState, sample: BackPressureSampleState, options: SamplingOptions): void {
  const due = Math.min(options.numSamples, Math.floor((state.nowMs - sample.startMs) / options.delayMs) + 1);
  for (let subtask = 0; subtask < sample.attemptIds.length; subtask++) {
    if (!stillRuns(vertex, sample, subtask)) continue;
    for (let look = sample.looks[subtask]; look < due; look++) {
      sample.looks[subtask]++;
      if (isBackPressured(threadActivityAt(state, vertex, subtask, sample.startMs + look * options.delayMs))) sample.hits[subtask]++;
    }
  }
}

/** A task that ends on the way is left out from then on: the looks that there were count. */
function stillRuns(vertex: JobVertexState, sample: BackPressureSampleState, subtask: number): boolean {
  const attempt = vertex.subtasks[subtask]?.current;
  return attempt !== undefined && attempt.state === 'RUNNING' && attempt.attemptId === sample.attemptIds[subtask];
}

function finishSample(state: SimulationState, vertex: JobVertexState, tracker: BackPressureTrackerState, sample: BackPressureSampleState, options: SamplingOptions): void {
  const complete = sample.attemptIds.every((_, subtask) => sample.looks[subtask] >= options.numSamples || !stillRuns(vertex, sample, subtask));
  if (!complete) return;
  tracker.sample = null;
  tracker.lastAccessMs = state.nowMs;
  tracker.stats = {
    endTimestampMs: Math.floor(state.nowMs),
    ratios: sample.attemptIds.map((_, subtask) => (sample.looks[subtask] === 0 ? 0 : sample.hits[subtask] / sample.looks[subtask])),
  };
}
