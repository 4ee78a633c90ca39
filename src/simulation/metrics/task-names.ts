import { LATENCY_METRICS } from '../../versions/metrics/task-metrics.js';
import { markerLatency, markersReceived } from './latency.js';
import { operatorMetricName } from './metric-names.js';
import { createMetric, metricGroup, restNames, restNumber, restValue, type Metric, type MetricName } from './metric.js';
import { dynamicOperatorMetrics, operatorMetrics } from './operator-values.js';
import { taskMetrics } from './task-values.js';
import type { OperatorView, TaskView, VertexView } from './vertex-view.js';

/**
 * Names and values of a subtask as the REST API shows them, without building what is not asked for: the task's own metrics, and those
 * of its operators below the operator's name.
 */
export function subtaskNames(task: TaskView): string[] {
  const { vertex, subtask } = task;
  const names = taskMetrics(vertex).names.map((each) => each.name);
  for (const metric of latencyMetrics(task)) names.push(...restNames(metric).map((each) => each.name));
  vertex.model.operators.forEach((model, operator) => {
    const prefix = `${operatorMetricName(model.name)}.`;
    const view = { vertex, subtask, operator };
    for (const each of operatorNames(view)) if (isRegistered(each, view)) names.push(prefix + each.name);
  });
  return names;
}

/** The value under a name that subtaskNames gives; null for any other. */
export function subtaskValue(task: TaskView, name: string): string | null {
  const { vertex, subtask } = task;
  const own = taskMetrics(vertex).byName.get(name);
  if (own) return restValue(own, task);
  const point = name.indexOf('.');
  if (point < 0) return null;
  const operatorName = name.slice(0, point);
  const rest = name.slice(point + 1);
  for (let operator = 0; operator < vertex.model.operators.length; operator++) {
    if (operatorMetricName(vertex.model.operators[operator].name) !== operatorName) continue;
    const view = { vertex, subtask, operator };
    const found = operatorMetrics(vertex, operator).byName.get(rest) ?? operatorNamesOf(dynamicOperatorMetrics(view)).find((each) => each.name === rest);
    const value = found ? restValue(found, view) : null;
    if (value !== null) return value;
  }
  if (operatorName !== 'latency') return null;
  const marker = latencyMetrics(task).flatMap(restNames).find((each) => each.name === name);
  return marker ? restValue(marker, task) : null;
}

/**
 * Reads the metric of a name, looked up once, off any subtask of a vertex (see restNumber); null where subtasks have to be looked at one by one.
 */
export function numberReader(vertex: VertexView, name: string): ((task: TaskView) => number | null | undefined) | null {
  const own = taskMetrics(vertex).byName.get(name);
  if (own) return (task) => restNumber(own, task);
  const point = name.indexOf('.');
  const named = vertex.model.operators.flatMap((model, operator) => (operatorMetricName(model.name) === name.slice(0, point) ? [operator] : []));
  const found = named.length === 1 ? operatorMetrics(vertex, named[0]).byName.get(name.slice(point + 1)) : undefined;
  return found ? (task) => restNumber(found, { ...task, operator: named[0] }) : null;
}

/** Names that every subtask of a vertex has, and the same for all; what a subtask has beside them depends on it. */
export function hasUniformNames(vertex: VertexView): boolean {
  return vertex.model.operators.every((operator) => operator.source === null || operator.source.legacy) && vertex.kafka === null && vertex.latencyStats.length === 0;
}

const operatorNamesOf = (metrics: readonly Metric<OperatorView>[]): MetricName<OperatorView>[] => metrics.flatMap(restNames);

function operatorNames(view: OperatorView): MetricName<OperatorView>[] {
  return [...operatorMetrics(view.vertex, view.operator).names, ...operatorNamesOf(dynamicOperatorMetrics(view))];
}

function isRegistered<View>(each: MetricName<View>, view: View): boolean {
  return !each.metric.optional || each.metric.value(view) !== null;
}

/** Histograms of latency markers, of each operator that has got one. */
export function latencyMetrics(task: TaskView): Metric<TaskView>[] {
  const { vertex, subtask } = task;
  return vertex.latencyStats.flatMap((stats) =>
    markersReceived(task, stats) === 0
      ? []
      : vertex.model.operators
          .filter((operator) => stats.paths.some(({ operatorId }) => operatorId !== operator.id))
          .flatMap((operator) => {
            const group = metricGroup('latency', ...stats.groups, ['operator_id', operator.id], ['operator_subtask_index', String(subtask)]);
            return LATENCY_METRICS.map((row) => createMetric<TaskView>(row, (each) => markerLatency(each, stats), group));
          }),
  );
}
