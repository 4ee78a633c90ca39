/** What people write for durations, sizes, rates and instants. Each parser returns null for what it does not understand. */

const DURATION_UNITS_MS: Readonly<Record<string, number>> = {
  us: 0.001,
  µs: 0.001,
  micros: 0.001,
  ms: 1,
  milli: 1,
  millis: 1,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  seconds: 1_000,
  min: 60_000,
  m: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
};

const SIZE_UNITS_BYTES: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1_000,
  mb: 1_000_000,
  gb: 1_000_000_000,
  k: 1_024,
  kib: 1_024,
  m: 1_048_576,
  mib: 1_048_576,
  g: 1_073_741_824,
  gib: 1_073_741_824,
  tib: 1_099_511_627_776,
};

export const DURATION_ALLOWED = 'a duration with a unit: `100 ms`, `2 s`, `5 min`, `5h20m`, `1 d` (or 0)';
export const POSITIVE_DURATION_ALLOWED = 'a duration of more than 0, with a unit: `100 ms`, `2 s`, `5 min`, `5h20m`, `1 d`';
export const SIZE_ALLOWED = 'a size: `512` (bytes), `2 KiB`, `64 MiB`, `1 GB`';
export const RATE_ALLOWED = 'a rate: `50/s`, `3000/min`, `180000/h`, or a number of records a second';
export const INSTANT_ALLOWED = 'an instant: a time of day `08:13` or `08:13:30` (on the day of `start`), a time since `start` such as `1h` or `90 s`, or ISO 8601 with an offset, `2020-04-09T08:13:00+08:00`';
export const ISO_ALLOWED = 'an ISO 8601 instant with an offset: `2020-04-09T07:00:00+08:00`';

/** Milliseconds; several parts may follow one another (`5h20m`). */
export function parseDurationMs(text: string | number): number | null {
  if (typeof text === 'number' || text.trim() === '0') return Number(text) === 0 ? 0 : null;
  const parts = text.trim().toLowerCase();
  if (!/^(\d+(\.\d+)?\s*[a-zµ]+\s*)+$/.test(parts)) return null;
  let totalMs = 0;
  for (const [, amount, unit] of parts.matchAll(/(\d+(?:\.\d+)?)\s*([a-zµ]+)/g)) {
    const factor = DURATION_UNITS_MS[unit!];
    if (factor === undefined) return null;
    totalMs += Number(amount) * factor;
  }
  return totalMs;
}

export function parseSizeBytes(text: string | number): number | null {
  if (typeof text === 'number') return text >= 0 && Number.isFinite(text) ? text : null;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  if (!match) return null;
  const factor = match[2] === '' ? 1 : SIZE_UNITS_BYTES[match[2]!];
  return factor === undefined ? null : Math.round(Number(match[1]) * factor);
}

/** Records a second. */
export function parseRatePerSecond(text: string | number): number | null {
  if (typeof text === 'number') return text >= 0 && Number.isFinite(text) ? text : null;
  const match = /^(\d+(?:\.\d+)?)\s*(?:\/\s*(s|sec|second|min|m|minute|h|hour|d|day))?$/.exec(text.trim().toLowerCase());
  if (!match) return null;
  return (Number(match[1]) * 1_000) / (match[2] === undefined ? 1_000 : DURATION_UNITS_MS[match[2]]!);
}

/** An instant with its offset from UTC, or null. */
export function parseIso(text: string): { epochMs: number; offsetMinutes: number } | null {
  const match = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.exec(text.trim());
  if (!match) return null;
  const epochMs = Date.parse(text.trim().replace(' ', 'T'));
  if (Number.isNaN(epochMs)) return null;
  const zone = match[1]!;
  const offsetMinutes = zone === 'Z' ? 0 : (zone[0] === '-' ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6)));
  return { epochMs, offsetMinutes };
}

/** An instant as written: it becomes an offset from the scenario's start only when that is known. */
export type WrittenInstant =
  | { readonly kind: 'time-of-day'; readonly msOfDay: number }
  | { readonly kind: 'offset'; readonly ms: number }
  | { readonly kind: 'epoch'; readonly epochMs: number };

export function parseInstant(text: string | number): WrittenInstant | null {
  if (typeof text === 'number') return text === 0 ? { kind: 'offset', ms: 0 } : null;
  const clock = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/.exec(text.trim());
  if (clock) {
    const [hours, minutes, seconds, ms] = [clock[1], clock[2], clock[3] ?? '0', (clock[4] ?? '0').padEnd(3, '0')].map(Number) as [number, number, number, number];
    if (hours > 23 || minutes > 59 || seconds > 59) return null;
    return { kind: 'time-of-day', msOfDay: ((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms };
  }
  const iso = parseIso(text);
  if (iso) return { kind: 'epoch', epochMs: iso.epochMs };
  const ms = parseDurationMs(text);
  return ms === null ? null : { kind: 'offset', ms };
}

/** Milliseconds since the start; may be negative, which the caller refuses. */
export function resolveInstant(instant: WrittenInstant, startMs: number, offsetMinutes: number): number {
  if (instant.kind === 'offset') return instant.ms;
  if (instant.kind === 'epoch') return instant.epochMs - startMs;
  const localStartMs = startMs + offsetMinutes * 60_000;
  return instant.msOfDay - (((localStartMs % 86_400_000) + 86_400_000) % 86_400_000);
}
