import { since, valueIn } from '../../versions/flink-versions.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import { AGGREGATIONS } from '../metrics/aggregation.js';
import type { ComponentMetrics } from '../metrics/component-metrics.js';
import { aggregatedMetrics, requestedAggregations } from '../metrics/metric-answers.js';
import { groupOf, subtaskGroup, type MetricGroup } from '../metrics/metric-group.js';
import { metricStoreOf, type MetricStore } from '../metrics/metric-store.js';
import { selectedSubtasks } from '../metrics/subtask-selection.js';
import { inOneGo } from '../../simulation/parts.js';
import { inParts } from '../turns.js';

/** FLIP-418 */
const HAS_SKEW = since('1.20');

/** More of them are not summed up in one go. */
const MANY_VALUES = 5_000;

/** Metrics summed up over several components, or all their names. */
function aggregating(url: string, select: (store: MetricStore, request: EndpointRequest) => MetricGroup): Endpoint {
  return defineEndpoint({
    method: 'GET',
    url,
    handle(request: EndpointRequest, context: EndpointContext) {
      const store = metricStoreOf(context);
      const known = valueIn(HAS_SKEW, context.version) ? AGGREGATIONS : AGGREGATIONS.filter((each) => each !== 'skew');
      const key = JSON.stringify([url, request.params, request.query]);
      return store.answers.get(key, () => {
        const group = select(store, request);
        const requested = request.query['get'] ?? [];
        const work = aggregatedMetrics(group, requested, requestedAggregations(request.query['agg'], known));
        return group.size * requested.length > MANY_VALUES ? inParts(work) : inOneGo(work);
      });
    },
  });
}

/** The components with the ids, in their order; all when none is named. Unknown ones are passed over. */
function chosen(ids: readonly string[] | undefined, all: Iterable<string>, find: (id: string) => ComponentMetrics | undefined): MetricGroup {
  return groupOf([...(ids && ids.length > 0 ? ids : all)].map(find).filter((metrics) => metrics !== undefined));
}

export const endpoints: Endpoint[] = [
  aggregating('/jobs/metrics', (store, { query }) => chosen(query['jobs'], store.jobIds(), (id) => store.job(id))),
  aggregating('/taskmanagers/metrics', (store, { query }) => chosen(query['taskmanagers'], store.taskManagers().keys(), (id) => store.taskManager(id))),
  aggregating('/jobs/:jobid/vertices/:vertexid/subtasks/metrics', (store, { params, query }) => {
    const task = store.task(params['jobid']!, params['vertexid']!);
    if (!task) return groupOf([]);
    const subtasks = query['subtasks'];
    if (!subtasks || subtasks.length === 0) return subtaskGroup(task, task.known());
    const known = new Set(task.known());
    return subtaskGroup(task, selectedSubtasks(subtasks, task.parallelism).filter((subtask) => known.has(subtask)));
  }),
];
