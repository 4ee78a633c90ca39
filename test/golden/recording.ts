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
  /** The JSON as it came. */
  body?: string;
  /** Present when it was not. */
  text?: string;
}

export interface Recording {
  version: string;
  records: RecordedAnswer[];
}

const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Stands for a number that was written with a point. */
export const WITH_POINT = '\u0001';

/** Reads JSON, numbers with a point as texts that begin with WITH_POINT: a Java double prints `0.0`, an integer `0`. */
export function parseKeepingPoints(text: string): unknown {
  return JSON.parse(text.replace(JSON_TOKENS, (token) => (token.startsWith('"') || !/[.eE]/.test(token) ? token : JSON.stringify(WITH_POINT + token))));
}

function recordingText(version: string): string {
  return gunzipSync(readFileSync(new URL(`${version}.json.gz`, import.meta.url))).toString('utf8');
}

/** The recording of a real cluster of `version` (1.9.3, 1.13.6, 1.20.5 or 2.3.0). */
export function loadRecording(version: string): Recording {
  return JSON.parse(recordingText(version)) as Recording;
}

/** The same with numbers as parseKeepingPoints reads them. */
export function loadRecordingKeepingPoints(version: string): Recording {
  return parseKeepingPoints(recordingText(version)) as Recording;
}
