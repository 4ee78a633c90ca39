import type { ExceptionHistoryEntryState, ExecutionAttemptState, ExecutionExceptionState } from '../../simulation/state/job-state.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';
import { InternalServerException } from '../errors.js';
import { endpointOf, UNASSIGNED } from '../views/attempt-details.js';
import { getExecutionGraph } from '../views/execution-graph-cache.js';
import type { ExecutionGraph } from '../views/execution-graph.js';
import { stateTimestamp } from '../views/task-states.js';

const DEFAULT_LIMIT = 20;

/** A failed attempt in all-exceptions. */
function taskException(taskName: string, attempt: ExecutionAttemptState) {
  const location = endpointOf(attempt);
  return {
    exception: attempt.failureCause,
    task: taskName,
    location,
    endpoint: location,
    timestamp: stateTimestamp(attempt, 'FAILED') || -1,
    taskManagerId: attempt.taskManagerId ?? UNASSIGNED,
  };
}

/** Exceptions of the tasks' current attempts, at most `limit` of them. */
function taskExceptions(graph: ExecutionGraph, limit: number) {
  const found: ReturnType<typeof taskException>[] = [];
  for (const vertex of graph.vertices) {
    for (const { index, current } of vertex.subtasks) {
      if (current.failureCause === null) continue;
      if (found.length >= limit) return { found, truncated: true };
      found.push(taskException(`${vertex.model.name} (${index + 1}/${vertex.parallelism})`, current));
    }
  }
  return { found, truncated: false };
}

function historyException(exception: ExecutionExceptionState, failureLabels: Readonly<Record<string, string>>) {
  return {
    exceptionName: exception.exceptionName,
    stacktrace: exception.stackTrace,
    timestamp: Math.floor(exception.timestampMs),
    failureLabels,
    taskName: exception.taskName === null ? null : `${exception.taskName} - execution #${exception.attemptNumber}`,
    location: exception.location,
    endpoint: exception.location,
    taskManagerId: exception.taskManagerId,
  };
}

/** `failureLabelFilter=key:value,…`: an entry stays that carries all of the pairs. */
function labelFilter(pairs: readonly string[] | undefined): (entry: ExceptionHistoryEntryState) => boolean {
  if (!pairs || pairs.length === 0) return () => true;
  const wanted = pairs.map((pair) => pair.split(':', 2) as [string, string | undefined]);
  return ({ failureLabels }) => wanted.every(([key, value]) => value !== undefined && failureLabels[key] === value);
}

function exceptionHistory(graph: ExecutionGraph, limit: number, keep: (entry: ExceptionHistoryEntryState) => boolean) {
  const newestFirst = graph.exceptionHistory.filter(keep).reverse();
  const entries = newestFirst.slice(0, Math.max(0, limit)).map((entry) => ({
    ...historyException(entry, entry.failureLabels),
    concurrentExceptions: entry.concurrent.map((concurrent) => historyException(concurrent, concurrent.labels ?? {})),
  }));
  return { entries, truncated: entries.length < newestFirst.length };
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/jobs/:jobid/exceptions',
    handle(request, context) {
      const { features } = context;
      const graph = getExecutionGraph(context, request.params['jobid']!);
      const limit = Number(request.query['maxExceptions']?.[0] ?? DEFAULT_LIMIT);
      if (limit < 0 && features.negativeExceptionLimitFails) throw new InternalServerException('java.lang.IllegalArgumentException', String(limit));
      const { rootException } = graph;
      const tasks = rootException === null && features.taskExceptionsNeedRootException ? { found: [], truncated: false } : taskExceptions(graph, limit);
      return {
        'root-exception': rootException?.stackTrace ?? null,
        timestamp: rootException === null ? null : Math.floor(rootException.timestampMs),
        'all-exceptions': tasks.found,
        truncated: tasks.truncated,
        exceptionHistory: exceptionHistory(graph, limit, labelFilter(request.query['failureLabelFilter'])),
      };
    },
  }),
];
