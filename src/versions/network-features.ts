import { since, valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** How the network stack differs from release to release. Each line says why. */
const TABLE = {
  /** A producer stops when one subpartition has max-buffers-per-channel buffers (FLINK-16428). */
  limitsBuffersPerChannel: since('1.11'),
  /** A channel that has sent an aligned barrier waits upstream, instead of filling the consumer's buffers (FLINK-16404). */
  blocksUpstreamOnAlignment: since('1.11'),
  /** Buffers shrink to what the consumer takes in a second, when asked for (FLIP-183). */
  hasBufferDebloating: since('1.14'),
  /** Buffers beyond its pool that a task may take to end a record, by default (FLINK-26762). */
  overdraftBuffersPerGate: [
    ['1.9', 0],
    ['1.16', 5],
  ] as ByVersion<number>,
  /** A split, or a source, without records can be marked idle (WatermarkStrategy, FLIP-126). */
  hasWatermarkIdleness: since('1.11'),
  /** A split holds the watermark back from its assignment on, not from its first record (FLINK-26018; the legacy consumer always did). */
  splitsHoldWatermarkFromAssignment: since('1.14'),
  /** Time in which the source is back-pressured or waits for alignment does not make its splits idle (FLINK-35886). */
  idlenessSparesBlockedTime: since('1.19'),
  /** The state backend can write changes to a log as they come (FLIP-158). */
  hasStateChangelog: since('1.15'),
  /** Sources that are ahead of their group wait (FLIP-182), and splits that are ahead within a source (FLIP-217). */
  alignsSources: since('1.15'),
  alignsSplits: since('1.17'),
  /** buffers-per-channel, floating-buffers-per-gate and max-buffers-per-channel can be set; 2.0 dropped the options and keeps the defaults. */
  hasBufferCountOptions: since('1.9', '2.0'),
};

export type NetworkFeatures = { readonly [K in keyof typeof TABLE]: (typeof TABLE)[K] extends ByVersion<infer T> ? T : never };

/** What holds in a version. */
export function networkFeatures(version: FlinkVersion): NetworkFeatures {
  return Object.freeze(Object.fromEntries(Object.entries(TABLE).map(([name, table]) => [name, valueIn(table as ByVersion<unknown>, version)]))) as NetworkFeatures;
}
