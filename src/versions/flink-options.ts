import { parseDurationMs } from '../simulation/options.js';
import { valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** Values of Flink's options as somebody set them, by Flink's own names. */
export type FlinkOptions = Readonly<Record<string, string>>;

/** Defaults of the options that REST handlers read, as Flink's documentation writes them. */
const DEFAULTS = {
  'web.refresh-interval': '3000 ms',
  'web.submit.enable': 'true',
  'web.cancel.enable': 'true',
  'web.rescale.enable': 'true',
  'web.checkpoints.history': '10',
  'web.exception-history-size': '16',
  'rest.flamegraph.enabled': 'false',
  'rest.profiling.enabled': 'false',
  'rest.profiling.duration-max': '5 min',
  'rest.profiling.history-size': '10',
  'rest.async.store-duration': '5 min',
  'metrics.fetcher.update-interval': '10000 ms',
  'jobmanager.scheduler': 'default',
  'parallelism.default': '1',
  'io.tmp.dirs': '/tmp',
  'taskmanager.memory.segment-size': '32 kb',
} as const satisfies FlinkOptions;
export type KnownOption = keyof typeof DEFAULTS;

/** Older names that Flink still reads when the newer one is not set. */
const FALLBACK_KEYS: Readonly<Record<string, readonly string[]>> = {
  'execution.checkpointing.savepoint-dir': ['state.savepoints.dir', 'savepoints.state.backend.fs.dir'],
  'execution.checkpointing.dir': ['state.checkpoints.dir'],
  'jobmanager.scheduler': ['scheduler-mode'],
};

/** The value that was set, under the option's name or one of its older ones; null when none was. */
export function setOption(options: FlinkOptions, name: string): string | null {
  for (const key of [name, ...(FALLBACK_KEYS[name] ?? [])]) {
    const value = options[key];
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

export function textOption(options: FlinkOptions, name: KnownOption): string {
  return setOption(options, name) ?? DEFAULTS[name];
}

/** As Java's Boolean.parseBoolean; a value that is neither true nor false counts as the default. */
export function booleanOption(options: FlinkOptions, name: KnownOption): boolean {
  const value = textOption(options, name).trim().toLowerCase();
  return value === 'true' || (value !== 'false' && DEFAULTS[name] === 'true');
}

export function integerOption(options: FlinkOptions, name: KnownOption): number {
  const value = Number(textOption(options, name));
  return Number.isInteger(value) ? value : Number(DEFAULTS[name]);
}

export function durationOptionMs(options: FlinkOptions, name: KnownOption): number {
  return parseDurationMs(textOption(options, name)) ?? parseDurationMs(DEFAULTS[name])!;
}

export function memoryOptionBytes(options: FlinkOptions, name: KnownOption): number {
  return parseMemoryBytes(textOption(options, name)) ?? parseMemoryBytes(DEFAULTS[name])!;
}

const MEMORY_UNITS: Readonly<Record<string, number>> = { '': 0, b: 0, bytes: 0, k: 1, kb: 1, kibibytes: 1, m: 2, mb: 2, mebibytes: 2, g: 3, gb: 3, gibibytes: 3, t: 4, tb: 4, tebibytes: 4 };

/** Flink's MemorySize: `32 kb`, `900m`, `1073741824`; null when it is none. */
export function parseMemoryBytes(text: string): number | null {
  const match = /^(\d+)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  const unit = match ? MEMORY_UNITS[match[2]!] : undefined;
  return unit === undefined ? null : Number(match![1]) * 1024 ** unit;
}

/** Parts of an option's name that hide its value (GlobalConfiguration.SENSITIVE_KEYS). */
const SENSITIVE_PARTS: ByVersion<readonly string[]> = [
  ['1.9', ['password', 'secret', 'fs.azure.account.key']],
  ['1.12', ['password', 'secret', 'fs.azure.account.key', 'apikey']],
  ['1.17', ['password', 'secret', 'fs.azure.account.key', 'apikey', 'auth-params', 'service-key', 'token', 'basic-auth', 'jaas.config']],
  ['1.19', ['password', 'secret', 'fs.azure.account.key', 'apikey', 'auth-params', 'service-key', 'token', 'basic-auth', 'jaas.config', 'http-headers']],
  ['2.1', ['password', 'secret', 'fs.azure.account.key', 'apikey', 'api-key', 'auth-params', 'service-key', 'token', 'basic-auth', 'jaas.config', 'http-headers']],
];
const HIDDEN_VALUE = '******';

/** The value to show for an option. */
export function shownValue(name: string, value: string, version: FlinkVersion): string {
  const lower = name.toLowerCase();
  return valueIn(SENSITIVE_PARTS, version).some((part) => lower.includes(part)) ? HIDDEN_VALUE : value;
}

/** The cluster writes the port of its blob server back into its options (FLINK-24465). */
export const SHOWS_BLOB_SERVER_PORT: ByVersion<boolean> = [
  ['1.9', false],
  ['1.15', true],
];

/** Name of the option for the default savepoint directory, as messages give it (renamed by FLINK-34516). */
export const SAVEPOINT_DIRECTORY_KEY: ByVersion<string> = [
  ['1.9', 'state.savepoints.dir'],
  ['1.20', 'execution.checkpointing.savepoint-dir'],
];
