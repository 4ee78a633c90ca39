import { parseDurationMs } from '../simulation/options.js';
import { valueIn, type FlinkVersion } from '../versions/flink-versions.js';
import { REPORTER_CLASSES, REPORTER_FEATURES, type ReporterKind } from '../versions/reporter-features.js';
import { metricFilter, type MetricFilter } from './metric-filter.js';

/** A reporter as Flink's options set it up: `metrics.reporter.<name>.<option>`. */
export interface ReporterConfig {
  readonly name: string;
  readonly kind: ReporterKind;
  /** Class of the reporter, for its log lines. */
  readonly reporterClass: string;
  readonly intervalMs: number;
  readonly excludedVariables: ReadonlySet<string>;
  readonly additionalVariables: Readonly<Record<string, string>>;
  readonly filter: MetricFilter;
  /** Between the parts of a metric's identifier. */
  readonly scopeDelimiter: string;
  /** All of the reporter's own options. */
  readonly options: Readonly<Record<string, string>>;
}

/** Options that cannot be meant as they are. */
export class ReporterConfigError extends Error {
  override readonly name = 'ReporterConfigError';
}

const DEFAULT_INTERVAL_MS = 10_000;
const ALL = '*:*:*';

type FlinkOptions = Readonly<Record<string, string>>;

/** Variables by name, with or without their angle brackets. */
const variableName = (text: string): string => text.trim().replace(/^<|>$/g, '');

const list = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((each) => each.trim())
    .filter((each) => each !== '');

function optionsByReporter(options: FlinkOptions): Map<string, Record<string, string>> {
  const reporters = new Map<string, Record<string, string>>();
  for (const [key, value] of Object.entries(options)) {
    const match = /^metrics\.reporter\.([^.\s]+)\.(.+)$/.exec(key);
    if (!match) continue;
    let own = reporters.get(match[1]);
    if (!own) reporters.set(match[1], (own = {}));
    own[match[2]] = value;
  }
  return reporters;
}

/** `k1:v1,k2:v2` */
function keyValues(text: string): Record<string, string> {
  return Object.fromEntries(
    list(text, ',').map((pair) => {
      const colon = pair.indexOf(':');
      return colon < 0 ? [variableName(pair), ''] : [variableName(pair.slice(0, colon)), pair.slice(colon + 1).trim()];
    }),
  );
}

/** The reporters that a cluster's options name, in the order of their names; `warn` hears of those that Flink would leave out too. */
export function reporterConfigs(options: FlinkOptions, version: FlinkVersion, warn: (message: string) => void): ReporterConfig[] {
  const named = options['metrics.reporters'] === undefined ? null : new Set(list(options['metrics.reporters'], ','));
  const configs: ReporterConfig[] = [];
  for (const [name, own] of optionsByReporter(options)) {
    if (named !== null && !named.has(name)) continue;
    const factory = own['factory.class'];
    const oldClass = valueIn(REPORTER_FEATURES.classOption, version) ? own['class'] : undefined;
    const found = REPORTER_CLASSES.find((each) => each.factory === factory || (oldClass !== undefined && each.reporter === oldClass));
    if (!found) {
      warn(factory === undefined && oldClass === undefined ? `metrics.reporter.${name}: no factory.class; the reporter is left out` : `metrics.reporter.${name}: there is no reporter ${factory ?? oldClass}; allowed: ${REPORTER_CLASSES.map((each) => each.factory).join(', ')}`);
      continue;
    }
    const filters = valueIn(REPORTER_FEATURES.metricFilter, version);
    configs.push({
      name,
      kind: found.kind,
      reporterClass: found.reporter,
      intervalMs: parseInterval(own['interval']),
      excludedVariables: new Set(list(own['scope.variables.excludes'] ?? '', ';').map(variableName)),
      additionalVariables: valueIn(REPORTER_FEATURES.additionalVariables, version) ? keyValues(own['scope.variables.additional'] ?? '') : {},
      filter: filters ? metricFilter(own['filter.includes'] ?? ALL, own['filter.excludes'] ?? '') : metricFilter(ALL, ''),
      scopeDelimiter: own['scope.delimiter']?.[0] ?? options['metrics.scope.delimiter'] ?? '.',
      options: own,
    });
  }
  return configs.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `10 s`, or in old configurations `10 SECONDS`; what cannot be read counts as not set. */
function parseInterval(text: string | undefined): number {
  const ms = text === undefined ? null : parseDurationMs(text.toLowerCase());
  return ms !== null && ms > 0 ? ms : DEFAULT_INTERVAL_MS;
}

export function requiredText({ name, options }: ReporterConfig, key: string): string {
  const value = options[key];
  if (value === undefined || value === '') throw new ReporterConfigError(`metrics.reporter.${name}.${key} is not set`);
  return value;
}

export function numberOf({ name, options }: ReporterConfig, key: string, fallback: number): number {
  const text = options[key];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value)) throw new ReporterConfigError(`metrics.reporter.${name}.${key}: found ${JSON.stringify(text)}; allowed: a whole number`);
  return value;
}

export function booleanOf({ options }: ReporterConfig, key: string, fallback: boolean): boolean {
  const text = options[key]?.trim().toLowerCase();
  return text === undefined ? fallback : text === 'true';
}
