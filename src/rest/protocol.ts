import type { ConnectionError, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { RestFeatures } from '../versions/rest-features.js';
import { isMultipart } from './multipart.js';
import { decodedPath, MalformedTargetError, queryParameters } from './request-target.js';
import { JSON_TYPE, type Answer, type HeaderNames } from './send.js';
import { errorsJson } from './serializer/json-string.js';

/** Netty's limit of the request line; of a body that is no form (rest.server.max-content-length). */
export const PROTOCOL_LIMITS = { requestLineBytes: 4096, headerBytes: 64 * 1024, contentBytes: 104_857_600 };

/** What is answered without any handler: text of errors, without the access-control header of handlers unless said. */
export function bareError(status: number, text: string, more: Partial<Answer> = {}): Answer {
  return { status, contentType: JSON_TYPE, body: errorsJson([text]), allowOrigin: false, ...more };
}

/** What Netty makes of a request that it cannot read: a GET of /bad-request, for which there is no file. */
const BAD_REQUEST = bareError(404, 'Unable to load requested file /bad-request.', { close: true });

export const TOO_LARGE: Answer = { status: 413, reason: 'Request Entity Too Large', contentType: null, body: '', allowOrigin: false, silent: true };

export function notFoundAnswer(target: string, features: RestFeatures): Answer {
  return bareError(404, features.notFoundTellsTarget ? `Not found: ${target}` : 'Not found.', { allowOrigin: true });
}

/** The answer to a request that never reaches a route; null for all others. */
export function refusal(request: FastifyRequest, target: string, features: RestFeatures): Answer | null {
  const { method, headers } = request.raw;
  if (method!.length + request.originalUrl.length + ' HTTP/1.1 '.length > PROTOCOL_LIMITS.requestLineBytes) return BAD_REQUEST;
  if (target.includes('%')) {
    try {
      decodedPath(target);
      queryParameters(target);
    } catch (error) {
      if (error instanceof MalformedTargetError) return bareError(500, `Internal server error: ${error.message}`, { allowOrigin: true, close: true });
      throw error;
    }
  }
  const multipart = isMultipart(method!, headers['content-type']);
  if (multipart && request.is404) return features.multipartIsCheckedBeforeRouting ? bareError(400, 'POST request not allowed') : notFoundAnswer(target, features);
  if (!multipart && Number(headers['content-length'] ?? 0) > PROTOCOL_LIMITS.contentBytes) return TOO_LARGE;
  return null;
}

/** Answers what Node's parser does not even take for a request. */
export function answerUnreadable(error: ConnectionError, socket: Socket, features: RestFeatures, names: HeaderNames): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Node knows a list of methods; Netty takes any word.
  const line = error.code === 'HPE_INVALID_METHOD' ? /^[^\s]+ ([^\s]+) HTTP\/1\.[01]\r?\n/.exec(Buffer.from((error.rawPacket as unknown as Buffer | undefined) ?? '').toString('latin1')) : null;
  const answer = line ? notFoundAnswer(line[1]!, features) : BAD_REQUEST;
  const body = answer.body as string;
  const headers = [`${names('content-type')}: ${JSON_TYPE}`, ...(answer.allowOrigin ? [`${names('access-control-allow-origin')}: *`] : []), `content-length: ${Buffer.byteLength(body)}`];
  socket.end(`HTTP/1.1 404 Not Found\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}
