import type { LogEntry, LogRolling, LogState } from '../state/log-state.js';

/** Entries a log keeps, those of rolled files included; a file or a tenth is dropped at a time, so that appending stays cheap. */
export const LOG_ENTRY_LIMIT = 20_000;
/** Bytes of a line beside its logger and message: time, level, `[]` and blanks (formatLog). */
const LINE_BYTES = 37;
const LOGGER_WIDTH = 60;

/** The log of a process that starts. `before`: what lies there from an earlier process of the same name, which is set aside. */
export function createLog(rolling?: LogRolling, before?: LogState): LogState {
  const log: LogState = { entries: [], droppedEntries: 0, ...(rolling ? { rolling, fileBytes: 0 } : {}) };
  if (before) setAside(log, [...(before.rolled ?? []), before.entries]);
  return log;
}

function setAside(log: LogState, files: readonly LogEntry[][]): void {
  const keep = log.rolling?.files ?? files.length;
  log.rolled = files.filter((entries) => entries.length > 0).slice(-keep);
}

/** Adds an entry to a process's log; the oldest go beyond the limit. */
export function appendLog(log: LogState, timeMs: number, level: LogEntry['level'], logger: string, message: string): void {
  if (log.rolling && log.fileBytes! >= log.rolling.maxBytes) roll(log);
  log.entries.push({ timeMs, level, logger, message });
  if (log.rolling) log.fileBytes! += LINE_BYTES + Math.max(LOGGER_WIDTH, logger.length) + message.length;
  const older = log.rolled?.reduce((sum, entries) => sum + entries.length, 0) ?? 0;
  if (older + log.entries.length <= LOG_ENTRY_LIMIT) return;
  if (older > 0) {
    log.rolled!.shift();
    return;
  }
  const dropped = LOG_ENTRY_LIMIT / 10;
  log.entries.splice(0, dropped);
  log.droppedEntries += dropped;
}

/** The present file is full: the next line begins a new one. */
function roll(log: LogState): void {
  setAside(log, [...(log.rolled ?? []), log.entries]);
  log.droppedEntries += log.entries.length;
  log.entries = [];
  log.fileBytes = 0;
}
