import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointRequest } from '../endpoint.js';
import type { ComponentMetrics } from '../metrics/component-metrics.js';
import { metricCollection } from '../metrics/metric-answers.js';
import { metricStoreOf, type MetricStore } from '../metrics/metric-store.js';
import { TaskMetricStore } from '../metrics/task-metric-store.js';

type Params = EndpointRequest['params'];

/** Metrics of one component: names, or values of those named by `get`. */
function plain(url: string, find: (store: MetricStore, params: Params) => ComponentMetrics | undefined): Endpoint {
  return defineEndpoint({
    method: 'GET',
    url,
    handle(request: EndpointRequest, context: EndpointContext) {
      const store = metricStoreOf(context);
      const requested = request.query['get'];
      const key = JSON.stringify([url, request.params, requested]);
      return store.answers.get(key, () => {
        const component = find(store, request.params);
        const make = () => metricCollection(component, requested);
        return component instanceof TaskMetricStore && requested === undefined ? store.nameLists.get(key, component.shape, make) : make();
      });
    },
  });
}

export const endpoints: Endpoint[] = [
  plain('/jobmanager/metrics', (store) => store.jobManager()),
  plain('/taskmanagers/:taskmanagerid/metrics', (store, params) => store.taskManager(params['taskmanagerid']!)),
  plain('/jobs/:jobid/metrics', (store, params) => store.job(params['jobid']!)),
  plain('/jobs/:jobid/vertices/:vertexid/metrics', (store, params) => store.task(params['jobid']!, params['vertexid']!)),
  plain('/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/metrics', (store, params) => store.subtask(params['jobid']!, params['vertexid']!, Number(params['subtaskindex']))),
  plain('/jobs/:jobid/vertices/:vertexid/jm-operator-metrics', (store, params) => store.coordinators(params['jobid']!, params['vertexid']!)),
];
