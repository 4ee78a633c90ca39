import type { JobEdgeModel, SkewModel } from '../model/job-model.js';

/** MurmurHash3's 32-bit mix of one word, as Flink spreads a key's hash code; never negative. */
export function murmurHash(hashCode: number): number {
  let h = Math.imul(hashCode, 0xcc9e2d51);
  h = (h << 15) | (h >>> 17);
  h = Math.imul(h, 0x1b873593);
  h = (h << 13) | (h >>> 19);
  h = (Math.imul(h, 5) + 0xe6546b64) | 0;
  h ^= 4;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >= 0 ? h : h === -0x80000000 ? 0 : -h;
}

/** Java's hashCode of a key: text that reads as an int counts as an Integer, all else as a String. */
export function keyHashCode(key: string): number {
  if (/^-?\d{1,10}$/.test(key) && Number(key) === (Number(key) | 0)) return Number(key);
  let h = 0;
  for (let i = 0; i < key.length; i++) h = (Math.imul(h, 31) + key.charCodeAt(i)) | 0;
  return h;
}

/** Flink's default for a vertex that sets none: half as much again as the parallelism, as a power of two, between 128 and 32768. */
export function defaultMaxParallelism(parallelism: number): number {
  const wanted = parallelism + Math.floor(parallelism / 2);
  let power = 1;
  while (power < wanted) power *= 2;
  return Math.min(Math.max(power, 128), 32_768);
}

/** Subtask that owns a key group. */
export function operatorIndex(keyGroup: number, parallelism: number, maxParallelism: number): number {
  return Math.floor((keyGroup * parallelism) / maxParallelism);
}

/**
 * Shares of a producer's records by consumer for the strategies where every producer reaches every consumer; they sum to 1, except
 * BROADCAST, where each consumer gets all.
 */
export function consumerShares(edge: JobEdgeModel, skew: SkewModel | null, consumers: number, maxParallelism: number): Float64Array {
  const shares = new Float64Array(consumers);
  switch (edge.shipStrategy) {
    case 'BROADCAST':
      return shares.fill(1);
    case 'GLOBAL':
      shares[0] = 1;
      return shares;
    case 'HASH':
    case 'CUSTOM':
      return keyedShares(shares, skew, maxParallelism > 0 ? maxParallelism : defaultMaxParallelism(consumers));
    default:
      return shares.fill(1 / consumers);
  }
}

function keyedShares(shares: Float64Array, skew: SkewModel | null, maxParallelism: number): Float64Array {
  const consumers = shares.length;
  const uniform = (total: number) => {
    for (let g = 0; g < maxParallelism; g++) shares[operatorIndex(g, consumers, maxParallelism)] += total / maxParallelism;
  };
  const give = (hashCode: number, share: number) => {
    shares[operatorIndex(murmurHash(hashCode) % maxParallelism, consumers, maxParallelism)] += share;
  };
  if (skew === null) uniform(1);
  else if (skew.kind === 'hot-keys') {
    let hot = 0;
    for (const { key, share } of skew.hotKeys) {
      give(keyHashCode(key), share);
      hot += share;
    }
    uniform(Math.max(0, 1 - hot));
  } else if (skew.kind === 'zipf') {
    for (let k = 1; k <= skew.keys; k++) give(k, k ** -skew.exponent);
  } else {
    for (let i = 0; i < consumers; i++) shares[i] = skew.shares[i] ?? 0;
  }
  let sum = 0;
  for (const share of shares) sum += share;
  for (let i = 0; i < consumers; i++) shares[i] = sum > 0 ? shares[i] / sum : 1 / consumers;
  return shares;
}

/** First and behind-last consumer that a producer of a pointwise edge (FORWARD, RESCALE) writes to. */
export function pointwiseRange(producer: number, producers: number, consumers: number): [number, number] {
  if (producers >= consumers) {
    // Consumer c reads the producers from ceil(c * producers / consumers) on.
    const consumer = Math.floor((producer * consumers) / producers);
    return [consumer, consumer + 1];
  }
  return [Math.ceil((producer * consumers) / producers), Math.ceil(((producer + 1) * consumers) / producers)];
}
