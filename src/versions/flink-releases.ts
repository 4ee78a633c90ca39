import type { FlinkVersion } from './flink-versions.js';

/** What a Flink build says of itself: `.version.properties` of the release's jars. */
export interface FlinkRelease {
  /** git.commit.id.abbrev */
  readonly commit: string;
  /** git.commit.time as Flink shows it (the plain text of the build until 1.10, later an instant in Central European Time). */
  readonly commitTime: string;
}

/** Read from the releases' own jars. */
const RELEASES: Readonly<Record<string, readonly [commit: string, commitTime: string]>> = {
  '1.9.3': ['6d23b2c', '17.04.2020 @ 19:08:57 CST'],
  '1.10.3': ['2b8b670', '20.01.2021 @ 11:45:46 CST'],
  '1.11.4': ['1d7d542', '2021-07-21T04:20:58+02:00'],
  '1.12.5': ['bfd0f20', '2021-07-23T05:52:23+02:00'],
  '1.13.6': ['b2ca390', '2022-02-03T14:54:22+01:00'],
  '1.14.6': ['a921a4d', '2022-09-09T10:18:38+02:00'],
  '1.15.4': ['fc679b6', '2023-03-08T18:49:43+01:00'],
  '1.16.3': ['5df8156', '2023-11-10T11:00:33+01:00'],
  '1.17.2': ['c0027e5', '2023-11-09T13:24:38+01:00'],
  '1.18.1': ['a8c8b1c', '2023-12-19T22:17:36+01:00'],
  '1.19.3': ['4105f8d', '2025-06-12T18:34:28+02:00'],
  '1.20.5': ['0980485', '2026-06-08T09:21:06+02:00'],
  '2.0.2': ['a2a1e27', '2026-04-28T11:36:13+02:00'],
  '2.1.3': ['6cda56b', '2026-06-08T04:56:20+02:00'],
  '2.2.1': ['450c63e', '2026-05-03T10:10:44+02:00'],
  '2.3.0': ['c0f8d1a', '2026-06-14T16:29:03+02:00'],
};

/** What Flink itself shows of a build whose origin is not known. */
const UNKNOWN: FlinkRelease = { commit: 'DeadD0d0', commitTime: '1970-01-01T01:00:00+01:00' };

/** The build that a version is. */
export function flinkRelease(version: FlinkVersion): FlinkRelease {
  const release = RELEASES[version.full];
  return release ? { commit: release[0], commitTime: release[1] } : UNKNOWN;
}
