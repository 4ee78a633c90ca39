import type { ExecutionAttemptState } from '../../simulation/state/job-state.js';
import type { EndpointContext } from '../endpoint.js';
import { ABSENT, type MetricColumn } from '../metrics/metric-column.js';
import { metricStoreOf } from '../metrics/metric-store.js';
import type { TaskMetricStore } from '../metrics/task-metric-store.js';
import { inOneGo, type Parts } from '../../simulation/parts.js';
import { isTerminal } from './task-states.js';

/** Sums over attempts, and whether every running one's metrics were there to be summed. */
export interface IOMetrics {
  readBytes: number;
  writeBytes: number;
  readRecords: number;
  writeRecords: number;
  readBytesComplete: boolean;
  writeBytesComplete: boolean;
  readRecordsComplete: boolean;
  writeRecordsComplete: boolean;
  backPressuredMs: number;
  idleMs: number;
  busyMs: number;
}

/** Flink's IOMetricsInfo. */
export interface IOMetricsInfo extends AggregatableMetrics {
  readonly 'read-bytes-complete': boolean;
  readonly 'write-bytes-complete': boolean;
  readonly 'read-records-complete': boolean;
  readonly 'write-records-complete': boolean;
}

export interface AggregatableMetrics {
  readonly 'read-bytes': number;
  readonly 'write-bytes': number;
  readonly 'read-records': number;
  readonly 'write-records': number;
  readonly 'accumulated-backpressured-time': number;
  readonly 'accumulated-idle-time': number;
  readonly 'accumulated-busy-time': number;
}

/** Metric of a counter and the flag that falls when it is missing. */
const COUNTERS = [
  ['numBytesIn', 'readBytes', 'readBytesComplete'],
  ['numBytesOut', 'writeBytes', 'writeBytesComplete'],
  ['numRecordsIn', 'readRecords', 'readRecordsComplete'],
  ['numRecordsOut', 'writeRecords', 'writeRecordsComplete'],
] as const;

const TIMES = [
  ['accumulateBackPressuredTimeMs', 'backPressuredMs'],
  ['accumulateIdleTimeMs', 'idleMs'],
  ['accumulateBusyTimeMs', 'busyMs'],
] as const;

export interface TaskAttempt {
  readonly subtask: number;
  readonly attempt: ExecutionAttemptState;
}

/** What the metric fetcher last brought home of a vertex's subtasks; null where nothing came, or nobody had to ask as no attempt runs. */
export type FetchedCounters = {
  readonly columns: Readonly<Record<(typeof COUNTERS | typeof TIMES)[number][0], MetricColumn>>;
  /** Whether the values of a subtask tell of that attempt. */
  readonly isOf: (subtask: number, attemptNumber: number) => boolean;
} | null;

/** The metrics that counters of attempts are read from, and stay so however long that takes; nobody has to ask where no attempt runs. */
export function fetchedTask(context: EndpointContext, jobId: string, vertexId: string, attempts: readonly ExecutionAttemptState[]): TaskMetricStore | undefined {
  return attempts.every(({ state }) => isTerminal(state)) ? undefined : metricStoreOf(context).task(jobId, vertexId);
}

/** Reads the counters of a vertex's subtasks, one after the other. */
export function* readCounters({ features }: EndpointContext, task: TaskMetricStore | undefined): Parts<FetchedCounters> {
  if (!task) return null;
  const columns: Record<string, MetricColumn> = {};
  const isOf = features.countersAreOfTheAttempt ? (subtask: number, attemptNumber: number): boolean => task.isOf(subtask, attemptNumber) : (): boolean => true;
  for (const [name] of [...COUNTERS, ...TIMES]) {
    columns[name] = task.column(name);
    yield;
  }
  return { columns: columns as NonNullable<FetchedCounters>['columns'], isOf };
}

/** The fetched counters of attempts of a vertex. */
export function fetchedCounters(context: EndpointContext, jobId: string, vertexId: string, attempts: readonly ExecutionAttemptState[]): FetchedCounters {
  return inOneGo(readCounters(context, fetchedTask(context, jobId, vertexId, attempts)));
}

/**
 * Counters of attempts: of those that have ended the final ones, of the others what was fetched. A metric that has not come yet counts 0 and
 * makes the sum incomplete.
 */
export function ioMetrics(fetched: FetchedCounters, attempts: readonly TaskAttempt[]): IOMetrics {
  const sum: IOMetrics = {
    readBytes: 0,
    writeBytes: 0,
    readRecords: 0,
    writeRecords: 0,
    readBytesComplete: true,
    writeBytesComplete: true,
    readRecordsComplete: true,
    writeRecordsComplete: true,
    backPressuredMs: 0,
    idleMs: 0,
    busyMs: 0,
  };
  for (const { subtask, attempt } of attempts) {
    if (isTerminal(attempt.state)) addFinal(sum, attempt);
    else addFetched(sum, fetched?.isOf(subtask, attempt.attemptNumber) === true ? fetched.columns : null, subtask);
  }
  return sum;
}

function addFinal(sum: IOMetrics, attempt: ExecutionAttemptState): void {
  const final = attempt.finalMetrics;
  if (!final) return;
  sum.readBytes += Math.floor(final.readBytes);
  sum.writeBytes += Math.floor(final.writeBytes);
  sum.readRecords += Math.floor(final.readRecords);
  sum.writeRecords += Math.floor(final.writeRecords);
  sum.backPressuredMs += Math.floor(final.accumulatedBackPressuredMs);
  sum.idleMs += Math.floor(final.accumulatedIdleMs);
  sum.busyMs += Math.floor(final.accumulatedBusyMs);
}

function addFetched(sum: IOMetrics, fetched: NonNullable<FetchedCounters>['columns'] | null, subtask: number): void {
  for (const [name, key, complete] of COUNTERS) {
    if (fetched === null || fetched[name].kinds[subtask] === ABSENT) sum[complete] = false;
    else sum[key] += fetched[name].values[subtask];
  }
  if (fetched === null) return;
  for (const [name, key] of TIMES) sum[key] += fetched[name].values[subtask];
}

export function ioMetricsInfo(sum: IOMetrics): IOMetricsInfo {
  return {
    'read-bytes': sum.readBytes,
    'read-bytes-complete': sum.readBytesComplete,
    'write-bytes': sum.writeBytes,
    'write-bytes-complete': sum.writeBytesComplete,
    'read-records': sum.readRecords,
    'read-records-complete': sum.readRecordsComplete,
    'write-records': sum.writeRecords,
    'write-records-complete': sum.writeRecordsComplete,
    'accumulated-backpressured-time': sum.backPressuredMs,
    'accumulated-idle-time': sum.idleMs,
    'accumulated-busy-time': sum.busyMs,
  };
}
