/**
 * Ids of operators as Flink makes them from a uid: MurmurHash3 (x64, 128 bits, seed 0) of the text, as 32 hex digits
 * (StreamGraphHasherV2.generateUserSpecifiedHash).
 */
const MASK = (1n << 64n) - 1n;
const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;

const rotateLeft = (value: bigint, bits: bigint): bigint => ((value << bits) | (value >> (64n - bits))) & MASK;

function finalMix(value: bigint): bigint {
  let mixed = value;
  mixed = ((mixed ^ (mixed >> 33n)) * 0xff51afd7ed558ccdn) & MASK;
  mixed = ((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK;
  return mixed ^ (mixed >> 33n);
}

function littleEndian(bytes: Uint8Array, from: number, to: number): bigint {
  let value = 0n;
  for (let i = Math.min(to, bytes.length) - 1; i >= from; i--) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

const mix1 = (k: bigint): bigint => (rotateLeft((k * C1) & MASK, 31n) * C2) & MASK;
const mix2 = (k: bigint): bigint => (rotateLeft((k * C2) & MASK, 33n) * C1) & MASK;

export function operatorId(uid: string): string {
  const bytes = new TextEncoder().encode(uid);
  const blocks = bytes.length >> 4;
  let h1 = 0n;
  let h2 = 0n;
  for (let block = 0; block < blocks; block++) {
    const at = block * 16;
    h1 = ((rotateLeft(h1 ^ mix1(littleEndian(bytes, at, at + 8)), 27n) + h2) * 5n + 0x52dce729n) & MASK;
    h2 = ((rotateLeft(h2 ^ mix2(littleEndian(bytes, at + 8, at + 16)), 31n) + h1) * 5n + 0x38495ab5n) & MASK;
  }
  const tail = blocks * 16;
  if (bytes.length > tail + 8) h2 ^= mix2(littleEndian(bytes, tail + 8, tail + 16));
  if (bytes.length > tail) h1 ^= mix1(littleEndian(bytes, tail, tail + 8));
  const length = BigInt(bytes.length);
  h1 = ((h1 ^ length) + (h2 ^ length)) & MASK;
  h2 = ((h2 ^ length) + h1) & MASK;
  h1 = finalMix(h1);
  h2 = finalMix(h2);
  h1 = (h1 + h2) & MASK;
  h2 = (h2 + h1) & MASK;
  const hex = (value: bigint): string => Array.from({ length: 8 }, (_, i) => ((value >> BigInt(8 * i)) & 0xffn).toString(16).padStart(2, '0')).join('');
  return hex(h1) + hex(h2);
}
