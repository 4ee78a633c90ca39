import { readFileSync } from 'node:fs';
import type { ScriptEndpoint } from './script.js';

/** The endpoints that the script walked on the recorded cluster of a version, in its order. */
export function scriptEndpoints(version: string): ScriptEndpoint[] {
  const table = JSON.parse(readFileSync(new URL('endpoints.json', import.meta.url), 'utf8')) as Record<string, [string, string, string[]][]>;
  const rows = table[version];
  if (!rows) throw new Error(`nothing was recorded for Flink ${version}`);
  return rows.map(([method, url, queryKeys]) => ({ method, url, queryKeys }));
}
