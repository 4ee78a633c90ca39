/** A log file of a process, as entries; formatted on reading (src/simulation/logs). */
export interface LogState {
  /** Oldest first; the oldest are dropped beyond a limit. */
  entries: LogEntry[];
  droppedEntries: number;
}

export interface LogEntry {
  /** Epoch ms. */
  timeMs: number;
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  /** Full class name. */
  logger: string;
  /** Without line end; may hold further lines (stack traces). */
  message: string;
}
