import type { Answer } from '../recorder/rest-client.js';
import type { RestSpec } from '../versions/rest-spec.js';
import { collectKinds, isMetricList, kindsFit, metricDifferences, parentOf, plainContentType, stableMetricNames, type Kinds } from './answer-shape.js';
import { typeAt } from './known-types.js';
import type { StepAnswers } from './sweep.js';

/** How the answers to a step compare. */
export interface StepComparison {
  readonly step: string;
  readonly differences: readonly string[];
  /** What could not be compared, for it was there on one side only at that time. */
  readonly notCompared: readonly string[];
}

interface Seen {
  readonly statuses: Set<string>;
  readonly contentTypes: Set<string>;
  readonly kinds: Kinds;
  readonly metrics: Set<string>;
  json: number;
  texts: number;
}

function look(answers: readonly Answer[]): Seen {
  const seen: Seen = { statuses: new Set(), contentTypes: new Set(), kinds: new Map(), metrics: new Set(), json: 0, texts: 0 };
  for (const { status, contentType, body } of answers) {
    seen.statuses.add(String(status));
    seen.contentTypes.add(plainContentType(contentType));
    try {
      const json = JSON.parse(body) as unknown;
      seen.json++;
      if (isMetricList(json)) for (const name of stableMetricNames(json)) seen.metrics.add(name);
      else collectKinds(json, '', seen.kinds);
    } catch {
      seen.texts++;
    }
  }
  return seen;
}

const list = (values: Iterable<string>): string => [...values].sort().join(', ') || 'none';
const same = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && [...a].every((item) => b.has(item));
const isOnlyNull = (kinds: ReadonlySet<string>): boolean => kinds.size === 1 && kinds.has('null');
const shown = (path: string): string => path || 'the answer';

/** Goes through the paths that one side has and the other has not. */
function compareKeys(has: Kinds, hasNot: Kinds, what: string, mayBeAbsent: (path: string) => boolean, result: { differences: string[]; notCompared: string[] }): void {
  for (const path of has.keys()) {
    if (hasNot.has(path) || path === '') continue;
    const isItem = path.endsWith('[]');
    const parent = isItem ? path.slice(0, -2) : parentOf(path);
    const around = hasNot.get(parent);
    // What is below something that is missing itself is told once, there.
    if (around === undefined) continue;
    if (isItem) result.notCompared.push(`${shown(parent)}: an empty list on one side`);
    else if (!around.has('object') || mayBeAbsent(path)) result.notCompared.push(`${path}: on one side only`);
    else result.differences.push(`${what} ${path}`);
  }
}

/** Compares mock-flink's answers to a step with the real cluster's. */
export function compareStep(real: StepAnswers, ours: StepAnswers, spec: RestSpec): StepComparison {
  const { step, endpoint } = real;
  const differences: string[] = [];
  const notCompared: string[] = [];
  if (real.answers.length === 0 || ours.answers.length === 0) {
    return { step, differences, notCompared: [real.answers.length === ours.answers.length ? 'nothing there to ask about' : `nothing there to ask about in ${real.answers.length === 0 ? 'the cluster' : 'mock-flink'}`] };
  }
  const [want, got] = [look(real.answers), look(ours.answers)];
  if (!same(want.statuses, got.statuses)) return { step, differences: [`status ${list(got.statuses)}, not ${list(want.statuses)}`], notCompared };
  if (!same(want.contentTypes, got.contentTypes)) differences.push(`content type ${list(got.contentTypes)}, not ${list(want.contentTypes)}`);
  if (want.json > 0 !== got.json > 0) differences.push(got.json > 0 ? 'JSON where the cluster has text' : 'text where the cluster has JSON');
  const typeOf = (path: string) => (endpoint.response === null ? null : typeAt(spec, endpoint.response, path));
  const mayBeAbsent = (path: string): boolean => typeOf(path)?.mayBeAbsent === true || typeOf(parentOf(path))?.hasFreeKeys === true;
  compareKeys(want.kinds, got.kinds, 'missing field', mayBeAbsent, { differences, notCompared });
  compareKeys(got.kinds, want.kinds, 'extra field', mayBeAbsent, { differences, notCompared });
  for (const [path, kinds] of want.kinds) {
    const ourKinds = got.kinds.get(path);
    if (ourKinds === undefined || kindsFit(kinds, ourKinds) || kindsFit(ourKinds, kinds)) continue;
    const oneIsNull = isOnlyNull(kinds) || isOnlyNull(ourKinds);
    if (oneIsNull && typeOf(path)?.mayBeNull !== false) notCompared.push(`${shown(path)}: null on one side`);
    else differences.push(`${shown(path)} is ${list(ourKinds)}, not ${list(kinds)}`);
  }
  if (want.metrics.size > 0 && got.metrics.size > 0) differences.push(...metricDifferences(want.metrics, got.metrics));
  else if (want.metrics.size !== got.metrics.size) notCompared.push('metrics: an empty list on one side');
  return { step, differences, notCompared: [...new Set(notCompared)] };
}
