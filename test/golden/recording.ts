import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** One answer of a server to a step of the recorded script (script.ts). */
export interface RecordedAnswer {
  name: string;
  method: string;
  path: string;
  /** null where the connection was dropped. */
  status: number | null;
  headers: Record<string, string>;
  requestBody?: string;
  /** Present when the body was JSON. */
  json?: unknown;
  /** Present when it was not. */
  text?: string;
}

export interface Recording {
  version: string;
  records: RecordedAnswer[];
}

/** The recording of a real cluster of `version` (1.9.3, 1.13.6, 1.20.5 or 2.3.0). */
export function loadRecording(version: string): Recording {
  return JSON.parse(gunzipSync(readFileSync(new URL(`${version}.json.gz`, import.meta.url))).toString('utf8')) as Recording;
}
