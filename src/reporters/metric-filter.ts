import type { MetricKind } from '../versions/metrics/metric-row.js';

/** Whether a metric is reported. `scope` is the logical one, with points: `taskmanager.job.task.Shuffle.Netty.Input`. */
export type MetricFilter = (name: string, scope: string, kind: MetricKind) => boolean;

interface FilterSpec {
  readonly scope: RegExp;
  readonly name: RegExp;
  readonly kinds: ReadonlySet<string> | null;
}

/** `*` stands for any text; a comma separates alternatives. */
function pattern(text: string): RegExp {
  const alternatives = text.split(',').map((each) => each.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*'));
  return new RegExp(`^(?:${alternatives.join('|')})$`);
}

/** `<scope>[:<names>[:<kinds>]]`, as in `taskmanager.job.task:numRecords*,numBytes*:counter`. */
function parseSpec(text: string): FilterSpec {
  const [scope = '*', name = '*', kinds = '*'] = text.split(':');
  return { scope: pattern(scope), name: pattern(name), kinds: kinds === '*' ? null : new Set(kinds.split(',').map((kind) => kind.trim().toLowerCase())) };
}

const parseSpecs = (text: string): FilterSpec[] =>
  text
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(parseSpec);

/** Flink's filter.includes and filter.excludes: lists with semicolons; what is excluded is out, whatever includes it. */
export function metricFilter(includes: string, excludes: string): MetricFilter {
  const included = parseSpecs(includes);
  const excluded = parseSpecs(excludes);
  const matches = (specs: readonly FilterSpec[], name: string, scope: string, kind: MetricKind): boolean => specs.some((spec) => spec.name.test(name) && spec.scope.test(scope) && (spec.kinds === null || spec.kinds.has(kind)));
  return (name, scope, kind) => !matches(excluded, name, scope, kind) && matches(included, name, scope, kind);
}
