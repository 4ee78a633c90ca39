/** Says whether a path (without query and without `/v1`) fits a pattern: `:name` and `*` are one part, `**` any number of them. */
export type RouteMatcher = (path: string) => boolean;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export function compileRoute(pattern: string): RouteMatcher {
  const parts = withoutVersion(pattern).split('/').slice(1);
  const source = parts
    .map((part) => {
      if (part === '**') return '(?:/.*)?';
      if (part.startsWith(':') || part === '*') return '/[^/]+';
      return `/${part.split('*').map(escaped).join('[^/]*')}`;
    })
    .join('');
  const expression = new RegExp(`^${source}/?$`);
  return (path) => expression.test(path);
}

/** The path of a request target as patterns are compared with: decoded, without query, without Flink's version prefix. */
export function pathOfTarget(target: string): string {
  const path = target.split(/[?#]/, 1)[0]!;
  let decoded = path;
  if (path.includes('%')) {
    try {
      decoded = decodeURIComponent(path);
    } catch {
      // A bad escape: compared as it came.
    }
  }
  return withoutVersion(decoded);
}

function withoutVersion(path: string): string {
  return path.startsWith('/v1/') ? path.slice('/v1'.length) : path;
}
