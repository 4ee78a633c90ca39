import type { MetricKind, JavaType } from '../../versions/metrics/metric-row.js';
import type { ExecutionStateName } from '../state/job-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';
import { fileMergingMetrics, fileMergingView } from './file-merging-values.js';
import type { Histogram } from './histogram.js';
import type { MetricValue } from './java-text.js';
import { coordinatorMetrics, jobMetrics } from './job-values.js';
import type { Metric } from './metric.js';
import { dynamicOperatorMetrics, operatorMetrics } from './operator-values.js';
import { jobManagerMetrics, taskManagerMetrics, taskManagerViews } from './process-values.js';
import { latencyMetrics } from './task-names.js';
import { taskMetrics } from './task-values.js';
import { vertexView } from './vertex-view.js';

export type MetricScope = 'jobmanager' | 'jobmanager_job' | 'jobmanager_operator' | 'taskmanager' | 'taskmanager_job' | 'taskmanager_job_task' | 'taskmanager_job_task_operator';

/** The metrics of one thing, as a reporter gets them. */
export interface ScopeMetrics {
  readonly scope: MetricScope;
  /** Flink's scope variables without their angle brackets: host, tm_id, job_id, job_name, task_name, … Unsanitised. */
  readonly variables: Readonly<Record<string, string>>;
  readonly metrics: Iterable<ReportedMetric>;
}

export interface ReportedMetric {
  readonly name: string;
  /** The name without the values of its key-value groups, which are in `labels`. */
  readonly logicalName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly kind: MetricKind;
  readonly type: JavaType;
  readonly value: MetricValue | Histogram;
}

/** States of an attempt in which its task exists at a task manager, and its metrics with it. */
const DEPLOYED: ReadonlySet<ExecutionStateName> = new Set(['DEPLOYING', 'INITIALIZING', 'RUNNING', 'CANCELING']);

export function isDeployed(state: ExecutionStateName): boolean {
  return DEPLOYED.has(state);
}

/** Every metric that there is now, live, one scope after the other; only what is consumed is computed. */
export function* enumerateMetrics(state: SimulationState): Iterable<ScopeMetrics> {
  const version = versionOf(state);
  const jobManager = { host: state.jobManager.host };
  yield { scope: 'jobmanager', variables: jobManager, metrics: reported(jobManagerMetrics(state), state) };
  const taskManagers = new Map<string, Readonly<Record<string, string>>>();
  for (const view of taskManagerViews(state)) {
    if (view.taskManager.status !== 'REGISTERED') continue;
    const variables = { host: view.taskManager.host, tm_id: view.taskManager.id };
    taskManagers.set(view.taskManager.id, variables);
    yield { scope: 'taskmanager', variables, metrics: reported(taskManagerMetrics(version, view), view) };
  }
  for (const job of state.jobs.values()) {
    if (job.endMs >= 0) continue;
    const ofJob = { job_id: job.id, job_name: job.name };
    yield { scope: 'jobmanager_job', variables: { ...jobManager, ...ofJob }, metrics: reported(jobMetrics(version), { job, atMs: state.nowMs, version }) };
    for (const [id, where] of taskManagers) {
      const files = fileMergingView(state, job, id);
      if (files) yield { scope: 'taskmanager_job', variables: { ...where, ...ofJob }, metrics: reported(fileMergingMetrics(state), files) };
    }
    for (let v = 0; v < job.vertices.length; v++) {
      const vertex = job.vertices[v];
      const ofTask = { task_id: vertex.id, task_name: vertex.model.name };
      const [head] = vertex.model.operators;
      const coordinators = coordinatorMetrics(version, vertex);
      if (coordinators.length > 0) yield { scope: 'jobmanager_operator', variables: { ...jobManager, ...ofJob, ...ofTask, operator_id: head.id, operator_name: head.name }, metrics: reported(coordinators, vertex) };
      const view = vertexView(state, job, v);
      for (const { index, current } of vertex.subtasks) {
        const where = current.taskManagerId === null ? undefined : taskManagers.get(current.taskManagerId);
        if (!where || !isDeployed(current.state)) continue;
        const variables = { ...where, ...ofJob, ...ofTask, task_attempt_id: current.attemptId, task_attempt_num: String(current.attemptNumber), subtask_index: String(index) };
        const task = { vertex: view, subtask: index };
        yield { scope: 'taskmanager_job_task', variables, metrics: reported([...taskMetrics(view).metrics, ...latencyMetrics(task)], task) };
        for (let operator = 0; operator < vertex.model.operators.length; operator++) {
          const model = vertex.model.operators[operator];
          const at = { ...task, operator };
          yield {
            scope: 'taskmanager_job_task_operator',
            variables: { ...variables, operator_id: model.id, operator_name: model.name },
            metrics: reported([...operatorMetrics(view, operator).metrics, ...dynamicOperatorMetrics(at)], at),
          };
        }
      }
    }
  }
}

function* reported<View>(metrics: readonly Metric<View>[], view: View): Iterable<ReportedMetric> {
  for (const metric of metrics) {
    if (metric.optional && metric.value(view) === null) continue;
    yield new LiveMetric(metric, view);
  }
}

/** Its value is computed when it is asked for: reporters with filters leave most alone. */
class LiveMetric<View> implements ReportedMetric {
  constructor(
    private readonly metric: Metric<View>,
    private readonly view: View,
  ) {}

  get name(): string {
    return this.metric.name;
  }

  get logicalName(): string {
    return this.metric.logicalName;
  }

  get labels(): ReportedMetric['labels'] {
    return this.metric.labels;
  }

  get kind(): MetricKind {
    return this.metric.kind;
  }

  get type(): JavaType {
    return this.metric.type;
  }

  get value(): MetricValue | Histogram {
    return this.metric.value(this.view)!;
  }
}
