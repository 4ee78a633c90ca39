/** Greatest long; doubles cannot hold it, 2^63 stands for it. */
const LONG_MAX = '9223372036854775807';
const TWO_TO_63 = 9223372036854775808;

/** An int or long as Jackson writes it. Fractions are cut off, NaN is 0, as Java's casts have it. */
export function javaInteger(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  if (Number.isSafeInteger(value)) return value === 0 ? '0' : '' + value;
  if (Number.isNaN(value)) return '0';
  if (value >= TWO_TO_63) return LONG_MAX;
  if (value <= -TWO_TO_63) return '-9223372036854775808';
  return BigInt(Math.trunc(value)).toString();
}

/** A double as Jackson writes it: Java's Double.toString, quoted where it is no JSON number. */
export function javaDouble(value: number | bigint): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return Number.isNaN(number) ? '"NaN"' : number > 0 ? '"Infinity"' : '"-Infinity"';
  if (number === 0) return Object.is(number, -0) ? '-0.0' : '0.0';
  const magnitude = Math.abs(number);
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    const text = '' + number;
    return Number.isInteger(number) ? text + '.0' : text;
  }
  const [mantissa, exponent] = number.toExponential().split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : mantissa + '.0'}E${exponent.startsWith('+') ? exponent.slice(1) : exponent}`;
}

/** A double as Java's Double.toString gives it (metric values are such texts). */
export function javaDoubleText(value: number): string {
  const text = javaDouble(value);
  return text.startsWith('"') ? text.slice(1, -1) : text;
}
