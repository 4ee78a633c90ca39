/** Reads Flink options the way Flink's Configuration does: several spellings, units, defaults. */

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6, nano: 1e-6, nanos: 1e-6, nanosecond: 1e-6, nanoseconds: 1e-6,
  us: 1e-3, µs: 1e-3, micro: 1e-3, micros: 1e-3, microsecond: 1e-3, microseconds: 1e-3,
  ms: 1, milli: 1, millis: 1, millisecond: 1, milliseconds: 1,
  s: 1000, sec: 1000, secs: 1000, second: 1000, seconds: 1000,
  m: 60_000, min: 60_000, minute: 60_000, minutes: 60_000,
  h: 3_600_000, hour: 3_600_000, hours: 3_600_000,
  d: 86_400_000, day: 86_400_000, days: 86_400_000,
};

/** `10 s`, `500`, `2min` or ISO-8601 (`PT2S`) to ms; null when it is none of them. A number without unit counts `unitMs` each. */
export function parseDurationMs(text: string, unitMs = 1): number | null {
  const trimmed = text.trim();
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i.exec(trimmed);
  if (iso && trimmed.length > 1) return (Number(iso[1] ?? 0) * 24 + Number(iso[2] ?? 0)) * 3_600_000 + Number(iso[3] ?? 0) * 60_000 + Number(iso[4] ?? 0) * 1000;
  const match = /^(\d+)\s*([a-zµ]*)$/i.exec(trimmed);
  if (!match) return null;
  if (match[2] === '') return Number(match[1]) * unitMs;
  const unit = MS_PER_UNIT[match[2]!.toLowerCase()];
  return unit === undefined ? null : Number(match[1]) * unit;
}

type Options = Readonly<Record<string, string>>;

/** The first of `keys` that is set; undefined when none is. */
export function findOption(options: Options, ...keys: readonly string[]): string | undefined {
  for (const key of keys) if (options[key] !== undefined) return options[key];
  return undefined;
}

/** A duration, ms; a value that cannot be read counts as not set. */
export function durationOption(options: Options, keys: string | readonly string[], defaultMs: number, unitMs = 1): number {
  const text = findOption(options, ...(typeof keys === 'string' ? [keys] : keys));
  return (text === undefined ? null : parseDurationMs(text, unitMs)) ?? defaultMs;
}

export function numberOption(options: Options, keys: string | readonly string[], defaultValue: number): number {
  const text = findOption(options, ...(typeof keys === 'string' ? [keys] : keys));
  const value = text === undefined || text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : defaultValue;
}

export function booleanOption(options: Options, key: string, defaultValue: boolean): boolean {
  const text = options[key]?.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : defaultValue;
}
