const NONE = '–';

let offsetMs = 0;

/** Times are shown in the cluster's zone. */
export function setZone(offsetMinutes: number): void {
  offsetMs = offsetMinutes * 60_000;
}

export function zoneMs(): number {
  return offsetMs;
}

function zoned(epochMs: number): string {
  return new Date(Math.floor(epochMs) + offsetMs).toISOString();
}

/** `08:13:25` */
export function clockTime(epochMs: number): string {
  return Number.isFinite(epochMs) ? zoned(epochMs).slice(11, 19) : NONE;
}

/** `08:13:25.120` */
export function exactTime(epochMs: number): string {
  return Number.isFinite(epochMs) ? zoned(epochMs).slice(11, 23) : NONE;
}

/** `2020-04-09` */
export function day(epochMs: number): string {
  return Number.isFinite(epochMs) ? zoned(epochMs).slice(0, 10) : NONE;
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NONE : whole.format(value);
}

/** One decimal below ten: `0.4`, `7.5`, `42`. */
export function amount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE;
  return Math.abs(value) < 9.95 && Math.abs(value - Math.round(value)) >= 0.05 ? tenths.format(value) : whole.format(value);
}

function scaled(value: number, units: readonly string[], base: number): string {
  let unit = 0;
  let left = value;
  while (Math.abs(left) >= base && unit < units.length - 1) {
    left /= base;
    unit++;
  }
  return `${unit === 0 ? amount(left) : left < 99.95 ? tenths.format(left) : whole.format(left)}${units[unit]}`;
}

/** `42.2 k/s` */
export function rate(perSecond: number | null | undefined): string {
  return perSecond === null || perSecond === undefined || !Number.isFinite(perSecond) ? NONE : `${compact(perSecond)}/s`;
}

export function compact(value: number): string {
  return scaled(value, ['', ' k', ' M', ' G'], 1_000);
}

export function bytes(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NONE : scaled(value, [' B', ' KiB', ' MiB', ' GiB', ' TiB'], 1_024);
}

export function percent(share: number | null | undefined): string {
  return share === null || share === undefined || !Number.isFinite(share) ? NONE : `${whole.format(share * 100)} %`;
}

/** `340 ms`, `49.6 s`, `3 min 20 s`, `5 h 20 min` */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return NONE;
  if (ms < 1_000) return `${whole.format(ms)} ms`;
  if (ms < 60_000) return `${tenths.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return two(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return minutes < 1_440 ? two(Math.floor(minutes / 60), 'h', minutes % 60, 'min') : two(Math.floor(minutes / 1_440), 'd', Math.floor((minutes % 1_440) / 60), 'h');
}

function two(first: number, firstUnit: string, second: number, secondUnit: string): string {
  return second === 0 ? `${first} ${firstUnit}` : `${first} ${firstUnit} ${second} ${secondUnit}`;
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

export const LEVEL_NAMES: Readonly<Record<string, string>> = { o: 'OK', l: 'LOW', h: 'HIGH', '-': 'not running' };
