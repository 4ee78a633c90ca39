import type { Simulation } from '../simulation/simulation.js';
import type { SimulationState } from '../simulation/state/simulation-state.js';
import type { FlinkVersion } from '../versions/flink-versions.js';
import type { RestFeatures } from '../versions/rest-features.js';
import type { RestServices } from './services.js';

export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** A request as Flink's handlers see it: parsed and checked by the framework against the version's spec. */
export interface EndpointRequest {
  readonly method: string;
  /** Path as asked, without query. */
  readonly path: string;
  /** By key without colon (`jobid`); percent-decoded, checked (a JobID is 32 lower-case hex digits here). */
  readonly params: Readonly<Record<string, string>>;
  /** By key; list-valued ones split at commas and joined over repetitions; absent keys are absent. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** The JSON body, `{}` when there was none. Checked against the spec as strictly as the version does. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Uploaded files (multipart), already stored in a temporary folder. */
  readonly files: readonly { readonly fieldName: string; readonly fileName: string; readonly storedAt: string }[];
}

export interface EndpointContext {
  readonly simulation: Simulation;
  readonly state: SimulationState;
  readonly version: FlinkVersion;
  /** What differs between versions in the answers beyond their shape (src/versions/rest-features.ts). */
  readonly features: RestFeatures;
  readonly services: RestServices;
}

/** Returns the superset body over all versions (see rawAnswer for anything that is not JSON by the spec). */
export type EndpointHandler = (request: EndpointRequest, context: EndpointContext) => unknown;

export interface Endpoint {
  readonly method: HttpMethod;
  /** As in the spec, such as `/jobs/:jobid/vertices/:vertexid`. */
  readonly url: string;
  readonly handle: EndpointHandler;
}

export function defineEndpoint(endpoint: Endpoint): Endpoint {
  return endpoint;
}

const RAW = Symbol('raw answer');

/** An answer that bypasses the spec: text, files, unusual statuses. */
export interface RawAnswer {
  readonly [RAW]: true;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | NodeJS.ReadableStream;
}

export function rawAnswer(answer: { status: number; headers?: Readonly<Record<string, string>>; body: RawAnswer['body'] }): RawAnswer {
  return { [RAW]: true, status: answer.status, headers: answer.headers ?? {}, body: answer.body };
}

export function isRawAnswer(value: unknown): value is RawAnswer {
  return typeof value === 'object' && value !== null && RAW in value;
}
