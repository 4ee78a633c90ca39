import { backPressureLevel, type BackPressureLevel } from '../simulation/backpressure/index.js';
import { subtaskValue, vertexView } from '../simulation/metrics/index.js';
import type { JobState } from '../simulation/state/job-state.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import { versionOf } from '../simulation/version.js';
import { restFeatures } from '../versions/rest-features.js';

/** The level of a vertex as Flink would find it now; null while there is nothing to judge by. Looking changes nothing. */
export type LevelMeter = (state: SimulationState, job: JobState, vertexIndex: number) => BackPressureLevel | null;

export function createLevelMeter(state: SimulationState): LevelMeter {
  return restFeatures(versionOf(state)).backPressureIsSampled ? sampledMeter() : gaugeMeter();
}

/** From 1.13 on: the time gauges, which are read every 5 s. */
function gaugeMeter(): LevelMeter {
  const known = new Map<string, { readonly readings: number; readonly attempts: string; readonly level: BackPressureLevel }>();
  return (state, job, vertexIndex) => {
    const vertex = job.vertices[vertexIndex]!;
    if (vertex.subtasks.some(({ current }) => current.state !== 'RUNNING')) return null;
    const { readings } = vertex.columns.history;
    const key = `${job.id}/${vertex.id}`;
    const attempts = vertex.subtasks.map(({ current }) => current.attemptId).join();
    const kept = known.get(key);
    if (kept && kept.readings === readings && kept.attempts === attempts) return kept.level;
    const view = vertexView(state, job, vertexIndex);
    const worst = vertex.subtasks.reduce((most, _, subtask) => Math.max(most, Number(subtaskValue({ vertex: view, subtask }, 'backPressuredTimeMsPerSecond') ?? 0) / 1_000), 0);
    const level = backPressureLevel(worst);
    known.set(key, { readings, attempts, level });
    return level;
  };
}

/** What a sample takes: 100 looks, 50 ms apart. */
const SAMPLE_MS = 5_000;

/** Until 1.12: the share of time that a sample over the last 5 s would have found. */
function sampledMeter(): LevelMeter {
  const readings = new Map<string, { readonly atMs: number; readonly backPressuredMs: Float64Array }[]>();
  return (state, job, vertexIndex) => {
    const vertex = job.vertices[vertexIndex]!;
    const key = `${job.id}/${vertex.id}`;
    const { softBackPressuredMs: soft, hardBackPressuredMs: hard } = vertex.columns;
    const now = { atMs: state.nowMs, backPressuredMs: soft.map((ms, subtask) => ms + hard[subtask]!) };
    let kept = readings.get(key) ?? [];
    // A new attempt counts from 0 again, a rescaled vertex has other subtasks, and a reset goes back in time.
    const last = kept.at(-1);
    if (last && (last.atMs > now.atMs || last.backPressuredMs.length !== now.backPressuredMs.length || now.backPressuredMs.some((ms, subtask) => ms < last.backPressuredMs[subtask]!))) kept = [];
    kept.push(now);
    while (kept.length > 1 && kept[1]!.atMs <= now.atMs - SAMPLE_MS) kept.shift();
    readings.set(key, kept);
    const [oldest] = kept;
    const elapsedMs = now.atMs - oldest!.atMs;
    if (elapsedMs < SAMPLE_MS) return null;
    return backPressureLevel(now.backPressuredMs.reduce((worst, ms, subtask) => Math.max(worst, (ms - oldest!.backPressuredMs[subtask]!) / elapsedMs), 0));
  };
}
