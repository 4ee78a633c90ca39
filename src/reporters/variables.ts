/**
 * Reporters show a metric's variables in the order of a Java HashMap over their names in angle brackets. Names that share a bucket keep
 * the order in which groups are asked, innermost first.
 */
const INNERMOST_FIRST = ['operator_id', 'operator_name', 'task_id', 'task_attempt_id', 'task_name', 'task_attempt_num', 'subtask_index', 'job_id', 'job_name', 'tm_id', 'host'];

function javaHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash ^ (hash >>> 16);
}

/** Names in the order in which a HashMap that they were put into one by one lists them. */
function hashMapOrder(names: readonly string[]): string[] {
  let capacity = 16;
  while (names.length > capacity * 0.75) capacity *= 2;
  const buckets: string[][] = Array.from({ length: capacity }, () => []);
  for (const name of names) buckets[javaHash(`<${name}>`) & (capacity - 1)].push(name);
  return buckets.flat();
}

const ORDERS = new Map<string, readonly string[]>();

function orderOf(scopeNames: readonly string[], labelNames: readonly string[]): readonly string[] {
  const key = `${scopeNames.join()}/${labelNames.join()}`;
  let order = ORDERS.get(key);
  if (!order) {
    const own = [...labelNames].reverse();
    const inherited = [...scopeNames].sort((a, b) => INNERMOST_FIRST.indexOf(a) - INNERMOST_FIRST.indexOf(b));
    ORDERS.set(key, (order = hashMapOrder([...own, ...inherited])));
  }
  return order;
}

export type Variables = readonly (readonly [name: string, value: string])[];

/** All variables of a metric, in Flink's order. */
export function orderedVariables(scope: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>, excluded: ReadonlySet<string>): Variables {
  const kept = (record: Readonly<Record<string, string>>): string[] => Object.keys(record).filter((name) => !excluded.has(name));
  return orderOf(kept(scope), kept(labels)).map((name) => [name, labels[name] ?? scope[name]] as const);
}
