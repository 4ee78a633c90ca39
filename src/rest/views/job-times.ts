import type { JobStatus } from '../../simulation/state/job-state.js';
import type { RestFeatures } from '../../versions/rest-features.js';
import { isGloballyTerminal, statusTimestamp } from './execution-graph.js';
import type { TimeSpan } from './task-states.js';

/** Virtual now as a clock of whole milliseconds tells it. */
export function wholeNow(state: { readonly nowMs: number }): number {
  return Math.floor(state.nowMs);
}

/** From the job's first status to its globally terminal one; end -1 until then. */
export function jobSpan(job: { readonly status: JobStatus; readonly statusTimestamps: Float64Array }, nowMs: number, features: RestFeatures): TimeSpan {
  const startMs = statusTimestamp(job, features.jobStartsInitializing ? 'INITIALIZING' : 'CREATED');
  const endMs = isGloballyTerminal(job.status) ? statusTimestamp(job, job.status) : -1;
  return { startMs, endMs, durationMs: (endMs > 0 ? endMs : nowMs) - startMs };
}
