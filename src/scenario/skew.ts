import type { SkewModel } from '../simulation/model/job-model.js';
import type { SkewInput } from './schema/job-schema.js';

export function buildSkew(input: SkewInput | null): SkewModel | null {
  if (input === null) return null;
  if ('hotKeys' in input) return { kind: 'hot-keys', hotKeys: input.hotKeys };
  if ('zipf' in input) return { kind: 'zipf', exponent: input.zipf, keys: input.keys };
  return { kind: 'shares', shares: input.shares };
}
