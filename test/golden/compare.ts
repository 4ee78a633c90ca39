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
const NUMERIC = /^-?\d+(\.\d+)?(E-?\d+)?$/;
const ID_KEY = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+|.*:\d+-[0-9a-f]{6})$/;
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
/** Names that depend on the JVM or on when the first sample was taken. */
const VOLATILE_METRIC = /GarbageCollector|^Status\.JVM\.(Memory|CPU)|mailbox/;
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

type Kinds = Map<string, Set<string>>;

interface Group {
  readonly name: string;
  readonly statuses: Set<string>;
  readonly contentTypes: Set<string>;
  readonly shape: Kinds;
  readonly words: Kinds;
  readonly metrics: Set<string>;
  texts: number;
}

function add(map: Kinds, path: string, value: string): void {
  const set = map.get(path);
  if (set) set.add(value);
  else map.set(path, new Set([value]));
}

function walk(value: unknown, path: string, group: Group): void {
  const inTree = path.endsWith('.children[]');
  if (value === null) add(group.shape, path, 'null');
  else if (Array.isArray(value)) {
    add(group.shape, path, 'array');
    for (const item of value) walk(item, inTree ? path : `${path}[]`, group);
  } else if (typeof value === 'object') {
    add(group.shape, path, 'object');
    for (const [key, item] of Object.entries(value as Record<string, unknown>)) {
      const step = `.${ID_KEY.test(key) ? '{id}' : key}`;
      walk(item, step === '.children' && inTree ? path : path + step, group);
    }
  } else if (typeof value === 'string') {
    add(group.shape, path, value === 'NaN' ? '"NaN"' : NUMERIC.test(value) ? 'numeric string' : 'string');
    const last = path.slice(path.lastIndexOf('.') + 1).replace(/[[\]]+$/, '');
    if (WORD_KEYS.has(last) || (last === 'id' && /[A-Z]/.test(value) && value === value.toUpperCase())) add(group.words, path, neutral(value));
    if (path.startsWith('.errors')) {
      const first = value.startsWith('<Exception') ? value.split('\n').slice(0, 2).join('\n') : value.trim().split('\n')[0]!;
      add(group.words, path, neutral(first).slice(0, 300));
    }
  } else add(group.shape, path, typeof value);
}

function isMetricList(body: unknown): body is { id: string }[] {
  return Array.isArray(body) && body.length > 0 && body.every((item) => typeof item === 'object' && item !== null && Object.keys(item).join() === 'id');
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
    group.contentTypes.add((record.headers['content-type'] ?? '').toLowerCase().replaceAll(' ', ''));
    if (!('json' in record)) group.texts++;
    else if (isMetricList(record.json)) {
      for (const { id } of record.json) if (!VOLATILE_METRIC.test(id)) group.metrics.add(id.replace(/^\d+\./, '<n>.'));
    } else walk(record.json, '', group);
  }
  return groups;
}

function kindsFit(reference: ReadonlySet<string>, candidate: ReadonlySet<string>): boolean {
  const extra = [...candidate].filter((kind) => !reference.has(kind));
  const tolerated = (kinds: readonly string[]) => extra.every((kind) => kinds.includes(kind)) && kinds.some((kind) => reference.has(kind));
  return extra.length === 0 || tolerated(['"NaN"', 'number']) || tolerated(['numeric string', 'string']);
}

const sorted = (values: Iterable<string>) => JSON.stringify([...values].sort());
const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && [...a].every((item) => b.has(item));
const parentOf = (path: string) => path.slice(0, path.lastIndexOf('.'));

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
  if (reference.metrics.size > 0) {
    const missing = [...reference.metrics].filter((id) => !candidate.metrics.has(id));
    const extra = [...candidate.metrics].filter((id) => !reference.metrics.has(id));
    if (missing.length > 0) reasons.push(`${missing.length} of ${reference.metrics.size} metrics missing: ${missing.slice(0, 4).join(' ')}`);
    if (extra.length > 0) reasons.push(`${extra.length} metrics too many: ${extra.slice(0, 4).join(' ')}`);
  }
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
