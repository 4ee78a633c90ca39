import type { IncomingMessage } from 'node:http';
import type { ServedCluster } from '../rest/served-cluster.js';
import type { HostedCluster } from './hosted-cluster.js';

/** Whose request it is, and in which of its guises the cluster is asked. */
export interface Routed {
  readonly cluster: HostedCluster;
  readonly served: ServedCluster;
}

const ROUTED = Symbol('routed');
type RoutedRequest = IncomingMessage & { [ROUTED]?: Routed };

export function route(request: IncomingMessage, routed: Routed): void {
  (request as RoutedRequest)[ROUTED] = routed;
}

/** To be asked of requests that were routed to a cluster. */
export function routedOf(request: IncomingMessage): Routed {
  return (request as RoutedRequest)[ROUTED]!;
}
