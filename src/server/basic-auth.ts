import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { JSON_TYPE } from '../rest/send.js';
import { errorsJson } from '../rest/serializer/json-string.js';
import { secretMatcher } from './secrets.js';

/** `user:password`, as in front of Flink a proxy asks for it: Flink itself has no accounts. */
export type BasicAuth = string;

/**
 * Lets in who brings user and password; asked before anything else sees the request. `isOpen` names what is guarded otherwise. Requests that
 * are injected within the process are not asked.
 */
export function requireBasicAuth(server: Server, credentials: BasicAuth, isOpen: (request: IncomingMessage) => boolean): void {
  const isRight = secretMatcher(credentials);
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const body = errorsJson(['Unauthorized']);
  server.on('request', (request, response) => {
    const given = /^Basic +([A-Za-z0-9+/=_-]+)\s*$/i.exec(request.headers.authorization ?? '')?.[1];
    // Who is not let in keeps no body waiting to be read.
    if (isOpen(request) || (given !== undefined && isRight(Buffer.from(given, 'base64').toString('utf8')))) {
      for (const listener of listeners) listener.call(server, request, response);
      return;
    }
    response.shouldKeepAlive = false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="mock-flink", charset="UTF-8"', 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
}
