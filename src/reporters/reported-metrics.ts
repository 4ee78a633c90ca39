import { enumerateMetrics, type MetricScope, type ReportedMetric, type ScopeMetrics } from '../simulation/metrics/index.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { MetricFilter } from './metric-filter.js';

/** Id of the job manager's process among the reporting ones; a task manager's is its resource id. */
export const JOB_MANAGER = 'jobmanager';

export function processOf({ variables }: ScopeMetrics): string {
  return variables['tm_id'] ?? JOB_MANAGER;
}

/** Processes that have reporters now. */
export function reportingProcesses(state: SimulationState): string[] {
  return [JOB_MANAGER, ...[...state.taskManagers.values()].filter(({ status }) => status === 'REGISTERED').map(({ id }) => id)];
}

/** What does not change about a metric: its name in its group, and the group. */
export interface MetricDescriptor {
  /** Without the groups: `numBytesInLocal`. */
  readonly name: string;
  /** Logical scope with points: `taskmanager.job.task.Shuffle.Netty.Input`. */
  readonly scope: string;
  readonly isReported: boolean;
}

function describe(scope: MetricScope, logicalName: string, kind: ReportedMetric['kind'], filter: MetricFilter): MetricDescriptor {
  const end = logicalName.lastIndexOf('.');
  const name = logicalName.slice(end + 1);
  const group = scope.replaceAll('_', '.') + (end < 0 ? '' : `.${logicalName.slice(0, end)}`);
  return { name, scope: group, isReported: filter(name, group, kind) };
}

/** Descriptors by scope and name: they are asked for again and again. */
export class MetricCatalog<Extra = unknown> {
  readonly #byScope = new Map<MetricScope, Map<string, MetricDescriptor & { readonly extra: Extra }>>();

  constructor(
    private readonly filter: MetricFilter,
    private readonly extend: (descriptor: MetricDescriptor, metric: ReportedMetric) => Extra,
  ) {}

  of(scope: MetricScope, metric: ReportedMetric): MetricDescriptor & { readonly extra: Extra } {
    let names = this.#byScope.get(scope);
    if (!names) this.#byScope.set(scope, (names = new Map()));
    let found = names.get(metric.logicalName);
    if (!found) {
      const descriptor = describe(scope, metric.logicalName, metric.kind, this.filter);
      names.set(metric.logicalName, (found = { ...descriptor, extra: this.extend(descriptor, metric) }));
    }
    return found;
  }
}

/** The scopes of one process; null = of all. */
export function* scopesOf(state: SimulationState, process: string | null): Iterable<ScopeMetrics> {
  for (const scope of enumerateMetrics(state)) if (process === null || processOf(scope) === process) yield scope;
}
