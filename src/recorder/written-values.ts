/** Values as the scenario format writes them. */

/** So many digits as a measurement is good for. */
export function round(value: number, digits = 4): number {
  return value === 0 ? 0 : Number(value.toPrecision(digits));
}

export function writeDuration(ms: number): string | number {
  if (ms === 0) return 0;
  if (ms < 1) return `${round(ms * 1_000)} us`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1_000 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

export function writeServiceTime(us: number): string | number {
  if (us === 0) return 0;
  return us >= 1_000 ? `${round(us / 1_000)} ms` : `${round(us)} us`;
}

export function writeSize(bytes: number): string | number {
  const whole = Math.round(bytes);
  for (const [unit, size] of [['GiB', 1 << 30], ['MiB', 1 << 20], ['KiB', 1 << 10]] as const) if (whole > 0 && whole % size === 0) return `${whole / size} ${unit}`;
  return whole;
}

export function writeRate(recordsPerSecond: number): string | number {
  return recordsPerSecond <= 0 ? 0 : `${round(recordsPerSecond)}/s`;
}

/** An instant with the cluster's offset. */
export function writeInstant(epochMs: number, offsetMinutes: number): string {
  const local = new Date(epochMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  if (offsetMinutes === 0) return `${local}Z`;
  const minutes = Math.abs(offsetMinutes);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
