import type { MetricScope, ScopeMetrics } from '../simulation/metrics/index.js';
import { findOption } from '../simulation/options.js';

/** Options of the scope formats by scope, their defaults, and whose format a leading `*` stands for. */
const FORMATS: Readonly<Record<MetricScope, { readonly keys: readonly string[]; readonly format: string; readonly parent: MetricScope | null }>> = {
  jobmanager: { keys: ['metrics.scope.jm'], format: '<host>.jobmanager', parent: null },
  jobmanager_job: { keys: ['metrics.scope.jm-job', 'metrics.scope.jm.job'], format: '<host>.jobmanager.<job_name>', parent: 'jobmanager' },
  jobmanager_operator: { keys: ['metrics.scope.jm-operator'], format: '<host>.jobmanager.<job_name>.<operator_name>', parent: 'jobmanager_job' },
  taskmanager: { keys: ['metrics.scope.tm'], format: '<host>.taskmanager.<tm_id>', parent: null },
  taskmanager_job: { keys: ['metrics.scope.tm-job', 'metrics.scope.tm.job'], format: '<host>.taskmanager.<tm_id>.<job_name>', parent: 'taskmanager' },
  taskmanager_job_task: { keys: ['metrics.scope.task'], format: '<host>.taskmanager.<tm_id>.<job_name>.<task_name>.<subtask_index>', parent: 'taskmanager_job' },
  taskmanager_job_task_operator: { keys: ['metrics.scope.operator'], format: '<host>.taskmanager.<tm_id>.<job_name>.<operator_name>.<subtask_index>', parent: 'taskmanager_job_task' },
};

type Options = Readonly<Record<string, string>>;

function formatOf(scope: MetricScope, options: Options): string[] {
  const { keys, format, parent } = FORMATS[scope];
  const parts = (findOption(options, ...keys) ?? format).split('.');
  return parts[0] === '*' && parent !== null ? [...formatOf(parent, options), ...parts.slice(1)] : parts;
}

/** How a reporter changes characters of a part of an identifier that it cannot have there. */
export type CharacterFilter = (text: string) => string;
export const NO_FILTER: CharacterFilter = (text) => text;

/** Makes metric identifiers out of Flink's scope formats (`metrics.scope.…`). */
export class Identifiers {
  readonly #formats = new Map<MetricScope, readonly string[]>();

  constructor(
    private readonly options: Options,
    private readonly delimiter: string,
    private readonly filter: CharacterFilter,
  ) {}

  /** What the identifiers of a scope's metrics begin with, the delimiter at its end. */
  prefixOf({ scope, variables }: ScopeMetrics): string {
    let format = this.#formats.get(scope);
    if (!format) this.#formats.set(scope, (format = formatOf(scope, this.options)));
    return format.map((part) => this.filter(/^<.*>$/.test(part) ? (variables[part.slice(1, -1)] ?? part) : part) + this.delimiter).join('');
  }

  /** A metric's name with its groups, as the end of an identifier. */
  nameOf(name: string): string {
    return name.split('.').map(this.filter).join(this.delimiter);
  }
}
