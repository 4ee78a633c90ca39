import type { JobState } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { METERED_COLUMNS, METER_SLOTS } from '../state/subtask-columns.js';

/** Takes a reading of the metered columns (every METER_INTERVAL_MS), and begins a new window of the longest stretches. */
export function readMeters(_state: SimulationState, job: JobState): void {
  for (const vertex of job.vertices) {
    const { columns, parallelism } = vertex;
    const { history } = columns;
    history.newestSlot = (history.newestSlot + 1) % METER_SLOTS;
    history.readings++;
    for (let m = 0; m < METERED_COLUMNS.length; m++) history.values.set(columns[METERED_COLUMNS[m]], (m * METER_SLOTS + history.newestSlot) * parallelism);
    columns.maxSoftBackPressureMs.fill(0);
    columns.maxHardBackPressureMs.fill(0);
  }
}
