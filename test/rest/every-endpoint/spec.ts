import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A type as reflection over Flink's message classes shows it. */
export interface Shape {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'any';
  readonly java?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly items?: Shape;
  readonly enum?: readonly string[];
  readonly nullable?: boolean;
  readonly include?: 'NON_NULL' | 'NON_EMPTY' | 'NON_DEFAULT';
  readonly serializer?: string;
  readonly recursive?: boolean;
}

export interface SpecEndpoint {
  readonly method: string;
  readonly url: string;
  /** Absent where Flink's class does not tell (files). */
  readonly status?: number;
  readonly response?: Shape;
}

/**
 * The endpoints of every release as read from Flink's own classes. This is not the table that the server answers from
 * (src/versions/rest-spec.json), so that an error there shows here.
 */
export const SPECS = JSON.parse(gunzipSync(readFileSync(new URL('spec.json.gz', import.meta.url))).toString('utf8')) as Readonly<Record<string, readonly SpecEndpoint[]>>;

const MINORS = ['1.9', '1.10', '1.11', '1.12', '1.13', '1.14', '1.15', '1.16', '1.17', '1.18', '1.19', '1.20', '2.0', '2.1', '2.2', '2.3'];

/** The releases, oldest first. */
export const RELEASES = MINORS.map((minor) => Object.keys(SPECS).find((release) => release.startsWith(`${minor}.`))!);

/** Position of a release's minor among all. */
export function ageOf(release: string): number {
  return RELEASES.indexOf(release);
}

export function isSince(release: string, minor: string): boolean {
  return ageOf(release) >= MINORS.indexOf(minor);
}
