import type { ExecutionAttemptState } from '../../simulation/state/job-state.js';
import { ioMetrics, ioMetricsInfo, type AggregatableMetrics, type FetchedCounters } from './io-metrics.js';
import { metricStatistics } from './statistics.js';
import { isTerminal, stateTimestamp, statusDurations } from './task-states.js';

export const UNASSIGNED = '(unassigned)';

/** `host:dataPort` of an attempt. */
export function endpointOf(attempt: ExecutionAttemptState): string {
  return attempt.host === null ? UNASSIGNED : `${attempt.host}:${attempt.dataPort}`;
}

/** Flink's SubtaskExecutionAttemptDetailsInfo. */
export function attemptDetails(fetched: FetchedCounters, subtask: number, attempt: ExecutionAttemptState, nowMs: number) {
  const startMs = stateTimestamp(attempt, 'DEPLOYING') || -1;
  const endMs = isTerminal(attempt.state) ? stateTimestamp(attempt, attempt.state) : -1;
  return {
    subtask,
    status: attempt.state,
    attempt: attempt.attemptNumber,
    host: attempt.host ?? UNASSIGNED,
    endpoint: endpointOf(attempt),
    'start-time': startMs,
    'end-time': endMs,
    duration: startMs > 0 ? (endMs > 0 ? endMs : nowMs) - startMs : -1,
    metrics: ioMetricsInfo(ioMetrics(fetched, [{ subtask, attempt }])),
    'taskmanager-id': attempt.taskManagerId ?? UNASSIGNED,
    'status-duration': statusDurations(attempt, nowMs),
    start_time: startMs,
  };
}

/** Flink's AggregatedTaskDetailsInfo: statistics over attempts. */
export function aggregatedDetails(metrics: readonly AggregatableMetrics[], durations: readonly Readonly<Record<string, number>>[]) {
  const over = (valueOf: (info: AggregatableMetrics) => number) => metricStatistics(metrics.map(valueOf));
  return {
    metrics: {
      'write-records': over((info) => info['write-records']),
      'accumulated-backpressured-time': over((info) => info['accumulated-backpressured-time']),
      'accumulated-idle-time': over((info) => info['accumulated-idle-time']),
      'write-bytes': over((info) => info['write-bytes']),
      'read-bytes': over((info) => info['read-bytes']),
      'read-records': over((info) => info['read-records']),
      // what cannot be measured counts as -1 here
      'accumulated-busy-time': over((info) => (Number.isNaN(info['accumulated-busy-time']) ? -1 : Math.trunc(info['accumulated-busy-time']))),
    },
    'status-duration': Object.fromEntries(Object.keys(durations[0] ?? {}).map((state) => [state, metricStatistics(durations.map((duration) => duration[state]!))])),
  };
}
