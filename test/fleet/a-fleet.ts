import { request } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseFleet } from '../../src/fleet/load-fleet.js';
import { startFleet, type RunningFleet, type StartFleetOptions } from '../../src/fleet/start-fleet.js';

/** Beside the example, whose scenario the tests play. */
export const FLEET_FILE = fileURLToPath(new URL('../../examples/fleet/fleet.yaml', import.meta.url));

export const TWO_JOBS = path.join(path.dirname(FLEET_FILE), 'two-jobs.yaml');

/** A fleet on a free port, with held clocks unless told otherwise. */
export function aFleet(yaml: string, options: Partial<StartFleetOptions> = {}): Promise<RunningFleet> {
  return startFleet({ definition: parseFleet(yaml, FLEET_FILE), port: 0, clock: 'manual', startTimeMs: null, ...options });
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with any host name, method and body; nothing is followed. */
export function ask(url: string, { host, method = 'GET', body, headers = {} }: { host?: string; method?: string; body?: unknown; headers?: Record<string, string> } = {}): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: { ...(host === undefined ? {} : { host }), ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }), ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString('utf8') }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/** The JSON of an answer that must be a success. */
export async function json<T = Record<string, unknown>>(url: string, options: Parameters<typeof ask>[1] = {}): Promise<T> {
  const { status, body } = await ask(url, options);
  if (status >= 300) throw new Error(`${options.method ?? 'GET'} ${url}: ${status} ${body}`);
  return JSON.parse(body) as T;
}
