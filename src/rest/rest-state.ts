import type { Simulation } from '../simulation/simulation.js';
import { putMetricStore, takeMetricStore, type MetricStoreState } from './metrics/metric-store.js';
import { putJobCaches, takeJobCaches, type JobCachesState } from './views/execution-graph-cache.js';

/** What Flink's REST layer keeps beside the cluster's state: copies of jobs and fetched metrics. Plain data. */
export interface RestState {
  readonly jobs: JobCachesState | null;
  readonly metrics: MetricStoreState | null;
}

/** What the REST layer has kept for a simulation; shares objects with its state. */
export function takeRestState(simulation: Simulation): RestState {
  return { jobs: takeJobCaches(simulation), metrics: takeMetricStore(simulation) };
}

/** Goes on with what was kept; an empty one forgets everything. */
export function putRestState(simulation: Simulation, { jobs, metrics }: RestState): void {
  putJobCaches(simulation, jobs);
  putMetricStore(simulation, metrics);
}

export const EMPTY_REST_STATE: RestState = { jobs: null, metrics: null };
