import { valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';
import { JOB_MANAGER_LOG_LINES } from './log-lines-job-manager.js';
import { CHECKPOINT_LOG_LINES } from './log-lines-checkpoints.js';
import { TASK_MANAGER_LOG_LINES } from './log-lines-task-manager.js';
import { START_UP_LOG_LINES } from './log-lines-start-up.js';

/** A line of a Flink process's log, as each release words it. `{name}` is filled in; null: that release does not write it. */
export interface LogLineSpec {
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  readonly logger: string | ByVersion<string>;
  readonly text: string | ByVersion<string | null>;
}

export const LOG_LINES = { ...JOB_MANAGER_LOG_LINES, ...CHECKPOINT_LOG_LINES, ...TASK_MANAGER_LOG_LINES, ...START_UP_LOG_LINES };

export type LogLineName = keyof typeof LOG_LINES;

export interface LogLine {
  readonly level: LogLineSpec['level'];
  readonly logger: string;
  readonly text: string;
}

function pick<T>(value: T | ByVersion<T>, version: FlinkVersion): T {
  return Array.isArray(value) ? valueIn(value as ByVersion<T>, version) : (value as T);
}

/** A line as the version writes it; null when it does not. */
export function lineIn(name: LogLineName, version: FlinkVersion): LogLine | null {
  const spec = LOG_LINES[name] as LogLineSpec;
  const text = pick<string | null>(spec.text, version);
  return text === null ? null : { level: spec.level, logger: pick<string>(spec.logger, version), text };
}
