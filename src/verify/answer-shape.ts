/** The shape of JSON answers: which keys there are, and of what kind their values. */

/** By path: the kinds of values seen there, or words. */
export type Kinds = Map<string, Set<string>>;

const NUMERIC = /^-?\d+(\.\d+)?(E-?\d+)?$/;
const ID_KEY = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+|.*:\d+-[0-9a-f]{6})$/;
/** Names that depend on the JVM or on when the first sample was taken. */
const VOLATILE_METRIC = /GarbageCollector|^Status\.JVM\.(Memory|CPU)|mailbox/;

export function addKind(kinds: Kinds, path: string, kind: string): void {
  const set = kinds.get(path);
  if (set) set.add(kind);
  else kinds.set(path, new Set([kind]));
}

/** Sees each value of an answer with its path; keys that are ids are one, `{id}`; `onText` sees texts besides. */
export function collectKinds(value: unknown, path: string, kinds: Kinds, onText: (path: string, text: string) => void = () => undefined): void {
  // A flame graph is as deep as the stacks were: all its levels are one.
  const inTree = path.endsWith('.children[]');
  if (value === null) addKind(kinds, path, 'null');
  else if (Array.isArray(value)) {
    addKind(kinds, path, 'array');
    for (const item of value) collectKinds(item, inTree ? path : `${path}[]`, kinds, onText);
  } else if (typeof value === 'object') {
    addKind(kinds, path, 'object');
    for (const [key, item] of Object.entries(value as Record<string, unknown>)) {
      const step = `.${ID_KEY.test(key) ? '{id}' : key}`;
      collectKinds(item, step === '.children' && inTree ? path : path + step, kinds, onText);
    }
  } else if (typeof value === 'string') {
    addKind(kinds, path, value === 'NaN' ? '"NaN"' : NUMERIC.test(value) ? 'numeric string' : 'string');
    onText(path, value);
  } else addKind(kinds, path, typeof value);
}

/** True when each kind of the candidate is one that the reference has, or one that stands for it. */
export function kindsFit(reference: ReadonlySet<string>, candidate: ReadonlySet<string>): boolean {
  const extra = [...candidate].filter((kind) => !reference.has(kind));
  const tolerated = (kinds: readonly string[]): boolean => extra.every((kind) => kinds.includes(kind)) && kinds.some((kind) => reference.has(kind));
  return extra.length === 0 || tolerated(['"NaN"', 'number']) || tolerated(['numeric string', 'string']);
}

/** The path of the object or list that a path is in. */
export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.'));
}

/** A list of metric names, without values. */
export function isMetricList(body: unknown): body is { id: string }[] {
  return Array.isArray(body) && body.length > 0 && body.every((item) => typeof item === 'object' && item !== null && Object.keys(item).join() === 'id');
}

/** Names of a metric list that do not depend on the process; subtasks are one, `<n>`. */
export function stableMetricNames(list: readonly { id: string }[]): string[] {
  return list.filter(({ id }) => !VOLATILE_METRIC.test(id)).map(({ id }) => id.replace(/^\d+\./, '<n>.'));
}

/** What one list of metrics has and the other has not. */
export function metricDifferences(reference: ReadonlySet<string>, candidate: ReadonlySet<string>): string[] {
  const reasons: string[] = [];
  const missing = [...reference].filter((id) => !candidate.has(id));
  const extra = [...candidate].filter((id) => !reference.has(id));
  if (missing.length > 0) reasons.push(`${missing.length} of ${reference.size} metrics missing: ${missing.slice(0, 4).join(' ')}`);
  if (extra.length > 0) reasons.push(`${extra.length} metrics too many: ${extra.slice(0, 4).join(' ')}`);
  return reasons;
}

/** Content types as they are compared: without blanks, in small letters. */
export function plainContentType(contentType: string | null | undefined): string {
  return (contentType ?? '').toLowerCase().replaceAll(' ', '');
}
