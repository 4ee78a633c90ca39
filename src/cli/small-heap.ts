import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the space for young objects as small as it begins: V8 would let it grow to 48 MiB while the first second makes modules and history, and
 * hardly ever takes it back. Costs a few percent of processor (docs/benchmarks.md), so it is for a process that serves and nothing else.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
