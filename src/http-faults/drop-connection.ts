import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What a caller without a socket gets: what undici would make of it. */
const INJECTED = { reset: ['read ECONNRESET', 'ECONNRESET'], close: ['other side closed', 'UND_ERR_SOCKET'], refuse: ['connect ECONNREFUSED', 'ECONNREFUSED'] } as const;

/** Ends the connection of a response without (the rest of) an answer: by RST, closed in order, or as if nobody listened (closed, where there is a connection already). */
export function dropConnection(response: ServerResponse, how: 'reset' | 'close' | 'refuse'): void {
  const socket = response.socket as Socket | null;
  if (socket && typeof socket.resetAndDestroy === 'function' && 'remoteAddress' in socket && socket.remoteAddress !== undefined) {
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return;
  }
  const [message, code] = INJECTED[how];
  response.destroy(Object.assign(new Error(message), { code }));
}
