import type { Difference } from './compare.js';
import { parseKeepingPoints, WITH_POINT, type RecordedAnswer } from './recording.js';

/**
 * Compares what compareRecordings leaves out: the order of an object's keys, whole numbers against numbers with a point, all headers,
 * the first line of texts. Answers are grouped by step; each of the candidate's has to be one that the reference has.
 */
const IDENTIFIER = /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+|.*:\d+-[0-9a-f]{6})$/;
/** Keys of a Java hash map over an enum, whose order is another in each JVM. */
const ENUM_KEY = /^[A-Z_]+$/;
/** Of the connection, the clock or the content. */
const FREE_HEADERS = new Set(['connection', 'content-length', 'date', 'expires', 'last-modified']);

interface Forms {
  /** By path and the set of keys: the orders in which they came. */
  readonly orders: Map<string, Set<string>>;
  /** By path: `whole`, `point`. */
  readonly numbers: Map<string, Set<string>>;
  readonly headers: Set<string>;
  readonly firstLines: Set<string>;
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

function walk(value: unknown, path: string, forms: Forms): void {
  if (Array.isArray(value)) for (const item of value) walk(item, path.endsWith('.children[]') ? path : `${path}[]`, forms);
  else if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    if (!keys.some((key) => IDENTIFIER.test(key)) && !keys.every((key) => ENUM_KEY.test(key))) add(forms.orders, `${path} ${[...keys].sort().join()}`, keys.join());
    for (const [key, item] of Object.entries(value)) walk(item, `${path}.${IDENTIFIER.test(key) ? '{id}' : key}`, forms);
  } else if (typeof value === 'number') add(forms.numbers, path, 'whole');
  else if (typeof value === 'string' && value.startsWith(WITH_POINT)) add(forms.numbers, path, 'point');
}

function headersOf(answer: RecordedAnswer): string {
  return Object.entries(answer.headers)
    .map(([name, value]) => (FREE_HEADERS.has(name) ? name : `${name}: ${value.replace(/"[^"]*"|=[-\w]+$/g, '…')}`))
    .filter((header) => header !== 'connection')
    .sort()
    .join('\n');
}

/** A line without what differs from run to run. */
function neutralLine(text: string): string {
  return text.split('\n')[0]!.replace(/\b[0-9a-f]{32}\b/g, '<id>').replace(/\d+/g, '<n>').slice(0, 200);
}

function formsByStep(records: readonly RecordedAnswer[], jsonOf: (answer: RecordedAnswer) => unknown): Map<string, Forms> {
  const groups = new Map<string, Forms>();
  for (const record of records) {
    let forms = groups.get(record.name);
    if (!forms) groups.set(record.name, (forms = { orders: new Map(), numbers: new Map(), headers: new Set(), firstLines: new Set() }));
    forms.headers.add(`${record.status}\n${headersOf(record)}`);
    if ('json' in record) walk(jsonOf(record), '', forms);
    else forms.firstLines.add(neutralLine(record.text ?? ''));
  }
  return groups;
}

function unlike(reference: ReadonlyMap<string, ReadonlySet<string>>, candidate: ReadonlyMap<string, ReadonlySet<string>>, what: string): string[] {
  const reasons: string[] = [];
  for (const [key, values] of candidate) {
    const known = reference.get(key);
    const others = known ? [...values].filter((value) => !known.has(value)) : [];
    if (others.length > 0) reasons.push(`${what} ${key.split(' ')[0]!}: ${others[0]!}, not ${[...known!][0]!}`);
  }
  return reasons;
}

/** `reference` is read with loadRecordingKeepingPoints. */
export function compareForms(reference: readonly RecordedAnswer[], candidate: readonly RecordedAnswer[]): Difference[] {
  const got = formsByStep(candidate, ({ body }) => parseKeepingPoints(body ?? 'null'));
  const found: Difference[] = [];
  for (const [step, forms] of formsByStep(reference, ({ json }) => json)) {
    const answer = got.get(step);
    if (!answer) continue;
    const reasons = [...unlike(forms.orders, answer.orders, 'keys of'), ...unlike(forms.numbers, answer.numbers, 'number at')];
    reasons.push(...unlike(new Map([['', forms.headers]]), new Map([['', answer.headers]]), 'headers'), ...unlike(new Map([['', forms.firstLines]]), new Map([['', answer.firstLines]]), 'first line'));
    if (reasons.length > 0) found.push({ step, reasons });
  }
  return found;
}
