/** A run of the profiler on a process; it is over when its time is. */
export interface ProfilingState {
  /** `jobmanager` or the id of a task manager. */
  readonly processId: string;
  readonly mode: 'CPU' | 'ALLOC' | 'LOCK' | 'WALL' | 'ITIMER';
  /** Epoch ms. */
  readonly startedMs: number;
  readonly durationMs: number;
  /** Name of the file with the result. */
  readonly outputFile: string;
}
