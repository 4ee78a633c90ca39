/** A request target that Netty's QueryStringDecoder cannot decode. */
export class MalformedTargetError extends Error {}

const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;

/** Decodes `+` and percent escapes between two indexes of a target, as UTF-8; invalid UTF-8 becomes U+FFFD, a bad escape is an error. */
export function decodeComponent(target: string, from: number, to: number): string {
  const text = target.slice(from, to).replaceAll('+', ' ');
  if (!text.includes('%')) return text;
  const bad = BAD_ESCAPE.exec(text);
  if (bad) {
    const at = from + bad.index;
    if (at + 3 > to) throw new MalformedTargetError(`unterminated escape sequence at index ${at} of: ${target}`);
    throw new MalformedTargetError(`invalid hex byte '${target.slice(at + 1, at + 3)}' at index ${at + 1} of '${target}'`);
  }
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function pathEnd(target: string): number {
  const end = target.search(/[?#]/);
  return end < 0 ? target.length : end;
}

/** The decoded path of a target, slashes and all. */
export function decodedPath(target: string): string {
  return decodeComponent(target, 0, pathEnd(target));
}

/** The parameters of a target's query by key, in order; `;` separates like `&`, what follows `#` is no part of it. */
export function queryParameters(target: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  const start = pathEnd(target);
  if (target[start] !== '?') return parameters;
  const hash = target.indexOf('#', start);
  const end = hash < 0 ? target.length : hash;
  for (let from = start + 1; from < end; ) {
    let to = from;
    while (to < end && target[to] !== '&' && target[to] !== ';') to++;
    const equals = target.indexOf('=', from);
    const keyEnd = equals < 0 || equals > to ? to : equals;
    if (keyEnd > from) {
      const key = decodeComponent(target, from, keyEnd);
      const value = keyEnd < to ? decodeComponent(target, keyEnd + 1, to) : '';
      const values = parameters.get(key);
      if (values) values.push(value);
      else parameters.set(key, [value]);
    }
    from = to + 1;
  }
  return parameters;
}

/** Whether a target is a path or what is below it. */
export function isBelow(target: string, path: string): boolean {
  return target.startsWith(path) && (target.length === path.length || '/?'.includes(target[path.length]!));
}

/** Targets that the route table can look up as they are. */
const PLAIN_TARGET = /^(?:\/[\w.@$:-]+)+(?:\?|$)/;

/** A path that no route has. */
export const NO_ROUTE = '/%00';

/**
 * The target as the route table is to see it. For Flink slashes at both ends mean nothing, an escaped slash is a slash, and a path with an
 * empty segment inside matches no route.
 */
export function canonicalTarget(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  let path: string;
  try {
    path = decodedPath(target);
  } catch {
    return NO_ROUTE;
  }
  const inner = path.replace(/^\/+|\/+$/g, '');
  if (inner === '' || inner.includes('//')) return NO_ROUTE;
  return '/' + inner.split('/').map(encodeURIComponent).join('/');
}

/** The target, with its escapes taken for plain text where they cannot be decoded, so that any router can read it. */
export function readableTarget(target: string): string {
  if (!target.includes('%')) return target;
  try {
    decodeURIComponent(target);
    return target;
  } catch {
    return target.replaceAll('%', '%25');
  }
}
