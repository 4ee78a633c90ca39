import type { LogState } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { lifecycleOf } from '../version.js';

function two(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

function second(atMs: number): string {
  const t = new Date(atMs);
  return `${t.getUTCFullYear()}-${two(t.getUTCMonth() + 1)}-${two(t.getUTCDate())} ${two(t.getUTCHours())}:${two(t.getUTCMinutes())}:${two(t.getUTCSeconds())}`;
}

/**
 * The whole file, in the cluster's time zone: lines as the pattern `%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p %-60c %x - %m%n` of Flink's default logging
 * configuration writes them.
 */
export function formatLog(state: SimulationState, log: LogState): string {
  const context = lifecycleOf(state).logContext;
  const offsetMs = state.model.timeZoneOffsetMinutes * 60_000;
  let text = '';
  // Files are long, and many lines are of one second.
  let lastSecond = NaN;
  let shown = '';
  for (const { timeMs, level, logger, message } of log.entries) {
    const atMs = Math.floor(timeMs) + offsetMs;
    const inSecond = Math.floor(atMs / 1000);
    if (inSecond !== lastSecond) {
      lastSecond = inSecond;
      shown = second(atMs);
    }
    text += `${shown},${String(atMs - inSecond * 1000).padStart(3, '0')} ${level.padEnd(5)} ${logger.padEnd(60)} ${context} - ${message}\n`;
  }
  return text;
}

/** Bytes of the file, where `bytesOf` counts those of a text: without writing it. */
export function formattedBytes(state: SimulationState, log: LogState, bytesOf: (text: string) => number): number {
  const frame = '0000-00-00 00:00:00,000    - \n'.length + lifecycleOf(state).logContext.length;
  return log.entries.reduce((sum, { level, logger, message }) => sum + frame + Math.max(5, level.length) + Math.max(60, logger.length) + bytesOf(message), 0);
}
