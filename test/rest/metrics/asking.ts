import type { EndpointContext } from '../../../src/rest/endpoint.js';
import { endpoints as aggregated } from '../../../src/rest/resources/metrics-aggregated.js';
import { endpoints as components } from '../../../src/rest/resources/metrics-components.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { versionOf } from '../../../src/simulation/version.js';

export interface Asked {
  readonly id: string;
  readonly value?: string;
  readonly [aggregation: string]: unknown;
}

export function contextOf(state: SimulationState): EndpointContext {
  return { simulation: { state }, state, version: versionOf(state), features: {}, services: {} } as unknown as EndpointContext;
}

/** Asks an endpoint as the framework does, then lets what it started come home. */
export async function ask(context: EndpointContext, url: string, params: Readonly<Record<string, string>> = {}, query: Readonly<Record<string, readonly string[]>> = {}): Promise<readonly Asked[]> {
  const endpoint = [...components, ...aggregated].find((each) => each.url === url)!;
  const answer = endpoint.handle({ method: 'GET', path: url, params, query, body: {}, files: [] }, context) as readonly Asked[];
  await Promise.resolve();
  return answer;
}

/** Asked once, so that the second time there is something to see. */
export async function fetched(state: SimulationState): Promise<EndpointContext> {
  const context = contextOf(state);
  await ask(context, '/jobmanager/metrics');
  return context;
}
