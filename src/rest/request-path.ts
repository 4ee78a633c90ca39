/**
 * What Flink's router makes of a request target: query cut off, percent-decoded, slashes stripped at both ends (not inside).
 * The result starts with one slash.
 */
export function routedPath(target: string): string {
  const question = target.indexOf('?');
  const raw = question < 0 ? target : target.slice(0, question);
  return '/' + stripSlashes(decodePath(raw));
}

/** Decodes percent escapes as UTF-8; what is no escape stays as it is, invalid UTF-8 becomes U+FFFD. */
export function decodePath(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

export function stripSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 47) start++;
  while (end > start && text.charCodeAt(end - 1) === 47) end--;
  return text.slice(start, end);
}

/** Targets that the route table can look up as they are. */
const PLAIN_TARGET = /^(?:\/[^/%?#;]+)+(?:\?|$)/;

/** A segment that no route has, for paths that must not match although the route table would think so. */
export const NO_ROUTE = '/%00no-route';

/**
 * The target as the route table is to see it: same meaning for Flink, but each segment encoded so that it can hold a slash-free text only.
 * Paths with an empty segment inside never match a route in Flink.
 */
export function canonicalTarget(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  const question = target.indexOf('?');
  const query = question < 0 ? '' : target.slice(question);
  const path = routedPath(target);
  if (path.includes('//')) return NO_ROUTE + query;
  return path.split('/').map(encodeURIComponent).join('/') + query;
}
