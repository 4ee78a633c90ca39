import type { ConnectionError, FastifyRequest } from 'fastify';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FlinkOptions } from '../versions/flink-options.js';
import type { RestFeatures } from '../versions/rest-features.js';
import { isMultipart } from './multipart.js';
import { decodedPath, MalformedTargetError, queryParameters } from './request-target.js';
import { JSON_TYPE, type Answer, type HeaderNames } from './send.js';
import { errorsJson } from './serializer/json-string.js';

/**
 * Netty's limit of the request line; headers in all (Netty answers any, but hears nothing more on that connection beyond 8 KiB); how long head
 * and whole request may take (Flink waits for ever); how often that is looked at.
 */
export const PROTOCOL_LIMITS = { requestLineBytes: 4096, headerBytes: 64 * 1024, headersTimeoutMs: 60_000, requestTimeoutMs: 300_000, timeoutCheckMs: 5_000 };

const MAX_CONTENT_BYTES = 104_857_600;

/** Bytes that a body which is no form may have (rest.server.max-content-length). */
export function maxContentBytes(options: FlinkOptions): number {
  const given = Number(options['rest.server.max-content-length'] ?? MAX_CONTENT_BYTES);
  return Number.isInteger(given) && given > 0 ? Math.min(given, MAX_CONTENT_BYTES) : MAX_CONTENT_BYTES;
}

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
export function refusal(request: FastifyRequest, target: string, features: RestFeatures, maxBodyBytes: number): Answer | null {
  const { method, headers, httpVersion } = request.raw;
  // Node takes a line without a version for HTTP/0.9.
  if (httpVersion === '0.9') return BAD_REQUEST;
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
  if (!multipart && Number(headers['content-length'] ?? 0) > maxBodyBytes) return TOO_LARGE;
  return null;
}

/** Flink waits for ever; here a request that does not come to its end is given up. */
const TOO_SLOW = bareError(408, 'The request did not come in time.', { close: true });

/** Answers what Node's parser does not even take for a request. */
export function answerUnreadable(error: ConnectionError, socket: Socket, features: RestFeatures, names: HeaderNames): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const answer = (error.code as string) === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : (unknownMethodAnswer(error, features) ?? BAD_REQUEST);
  sayLast(socket, bareHttp(answer, names));
}

/** How long a connection that was answered and ended may stay half open, so that the answer is read before it breaks, ms. */
const LAST_WORD_MS = 2_000;

/** Ends a connection; whoever sends on and on, or never closes, is not waited for. */
function sayLast(socket: Duplex, text: string): void {
  socket.on('error', () => socket.destroy());
  socket.resume();
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), LAST_WORD_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Node knows a list of methods; Netty takes any word. */
function unknownMethodAnswer(error: ConnectionError, features: RestFeatures): Answer | null {
  if (error.code !== 'HPE_INVALID_METHOD') return null;
  const packet = Buffer.from((error.rawPacket as unknown as Buffer | undefined) ?? '').toString('latin1');
  // Requests before it, in the same packet, were read.
  const begin = packet.lastIndexOf('\r\n\r\n', error.bytesParsed);
  const line = /^[^\s]+ ([^\s]+) HTTP\/1\.[01]\r?\n/.exec(begin < 0 ? packet : packet.slice(begin + 4));
  return line ? notFoundAnswer(line[1]!, features) : null;
}

/** CONNECT is a method like any other for Flink, and no route has it. */
export function answerConnect({ url = '' }: IncomingMessage, socket: Duplex, features: RestFeatures, names: HeaderNames): void {
  sayLast(socket, bareHttp(notFoundAnswer(url, features), names));
}

function bareHttp({ status, body, allowOrigin }: Answer, names: HeaderNames): string {
  const text = body as string;
  const headers = [`${names('content-type')}: ${JSON_TYPE}`, ...(allowOrigin ? [`${names('access-control-allow-origin')}: *`] : []), `content-length: ${Buffer.byteLength(text)}`];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${text}`;
}
