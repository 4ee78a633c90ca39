import { SUBTASKS_IN_PART, type Parts } from '../parts.js';
import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { METERED_COLUMNS, METER_INTERVAL_MS, METER_SLOTS } from '../state/subtask-columns.js';
import { readSplitTimes } from './source-watermarks.js';

/**
 * Takes a reading of the metered columns (every METER_INTERVAL_MS), and begins a new window of the longest stretches. Flink's ViewUpdater
 * takes up new views after it has updated those it knows: a task's first reading is the second one that comes while it is there.
 */
export function* readMeters(state: SimulationState, job: JobState): Parts {
  let subtasks = 0;
  for (let v = 0; v < job.vertices.length; v++) {
    const { columns, parallelism } = job.vertices[v];
    const { history } = columns;
    const { running, startedMs, watermarks } = job.network.vertices[v];
    history.newestSlot = (history.newestSlot + 1) % METER_SLOTS;
    history.readings++;
    for (let m = 0; m < METERED_COLUMNS.length; m++) history.values.set(columns[METERED_COLUMNS[m]], (m * METER_SLOTS + history.newestSlot) * parallelism);
    for (let s = 0; s < parallelism; s++) {
      if (running[s] === 0 || state.nowMs - startedMs[s] > METER_INTERVAL_MS) continue;
      for (let m = 0; m < METERED_COLUMNS.length; m++) history.values[(m * METER_SLOTS + history.newestSlot) * parallelism + s] = 0;
    }
    if (watermarks !== null) readSplitTimes(watermarks, history.newestSlot);
    columns.maxSoftBackPressureMs.fill(0);
    columns.maxHardBackPressureMs.fill(0);
    subtasks += parallelism;
    if (subtasks < SUBTASKS_IN_PART) continue;
    subtasks = 0;
    yield;
  }
}
