import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Shape } from './shapes.js';

/** A life as it was recorded, compact: by question, from when on which answer was given. */
export interface RecordedLife {
  readonly flink: string;
  readonly events: readonly RecordedEvent[];
  /** Instants of the shots, ms from the recording's start. */
  readonly shotsMs: readonly number[];
  /** By question: `[index of the first shot, shape]`, one a change. */
  readonly answers: Readonly<Record<string, readonly (readonly [shot: number, shape: Shape])[]>>;
}

export interface RecordedEvent {
  readonly atMs: number;
  readonly what: string;
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown } | null;
  readonly answer: Shape | null;
}

export function readLife(name: string): RecordedLife {
  return JSON.parse(gunzipSync(readFileSync(new URL(`../golden/lives/${name}.json.gz`, import.meta.url))).toString()) as RecordedLife;
}

/** The answer's shape at each shot. */
export function byShot(life: RecordedLife, question: string): Shape[] {
  const changes = life.answers[question] ?? [];
  let next = 0;
  let current: Shape = [];
  return life.shotsMs.map((_, shot) => {
    while (changes[next] && changes[next]![0] <= shot) current = changes[next++]![1];
    return current;
  });
}
