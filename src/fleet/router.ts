import type { IncomingMessage } from 'node:http';
import { isBelow } from '../rest/request-target.js';
import type { Routing } from './fleet-schema.js';

/** Where the fleet's own routes are. */
export const FLEET_PREFIX = '/_fleet';

/** Whom a request is for. `target` is what is left of it for the cluster. */
export type Destination =
  | { readonly to: 'cluster'; readonly name: string; readonly by: 'path' | 'host'; readonly target: string }
  | { readonly to: 'fleet' }
  | { readonly to: 'nobody' };

/** Finds whom a request is for, from its first bytes: by host name, by the fleet's prefix, by path. No list is searched. */
export function createRouter({ path, host }: Routing): (request: IncomingMessage) => Destination {
  const suffix = host === null ? null : `.${host}`;
  const prefix = path === null ? null : `${path}/`;
  return ({ url = '/', headers }) => {
    const name = suffix === null ? null : nameInHost(headers.host, suffix);
    if (name !== null) return { to: 'cluster', name, by: 'host', target: url };
    if (isBelow(url, FLEET_PREFIX)) return { to: 'fleet' };
    if (prefix === null || !url.startsWith(prefix)) return { to: 'nobody' };
    let end = prefix.length;
    while (end < url.length && url[end] !== '/' && url[end] !== '?' && url[end] !== '#') end++;
    return { to: 'cluster', name: url.slice(prefix.length, end), by: 'path', target: url[end] === '/' ? url.slice(end) : `/${url.slice(end)}` };
  };
}

function nameInHost(given: string | undefined, suffix: string): string | null {
  if (given === undefined) return null;
  const colon = given.lastIndexOf(':');
  const host = (colon < 0 ? given : given.slice(0, colon)).toLowerCase();
  if (!host.endsWith(suffix)) return null;
  const name = host.slice(0, -suffix.length);
  // `a.b.flink.local` is no cluster's name, but nobody else's either.
  return name;
}
