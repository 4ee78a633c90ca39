import { addKind, collectKinds, isMetricList, kindsFit, metricDifferences, parentOf, plainContentType, stableMetricNames, type Kinds } from '../../src/verify/answer-shape.js';
import type { RecordedAnswer } from './recording.js';

/**
 * Compares two runs of the recorded script answer by answer. Answers are grouped by the step that asked; two groups are alike when status
 * codes and content types are the same, the bodies have the same keys with the same kinds of values, words of the protocol (states,
 * levels, error texts …) are the same and metric lists name the same metrics. Numbers, times, ids and stack traces below the first
 * line may differ.
 */
export interface Difference {
  readonly step: string;
  readonly reasons: readonly string[];
}

const HEX_ID = /\b[0-9a-f]{32}\b/g;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Keys whose values are words of the protocol. */
const WORD_KEYS = new Set([
  'status', 'state', 'backpressure-level', 'backpressureLevel', 'className', 'checkpoint_type', 'mode', 'state_backend', 'failure_message', 'savepointFormat',
  'type', 'ship_strategy', 'local_strategy', 'exchange', 'job-type', 'jobType', 'pending-operators', 'execution-mode', 'restart-strategy', 'feature',
]);
/** Steps that race with the cluster: only the keys of the outermost object count. */
const RACING_STEPS = /just submitted|just after submit|checkpoints early|cancelling|first poll|first GET/;
/** A job's end may or may not catch a checkpoint in flight; job D ends before its first interval is over or just after. */
const RACING_PATHS: readonly (readonly [step: RegExp, path: RegExp])[] = [
  [/^\[(D|failed|finished|canceled)\] \/jobs\/:jobid\/checkpoints/, /^\.latest\.failed|\.failure_/],
  [/^\[(D|failed)\] \/jobs\/:jobid\/checkpoints$/, /^\.latest\.(completed|restored)|^\.history\[\]/],
];
/** A checkpoint that still runs in one recording may be complete in the other. */
const PROGRESS_WORDS = new Set(['IN_PROGRESS', 'COMPLETED', 'in_progress', 'completed', 'pending', 'pending_or_failed']);
/** A flame graph may be its root alone. */
const FLAME_GRAPH_CHILDREN = '.data.children[]';

function neutral(text: string): string {
  return text
    .replace(HEX_ID, '<id>')
    .replace(UUID, '<uuid>')
    .replace(/\b(localhost|[\w.-]+):\d+-[0-9a-f]{6}\b/g, '<tm>')
    .replace(/\/[\w./-]*\/(flink-web-upload|upload|savepoint|checkpoints?)[\w./<>-]*/g, '<path>')
    .replace(/0x[0-9a-f]+|@[0-9a-f]{5,}/g, '<addr>')
    .replace(/\d+/g, '<n>');
}

interface Group {
  readonly name: string;
  readonly statuses: Set<string>;
  readonly contentTypes: Set<string>;
  readonly shape: Kinds;
  readonly words: Kinds;
  readonly metrics: Set<string>;
  texts: number;
}

/** Words of the protocol among the texts. */
function addWord(group: Group, path: string, text: string): void {
  const last = path.slice(path.lastIndexOf('.') + 1).replace(/[[\]]+$/, '');
  if (WORD_KEYS.has(last) || (last === 'id' && /[A-Z]/.test(text) && text === text.toUpperCase())) addKind(group.words, path, neutral(text));
  if (path.startsWith('.errors')) {
    const first = text.startsWith('<Exception') ? text.split('\n').slice(0, 2).join('\n') : text.trim().split('\n')[0]!;
    addKind(group.words, path, neutral(first).slice(0, 300));
  }
}

function groupByStep(records: readonly RecordedAnswer[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const record of records) {
    let group = groups.get(record.name);
    if (!group) {
      group = { name: record.name, statuses: new Set(), contentTypes: new Set(), shape: new Map(), words: new Map(), metrics: new Set(), texts: 0 };
      groups.set(record.name, group);
    }
    group.statuses.add(String(record.status));
    const { shape } = group;
    group.contentTypes.add(plainContentType(record.headers['content-type']));
    if (!('json' in record)) group.texts++;
    else if (isMetricList(record.json)) for (const name of stableMetricNames(record.json)) group.metrics.add(name);
    else collectKinds(record.json, '', shape, (path, text) => addWord(group, path, text));
  }
  return groups;
}

const sorted = (values: Iterable<string>) => JSON.stringify([...values].sort());
const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && [...a].every((item) => b.has(item));

function looseDifferences(reference: Group, candidate: Group): string[] {
  const top = (group: Group) => new Set([...group.shape.keys()].filter((path) => path.split('.').length <= 2 && !path.includes('[')));
  const [want, got] = [top(reference), top(candidate)];
  return [...[...want].filter((path) => !got.has(path)).map((path) => `missing ${path}`), ...[...got].filter((path) => !want.has(path)).map((path) => `extra ${path}`)];
}

function withoutRacing(group: Group): Group {
  const racing = RACING_PATHS.filter(([step]) => step.test(group.name)).map(([, path]) => path);
  if (racing.length === 0) return group;
  const keep = (map: Kinds) => new Map([...map].filter(([path]) => !racing.some((pattern) => pattern.test(path))));
  return { ...group, shape: keep(group.shape), words: keep(group.words) };
}

function differences(referenceGroup: Group, candidateGroup: Group): string[] {
  const loose = RACING_STEPS.test(referenceGroup.name);
  if (loose) return looseDifferences(referenceGroup, candidateGroup);
  const [reference, candidate] = [withoutRacing(referenceGroup), withoutRacing(candidateGroup)];
  if (!sameSet(reference.statuses, candidate.statuses)) return [`status ${sorted(candidate.statuses)}, not ${sorted(reference.statuses)}`];
  const reasons: string[] = [];
  if (!sameSet(reference.contentTypes, candidate.contentTypes)) reasons.push(`content-type ${sorted(candidate.contentTypes)}, not ${sorted(reference.contentTypes)}`);
  if (reference.texts > 0 !== candidate.texts > 0) reasons.push(candidate.texts > 0 ? 'text where JSON was expected' : 'JSON where text was expected');
  for (const [path, kinds] of reference.shape) {
    if (path === FLAME_GRAPH_CHILDREN) continue;
    const got = candidate.shape.get(path);
    if (got === undefined) {
      const parent = parentOf(path);
      // what is below an empty list or a null is reported once, at the parent
      if (parent === '' || candidate.shape.has(parent)) reasons.push(`missing ${path}`);
    } else if (!kindsFit(kinds, got)) reasons.push(`${path} is ${sorted(got)}, not ${sorted(kinds)}`);
  }
  for (const path of candidate.shape.keys()) {
    // elements of a list that is always empty in the reference say nothing
    if (!reference.shape.has(path) && !path.endsWith('[]') && reference.shape.has(parentOf(path))) reasons.push(`extra ${path}`);
  }
  for (const [path, words] of reference.words) {
    const tolerated = reference.name.includes('checkpoints') && path !== '.status.id' ? PROGRESS_WORDS : new Set<string>();
    const wrong = [...(candidate.words.get(path) ?? [])].filter((word) => !tolerated.has(word) && !words.has(word));
    if (wrong.length > 0) reasons.push(`${path} says ${JSON.stringify(wrong.slice(0, 2))}, not ${JSON.stringify([...words].slice(0, 2))}`);
  }
  if (reference.metrics.size > 0) reasons.push(...metricDifferences(reference.metrics, candidate.metrics));
  return reasons;
}

/** Pages of metric values: their names are checked on the list itself. */
function isPageOfValues(step: string): boolean {
  return step.includes('?get') && !step.includes('agg') && !step.includes('get=');
}

/** Steps of the reference that the candidate answered otherwise, and how many there are in all. */
export function compareRecordings(reference: readonly RecordedAnswer[], candidate: readonly RecordedAnswer[]): { total: number; differences: Difference[] } {
  const got = groupByStep(candidate);
  const found: Difference[] = [];
  let total = 0;
  for (const [name, group] of groupByStep(reference)) {
    if (isPageOfValues(name)) continue;
    total++;
    const answer = got.get(name);
    const reasons = answer ? differences(group, answer) : ['not answered'];
    if (reasons.length > 0) found.push({ step: name, reasons });
  }
  return { total, differences: found };
}
