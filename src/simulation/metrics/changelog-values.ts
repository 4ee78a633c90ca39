import { rowsIn } from '../../versions/metrics/metric-row.js';
import { CHANGELOG_METRICS } from '../../versions/metrics/operator-metrics.js';
import type { JobState } from '../state/job-state.js';
import { createMetric, type Metric } from './metric.js';
import type { OperatorView } from './vertex-view.js';

/** The changelog of a subtask's state. */
export interface ChangelogReading {
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  readonly lastDurationMs: number;
  readonly lastMaterializedBytes: number;
  readonly lastLogBytes: number;
  readonly lastLogIncrementBytes: number;
}

type Quantity = (typeof CHANGELOG_METRICS)[number]['quantity'];

const VALUES: Readonly<Record<Quantity, (reading: ChangelogReading) => number>> = {
  'ChangelogMaterialization.startedMaterialization': ({ started }) => started,
  'ChangelogMaterialization.completedMaterialization': ({ completed }) => completed,
  'ChangelogMaterialization.failedMaterialization': ({ failed }) => failed,
  'ChangelogMaterialization.lastDurationOfMaterialization': ({ lastDurationMs }) => lastDurationMs,
  'ChangelogStateBackend.lastFullSizeOfMaterialization': ({ lastMaterializedBytes }) => lastMaterializedBytes,
  'ChangelogStateBackend.lastIncSizeOfMaterialization': ({ lastMaterializedBytes }) => lastMaterializedBytes,
  'ChangelogStateBackend.lastFullSizeOfNonMaterialization': ({ lastLogBytes }) => lastLogBytes,
  'ChangelogStateBackend.lastIncSizeOfNonMaterialization': ({ lastLogIncrementBytes }) => lastLogIncrementBytes,
};

/** By subtask; null where there is no changelog, or no state. */
export function changelogReadings(job: JobState, vertexIndex: number): readonly ChangelogReading[] | null {
  const log = job.checkpoints?.changelog?.vertices.get(job.vertices[vertexIndex].id);
  if (!log) return null;
  return Array.from(log.started, (started, s) => ({
    started,
    completed: log.completed[s],
    failed: log.failed[s],
    lastDurationMs: log.lastDurationMs[s],
    lastMaterializedBytes: log.lastMaterializedBytes[s],
    lastLogBytes: log.lastLogBytes[s],
    lastLogIncrementBytes: log.lastLogIncrementBytes[s],
  }));
}

/** Of an operator that has state, where its backend keeps a changelog. */
export function changelogMetrics({ vertex, operator }: OperatorView): Metric<OperatorView>[] {
  if (!vertex.changelog || vertex.model.operators[operator].state === null) return [];
  return rowsIn(CHANGELOG_METRICS, vertex.version).map((row) => createMetric<OperatorView>(row, (view) => VALUES[row.quantity](view.vertex.changelog![view.subtask])));
}
