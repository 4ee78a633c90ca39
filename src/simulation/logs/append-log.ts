import type { LogEntry, LogState } from '../state/log-state.js';

/** Entries a log keeps; a tenth is dropped at a time, so that appending stays cheap. */
export const LOG_ENTRY_LIMIT = 20_000;

export function createLog(): LogState {
  return { entries: [], droppedEntries: 0 };
}

/** Adds an entry to a process's log; the oldest go beyond the limit. */
export function appendLog(log: LogState, timeMs: number, level: LogEntry['level'], logger: string, message: string): void {
  log.entries.push({ timeMs, level, logger, message });
  if (log.entries.length > LOG_ENTRY_LIMIT) {
    const dropped = LOG_ENTRY_LIMIT / 10;
    log.entries.splice(0, dropped);
    log.droppedEntries += dropped;
  }
}
