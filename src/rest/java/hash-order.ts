/**
 * The order in which Java's hash tables give their entries back: it can be seen in answers that come out of a HashMap or HashSet
 * (the configuration, applications, metric names), and it is the same in every run because String.hashCode is.
 */

/** String.hashCode */
export function stringHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

/** AbstractID.hashCode of an id given as 32 hex digits (JobID, TriggerId, ApplicationID, …). */
export function abstractIdHash(hexId: string): number {
  let hash = 0;
  for (let i = 0; i < 32; i += 8) hash ^= Number.parseInt(hexId.slice(i, i + 8), 16);
  return hash | 0;
}

/** Objects.hash */
export function objectsHash(...hashes: number[]): number {
  let result = 1;
  for (const hash of hashes) result = (Math.imul(31, result) + hash) | 0;
  return result;
}

function ordered<T>(items: readonly T[], hashOf: (item: T) => number, capacity: number): T[] {
  const bucket = (item: T) => {
    const hash = hashOf(item);
    return (hash ^ (hash >>> 16)) & (capacity - 1);
  };
  return items.map((item, index) => [bucket(item), index, item] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , item]) => item);
}

/** Order of a HashMap that the items were put into one by one. */
export function hashMapOrder<T>(items: readonly T[], hashOf: (item: T) => number): T[] {
  let capacity = 16;
  while (items.length > capacity * 0.75) capacity *= 2;
  return ordered(items, hashOf, capacity);
}

/** Order of `new HashSet<>(collection)`, whose table is sized for the collection. */
export function hashSetCopyOrder<T>(items: readonly T[], hashOf: (item: T) => number): T[] {
  const wanted = Math.max(Math.trunc(items.length / 0.75) + 1, 16);
  let capacity = 16;
  while (capacity < wanted) capacity *= 2;
  return ordered(items, hashOf, capacity);
}
