import type { LogEntry, LogState } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

function timestamp(epochMs: number, offsetMinutes: number): string {
  const t = new Date(Math.floor(epochMs) + offsetMinutes * 60_000);
  const ms = String(t.getUTCMilliseconds()).padStart(3, '0');
  return `${t.getUTCFullYear()}-${two(t.getUTCMonth() + 1)}-${two(t.getUTCDate())} ${two(t.getUTCHours())}:${two(t.getUTCMinutes())}:${two(t.getUTCSeconds())},${ms}`;
}

/** A line as the pattern `%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %-60c %x - %m%n` of Flink's default logging configuration writes it. */
export function formatLogEntry(state: SimulationState, entry: LogEntry): string {
  const context = lifecycleOf(state).logContext;
  return `${timestamp(entry.timeMs, state.model.timeZoneOffsetMinutes)} ${entry.level.padEnd(5)} ${entry.logger.padEnd(60)} ${context} - ${entry.message}\n`;
}

/** The whole file, in the cluster's time zone. */
export function formatLog(state: SimulationState, log: LogState): string {
  return log.entries.map((entry) => formatLogEntry(state, entry)).join('');
}
