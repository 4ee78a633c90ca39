/**
 * Counter-based random numbers: a value is a pure function of the seed and of what it is for. No generator state exists, so draws in
 * one part of the simulation never disturb another, order does not matter and a snapshot needs nothing.
 */

function fmix32(h: number): number {
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function fold(h: number, k: number): number {
  k = Math.imul(k, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  h ^= Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** MurmurHash3-like fold of the parts; text is folded by code unit, numbers by their two 32-bit halves. */
export function hash32(seed: number, ...parts: (string | number)[]): number {
  let h = fmix32(seed | 0);
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p]!;
    if (typeof part === 'string') {
      for (let i = 0; i < part.length; i++) h = fold(h, part.charCodeAt(i));
      h = fold(h, part.length | 0x10000);
    } else {
      h = fold(h, part | 0);
      h = fold(h, Math.floor(part / 0x100000000) | 0);
    }
  }
  return fmix32(h);
}

/** Uniform in [0, 1). */
export function uniform(seed: number, ...parts: (string | number)[]): number {
  return hash32(seed, ...parts) / 0x100000000;
}

/** Uniform whole number in [0, limit). */
export function below(limit: number, seed: number, ...parts: (string | number)[]): number {
  return Math.floor(uniform(seed, ...parts) * limit);
}

/** Exponentially distributed with the given mean. */
export function exponential(mean: number, seed: number, ...parts: (string | number)[]): number {
  return -mean * Math.log(1 - uniform(seed, ...parts));
}

/** Log-normal with the given median; `spread` is the standard deviation of the logarithm. */
export function logNormal(median: number, spread: number, seed: number, ...parts: (string | number)[]): number {
  const u = 1 - uniform(seed, ...parts, 'a');
  const v = uniform(seed, ...parts, 'b');
  return median * Math.exp(spread * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v));
}

/** `digits` hex digits, for ids. */
export function hex(digits: number, seed: number, ...parts: (string | number)[]): string {
  let text = '';
  for (let i = 0; text.length < digits; i++) text += hash32(seed, ...parts, i).toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

/** A version 4 UUID. */
export function uuid(seed: number, ...parts: (string | number)[]): string {
  const h = hex(32, seed, ...parts, 'uuid');
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${'89ab'[below(4, seed, ...parts, 'variant')]}${h.slice(17, 20)}-${h.slice(20)}`;
}
