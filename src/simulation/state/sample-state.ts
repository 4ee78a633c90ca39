/** Back pressure of a job vertex by looks at its threads (until 1.12): what was found last, and the sample under way. */
export interface BackPressureTrackerState {
  stats: BackPressureStats | null;
  /** Epoch ms of the last access to `stats`: the cache forgets what nobody asks for. */
  lastAccessMs: number;
  sample: BackPressureSampleState | null;
}

export interface BackPressureStats {
  /** Epoch ms. */
  readonly endTimestampMs: number;
  /** By subtask, hits / looks. */
  readonly ratios: readonly number[];
}

export interface BackPressureSampleState {
  readonly sampleId: number;
  readonly startMs: number;
  /** By subtask: the attempt looked at, looks so far, looks that found it waiting for a buffer. */
  readonly attemptIds: readonly string[];
  looks: Int32Array;
  hits: Int32Array;
}

/** Stack traces of a vertex's (or a subtask's) threads: what was sampled last, and the sample under way. */
export interface FlameGraphTrackerState {
  result: ThreadSampleState | null;
  lastAccessMs: number;
  sample: ThreadSampleState | null;
}

export interface ThreadSampleState {
  readonly startMs: number;
  /** Epoch ms at which it was complete; -1 = under way. */
  endMs: number;
  readonly subtasks: readonly number[];
  readonly attemptIds: readonly string[];
  /** Looks so far, by position in `subtasks`. */
  looks: Int32Array;
  /** How often each trace was found: key of the trace (see src/simulation/threads/task-traces.ts) to count. */
  traces: Map<string, number>;
}
