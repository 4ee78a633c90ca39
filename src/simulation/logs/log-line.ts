import { lineIn, type LogLineName } from '../../versions/log-lines.js';
import type { LogState } from '../state/log-state.js';
import type { SimulationState } from '../state/simulation-state.js';
import { versionOf } from '../version.js';
import { appendLog } from './append-log.js';

/**
 * Writes one of the lines of src/versions/log-lines.ts at `timeMs` (default: now; never before the line above it). Lines that the version does not write are left out.
 * `detail` follows on further lines (a stack trace).
 */
export function logLine(
  state: SimulationState,
  log: LogState,
  name: LogLineName,
  values: Readonly<Record<string, string | number>> = {},
  { timeMs = state.nowMs, detail = '' }: { timeMs?: number; detail?: string } = {},
): void {
  const line = lineIn(name, versionOf(state));
  if (line === null) return;
  const message = line.text.replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? `{${key}}`));
  const lastMs = log.entries.at(-1)?.timeMs ?? -Infinity;
  appendLog(log, Math.max(timeMs, lastMs), line.level, line.logger, detail === '' ? message : `${message}\n${detail}`);
}
