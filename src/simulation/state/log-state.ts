/** A log file of a process, as entries; formatted on reading (src/simulation/logs). */
export interface LogState {
  /** Oldest first; the oldest are dropped beyond a limit. */
  entries: LogEntry[];
  droppedEntries: number;
  /** Bytes of the present file; absent where files do not roll. */
  fileBytes?: number;
  /** Absent = the file grows without end. */
  readonly rolling?: LogRolling;
  /** Files that became full, or that the process found when it started, oldest first. */
  rolled?: LogEntry[][];
}

/** Log4j's RollingFileAppender: a full file is set aside, the oldest beyond so many are deleted. */
export interface LogRolling {
  readonly maxBytes: number;
  readonly files: number;
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
