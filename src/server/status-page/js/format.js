const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A number that may be missing or Java's "NaN": then a dash. */
export function known(value, format) {
  const number = value === null || value === undefined || value === '' ? NaN : Number(value);
  return Number.isFinite(number) ? format(number) : '–';
}

export const count = (value) => known(value, (n) => whole.format(n));
export const rate = (value) => known(value, (n) => `${n < 100 ? oneDigit.format(n) : whole.format(n)}/s`);
export const percent = (value) => known(value, (n) => `${Math.round(n * 100)} %`);

export const bytes = (value) =>
  known(value, (n) => {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let unit = 0;
    while (n >= 1024 && unit < units.length - 1) {
      n /= 1024;
      unit++;
    }
    return `${unit === 0 ? whole.format(n) : oneDigit.format(n)} ${units[unit]}`;
  });

export const duration = (value) =>
  known(value, (ms) => {
    if (ms < 0) return '–';
    if (ms < 1000) return `${Math.round(ms)} ms`;
    if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
    const minutes = Math.floor(ms / 60_000);
    if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
    if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
  });

/** A time of the cluster's day: Flink says how far its zone is from UTC. */
export function clock(epochMs, zoneOffsetMs, withDate = false) {
  return known(epochMs, (ms) => {
    if (ms <= 0) return '–';
    const text = new Date(ms + zoneOffsetMs).toISOString();
    return withDate ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(11, 19);
  });
}
