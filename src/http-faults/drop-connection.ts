import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Ends the connection of a response without (the rest of) an answer: by RST, or closed in order. */
export function dropConnection(response: ServerResponse, how: 'reset' | 'close'): void {
  const socket = response.socket as Socket | null;
  if (socket && typeof socket.resetAndDestroy === 'function' && 'remoteAddress' in socket && socket.remoteAddress !== undefined) {
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return;
  }
  // Without a socket (an injected request) the caller gets what undici would make of it.
  response.destroy(Object.assign(new Error(how === 'reset' ? 'read ECONNRESET' : 'other side closed'), { code: how === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET' }));
}
