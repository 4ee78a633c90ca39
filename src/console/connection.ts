import type { ConsoleState } from '../control/console/console-types.js';
import { get, NoConnection, withQuery } from './api.js';
import { follow, NoStream } from './event-source.js';
import { known, onJob, store, take } from './store.js';

/** Where there is no stream: asked twice a second at most, and the stream tried again after a while. */
const POLL_MS = 500;
const STREAM_AGAIN_MS = 60_000;
const RETRY_MS = 2_000;

let told: (message: string | null) => void = () => undefined;
let stream = new AbortController();
let streams = false;
let streamAt = -Infinity;
let startedAt = -Infinity;
let wake: () => void = () => undefined;

/** Called with what is wrong, and with null when it is over. */
export function onTrouble(listener: (message: string | null) => void): void {
  told = listener;
}

/** Something was done: what came of it is asked for as soon as the pace allows; a stream tells it by itself. */
export function refreshSoon(): void {
  if (!streams) wake();
}

/** The page follows the server as long as it is in view. */
export function connect(): void {
  document.addEventListener('visibilitychange', again);
  onJob(again);
  void goOn();
}

/** From the beginning, with what the page knows now. A page out of view gives its connection back: a browser has six for a server. */
function again(): void {
  stream.abort();
  wake();
}

async function goOn(): Promise<void> {
  for (;;) {
    let wait = POLL_MS;
    try {
      if (document.visibilityState === 'hidden') wait = Infinity;
      else if (performance.now() >= streamAt) await followStream();
      else await poll();
    } catch (error) {
      if (error instanceof NoStream) streamAt = performance.now() + STREAM_AGAIN_MS;
      else {
        wait = RETRY_MS;
        told(error instanceof NoConnection ? error.message : `The console could not go on: ${(error as Error).message}`);
      }
    }
    await pause(wait);
  }
}

/** Until then, or until somebody wakes it; but not sooner after the last beginning than the pace. */
async function pause(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  const early = startedAt + POLL_MS - performance.now();
  if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
}

async function followStream(): Promise<void> {
  startedAt = performance.now();
  stream = new AbortController();
  // The server goes to another job with its states; the page follows it there.
  let asked = store.jobId;
  try {
    await follow(withQuery('/console/stream', known()), stream.signal, async (data) => {
      streams = true;
      told(null);
      await take(JSON.parse(data) as ConsoleState, asked);
      if (!stream.signal.aborted) asked = store.jobId;
    });
  } finally {
    streams = false;
  }
}

async function poll(): Promise<void> {
  startedAt = performance.now();
  const asked = store.jobId;
  await take(await get<ConsoleState>('/console/state', known()), asked);
  told(null);
}
