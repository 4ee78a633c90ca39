import type { JavaType } from '../../versions/metrics/metric-row.js';

/** What a metric shows before it is printed. */
export type MetricValue = number | boolean | string;

/** A metric's value as Java prints an object of its type. */
export function javaText(type: JavaType, value: MetricValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (type === 'long') return javaLong(value);
  if (type === 'float') return javaFloat(value);
  return javaDouble(value);
}

/** The number that Java reads from the text of a number; what is no number in Java's eyes stays as it is. */
export function javaNumber(type: JavaType, value: number): number {
  if (type === 'long') return Number.isNaN(value) ? 0 : Math.max(-LONG_LIMIT, Math.min(LONG_LIMIT, Math.floor(value) + 0));
  return type === 'float' ? Number(javaFloat(value)) : value;
}

const LONG_LIMIT = 2 ** 63;

/** A whole number; the state keeps counters as doubles, so what is beyond Java's long is its end. */
export function javaLong(value: number): string {
  if (Number.isNaN(value)) return '0';
  if (value >= LONG_LIMIT) return '9223372036854775807';
  if (value <= -LONG_LIMIT) return '-9223372036854775808';
  const whole = Math.floor(value);
  return Number.isSafeInteger(whole) ? String(whole + 0) : BigInt(whole).toString();
}

export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return decimal(value, value.toExponential());
}

/** A float prints the shortest digits that tell it from its neighbours. */
export function javaFloat(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return String(single);
  for (let digits = 0; digits < 9; digits++) {
    const text = single.toExponential(digits);
    if (Math.fround(Number(text)) === single) return decimal(single, text);
  }
  return decimal(single, single.toExponential(9));
}

/** Java's form of a decimal: plain from 0.001 up to 10⁷, else with an exponent, always with a digit behind the point. */
function decimal(value: number, exponential: string): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [mantissa, power] = exponential.split('e') as [string, string];
  const exponent = Number(power);
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '').replace(/(?!^)0+$/, '');
  return (negative ? '-' : '') + (exponent >= -3 && exponent < 7 ? plain(digits, exponent) : `${digits[0]}.${digits.slice(1) || '0'}E${exponent}`);
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${whole}.${digits.slice(exponent + 1) || '0'}`;
}
