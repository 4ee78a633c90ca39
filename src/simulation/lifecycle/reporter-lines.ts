import type { LogLineName } from '../../versions/log-lines.js';
import { REPORTER_CLASSES, type ReporterKind } from '../../versions/reporter-features.js';
import { parseDurationMs } from '../options.js';

type Lines = [LogLineName, Record<string, string | number>][];

/** Those that answer scrapes; all others report every so often. */
const WITHOUT_INTERVAL: ReadonlySet<ReporterKind> = new Set(['prometheus', 'jmx']);
const DEFAULT_INTERVAL_MS = 10_000;

/** What a process says of its metric reporters when it starts. */
export function reporterLines(options: Readonly<Record<string, string>>): Lines {
  const named = options['metrics.reporters']?.split(',').map((name) => name.trim());
  const lines: Lines = [];
  for (const [key, value] of Object.entries(options)) {
    const name = /^metrics\.reporter\.([^.]+)\.(?:factory\.)?class$/.exec(key)?.[1];
    const found = REPORTER_CLASSES.find(({ factory, reporter }) => factory === value || reporter === value);
    if (name === undefined || !found || (named && !named.includes(name)) || lines.some(([, values]) => values['reporter'] === name)) continue;
    const intervalMs = parseDurationMs(options[`metrics.reporter.${name}.interval`]?.toLowerCase() ?? '') ?? DEFAULT_INTERVAL_MS;
    lines.push([WITHOUT_INTERVAL.has(found.kind) ? 'reporter' : 'periodicReporter', { reporter: name, reporterClass: found.reporter, interval: intervalMs % 1000 === 0 ? `${intervalMs / 1000} s` : `${intervalMs} ms` }]);
  }
  return lines.length > 0 ? lines : [['noReporter', {}]];
}
