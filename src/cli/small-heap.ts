import type { Server } from 'node:http';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** By how much old space may grow from one collection to the next, %; 0 = as V8 sees fit, up to fourfold. */
const FRUGAL_GROWTH_PERCENT = 30;

/** A process that is asked more often in a second, or holds more, has better things to do than to collect. */
const MANY_REQUESTS = 2_000;
const MUCH_BYTES = 64 * 1024 * 1024;

function growOldSpaceBy(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Keeps the space for young objects as small as it is: V8 would let it grow to 48 MiB while the first second makes modules and history, and
 * hardly ever takes it back. And lets old space grow in small steps, or the garbage of an hour would stay in it (figures in
 * docs/benchmarks.md). For a process that serves and nothing else.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  growOldSpaceBy(FRUGAL_GROWTH_PERCENT);
}

/** Gives up thrift for as long as a server is busy, or large. */
export function relaxUnderLoad(server: Server): void {
  let requests = 0;
  let isFrugal = true;
  server.on('request', () => void requests++);
  setInterval(() => {
    const shallBeFrugal = requests < MANY_REQUESTS && getHeapStatistics().used_heap_size < MUCH_BYTES;
    requests = 0;
    if (shallBeFrugal === isFrugal) return;
    isFrugal = shallBeFrugal;
    growOldSpaceBy(isFrugal ? FRUGAL_GROWTH_PERCENT : 0);
  }, 1000).unref();
}
