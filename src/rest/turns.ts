import type { Parts } from '../simulation/parts.js';

/** How long one piece of work may keep the event loop at a time, ms. */
const SLICE_MS = 3;

const waiting: (() => void)[] = [];

/**
 * Resolves when whoever waits may go on after others had the event loop. One a turn of the loop: as many long answers as there are, requests
 * wait for a slice of one of them.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(letOneGo);
  });
}

function letOneGo(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(letOneGo);
}

/** Does work in slices, letting others have the event loop in between. The first slice is done before the promise is given back. */
export async function inParts<T>(work: Parts<T>, pause: () => Promise<void> = nextTurn): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < sliceEnd) continue;
    await pause();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
