import { z } from 'zod';
import { parseFlinkVersion, FLINK_MINORS } from '../../versions/flink-versions.js';
import {
  DURATION_ALLOWED,
  INSTANT_ALLOWED,
  ISO_ALLOWED,
  parseDurationMs,
  parseInstant,
  parseIso,
  parseRatePerSecond,
  parseSizeBytes,
  POSITIVE_DURATION_ALLOWED,
  RATE_ALLOWED,
  SIZE_ALLOWED,
} from '../units.js';

/** A scalar that people write as text with a unit; `allowed` is both the error message and the editor's hint. */
function written<T>(allowed: string, parse: (value: string | number) => T | null, most?: { readonly value: number; readonly text: string }) {
  return z
    .union([z.string(), z.number()], { error: () => allowed })
    .meta({ description: allowed })
    .transform((value, context): T => {
      const parsed = parse(value);
      if (parsed !== null && (most === undefined || (parsed as number) <= most.value)) return parsed;
      context.addIssue({ code: 'custom', message: parsed === null ? allowed : `at most ${most!.text}`, input: value });
      return z.NEVER;
    });
}

export const durationUpTo = (mostMs: number, text: string) => written(DURATION_ALLOWED, parseDurationMs, { value: mostMs, text });
const LONGEST_MS = 3_650 * 86_400_000;
export const durationMs = durationUpTo(LONGEST_MS, '3650 d');
/** For what would have no effect without any time. */
export const positiveDurationMs = written(
  POSITIVE_DURATION_ALLOWED,
  (value) => {
    const ms = parseDurationMs(value);
    return ms === 0 ? null : ms;
  },
  { value: LONGEST_MS, text: '3650 d' },
);
export const sizeBytes = written(SIZE_ALLOWED, parseSizeBytes, { value: 1_024 ** 5, text: '1024 TiB' });
export const ratePerSecond = written(RATE_ALLOWED, parseRatePerSecond, { value: 1e9, text: '1000000000/s' });
export const instant = written(INSTANT_ALLOWED, parseInstant);
export const isoInstant = written(ISO_ALLOWED, (value) => parseIso(String(value)));

/** Microseconds, from a duration; a plain number is microseconds. */
export const durationUs = written(
  'a duration with a unit: `250 us`, `2 ms`, `0.1 s` (or 0)',
  (value) => {
    const ms = parseDurationMs(value);
    return ms === null ? null : ms * 1_000;
  },
  { value: 86_400_000_000, text: '1 d' },
);

export const flinkVersion = written(`a Flink version: ${FLINK_MINORS.join(', ')}, or a full one such as 1.20.5`, (value) => parseFlinkVersion(String(value))?.full ?? null);

export const name = z.string().min(1).max(500);
export const hexId = z.string().regex(/^[0-9a-f]{32}$/, 'an id of 32 lower-case hex digits').meta({ description: '32 lower-case hex digits; made from the name when left out' });
export const count = z.int().min(0).max(1_000_000_000_000);
export const parallelism = z.int().min(1).max(32_768);
export const port = z.int().min(0).max(65_535);
export const share = z.number().min(0).max(1);
/** Flink options: the loader keeps every value as it was written. */
const optionValue = z.union([z.string(), z.number(), z.boolean()], { error: () => "an option's value: text, a number, `true` or `false`" }).transform(String);
export const options = z.record(z.string().min(1), optionValue).meta({ description: "Flink options by Flink's own names" });
