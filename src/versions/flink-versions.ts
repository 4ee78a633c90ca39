/** The Flink releases that mock-flink can be: one a minor, with the patch release whose endpoints were read. */
export const FLINK_VERSIONS = ['1.9.3', '1.10.3', '1.11.4', '1.12.5', '1.13.6', '1.14.6', '1.15.4', '1.16.3', '1.17.2', '1.18.1', '1.19.3', '1.20.5', '2.0.2', '2.1.3', '2.2.1', '2.3.0'] as const;

export interface FlinkVersion {
  /** As shown to clients: the patch release asked for. */
  readonly full: string;
  /** `1.20` */
  readonly minor: string;
  /** Position of the minor in FLINK_VERSIONS. */
  readonly index: number;
}

export const FLINK_MINORS: readonly string[] = FLINK_VERSIONS.map((full) => full.split('.').slice(0, 2).join('.'));

/** Reads `1.20` or `1.20.5`; null when there is no such minor. */
export function parseFlinkVersion(text: string): FlinkVersion | null {
  const match = /^(\d+\.\d+)(\.\d+)?$/.exec(text.trim());
  if (!match) return null;
  const index = FLINK_MINORS.indexOf(match[1]!);
  if (index < 0) return null;
  return { full: match[2] ? text.trim() : FLINK_VERSIONS[index]!, minor: match[1]!, index };
}

/** A value that changed over the releases: the first entry holds from 1.9 on, each later one from its minor on. */
export type ByVersion<T> = readonly (readonly [sinceMinor: string, value: T])[];

/** The value that holds in a version. */
export function valueIn<T>(table: ByVersion<T>, version: FlinkVersion): T {
  let value = table[0]![1];
  for (const [since, next] of table) if (FLINK_MINORS.indexOf(since) <= version.index) value = next;
  return value;
}

/** True from `since` on (and before `until`, when given). */
export function since(minor: string, until?: string): ByVersion<boolean> {
  const table: [string, boolean][] = [['1.9', minor === '1.9']];
  if (minor !== '1.9') table.push([minor, true]);
  if (until) table.push([until, false]);
  return table;
}
