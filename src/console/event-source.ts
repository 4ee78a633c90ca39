import { NoConnection, request } from './api.js';

/** The server has no such stream, has no room for another client, or something in between keeps it back. */
export class NoStream extends Error {}

/** The first bytes come at once, and a sign of life every 15 s. */
const FIRST_BYTE_MS = 5_000;
const SILENCE_MS = 40_000;

/** Reads server-sent events until the stream ends. EventSource cannot send a token, so this reads them off a fetch. */
export async function follow(path: string, signal: AbortSignal, use: (data: string) => Promise<void>): Promise<void> {
  const silence = new AbortController();
  let begun = false;
  let timer = 0;
  const alive = (ms: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => silence.abort(), ms);
  };
  try {
    alive(FIRST_BYTE_MS);
    const response = await request(path, { headers: { accept: 'text/event-stream' }, signal: AbortSignal.any([signal, silence.signal]) });
    if (!response.ok || response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) throw new NoStream(`answered with ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      begun = true;
      alive(SILENCE_MS);
      const blocks = `${rest}${value}`.split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const data = block.split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6)).join('\n');
        if (data !== '' && !signal.aborted) await use(data);
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    if (silence.signal.aborted && !begun) throw new NoStream('nothing came');
    if (error instanceof TypeError || silence.signal.aborted) throw new NoConnection('The server does not answer; trying again.');
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
