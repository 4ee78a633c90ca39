/** Watermarks of a source with a strategy: by split (a Kafka partition, or the one split of a generator's subtask) and by subtask. */
export interface SourceWatermarkState {
  readonly maxOutOfOrdernessMs: number;
  /** -1 = splits never become idle. */
  readonly idleAfterMs: number;
  readonly holdsFromAssignment: boolean;
  readonly sparesBlockedTime: boolean;
  readonly alignment: { readonly group: string; readonly maxDriftMs: number; readonly updateIntervalMs: number; readonly bySplit: boolean } | null;
  // by split; none before the source's first tick
  /** Subtask that has the split. */
  owner: Int32Array;
  watermark: Float64Array;
  /** 1 = its output is marked idle. */
  idle: Uint8Array;
  /** Records it had given when it was last looked at, whole ones; NaN = not yet. */
  seen: Float64Array;
  /** For how long it has given none, as its idleness timer's clock goes. */
  inactiveMs: Float64Array;
  /** Time since the attempt began in which it was idle, and in which it waited for alignment. */
  idleMs: Float64Array;
  pausedMs: Float64Array;
  /** Readings of the two times above: `(2 * slot + which) * splits + split`, slots as those of the meters. */
  readings: Float64Array;
  // by subtask
  /** The same clock for a subtask that has no split. */
  withoutSplitMs: Float64Array;
  /** 1 = it reads nothing until its group has caught up (WAITING_FOR_ALIGNMENT). */
  waiting: Uint8Array;
  /** Watermark as the coordinator knows it; NaN = none reported. */
  reported: Float64Array;
  nextReportMs: Float64Array;
  /** How far the coordinator lets it go; NaN = nothing announced yet. */
  maxDesired: Float64Array;
  /** When the coordinator announces again; NaN = it has not started. */
  nextAnnouncementMs: number;
}

/** Java's Long.MAX_VALUE as the nearest double: the watermark of what has ended, or is idle. */
export const MAX_WATERMARK = 9223372036854775807;
