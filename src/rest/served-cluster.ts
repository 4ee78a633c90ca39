import type { IncomingMessage } from 'node:http';
import type { AnswerCache } from './answer-cache.js';
import type { RequestGate } from './create-app.js';
import type { EndpointContext } from './endpoint.js';

/** A cluster as an app serves it: all that differs between the clusters of one app, which are of the same Flink version. */
export interface ServedCluster {
  readonly context: EndpointContext;
  readonly cache: AnswerCache;
  readonly gate: RequestGate | null;
  /** Called before each request, so that the answer is of now. */
  readonly advance: () => void;
  /** While the simulation is between two instants, or about to be, for some milliseconds: since which virtual instant answers may be given again. */
  readonly justBefore?: () => number | null;
  /** Whether the state may be looked at now without holding up others; if not, `later` is called when it may. */
  readonly isReady?: (later: () => void) => boolean;
  /** Answers below this path too; empty, or without a slash at its end. */
  readonly basePath: string;
}

/** Whose request it is. */
export type ClusterOf = (request: IncomingMessage) => ServedCluster;

/** A target as the cluster's routes see it. */
export function withoutBase(basePath: string, target: string): string {
  if (basePath === '' || !target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  return rest.startsWith('/') ? rest : rest === '' || rest.startsWith('?') ? `/${rest}` : target;
}
