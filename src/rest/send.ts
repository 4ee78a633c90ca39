import type { FastifyReply } from 'fastify';
import { pipeline } from 'node:stream';

export const JSON_TYPE = 'application/json; charset=UTF-8';

/** How a version's Netty writes header names: `Content-Type` before 1.14, `content-type` later. `content-length` is always lower-case. */
export type HeaderNames = Readonly<Record<'contentType' | 'allowOrigin' | 'connection', string>>;

export const CAPITAL_HEADERS: HeaderNames = { contentType: 'Content-Type', allowOrigin: 'Access-Control-Allow-Origin', connection: 'Connection' };
export const LOWER_HEADERS: HeaderNames = { contentType: 'content-type', allowOrigin: 'access-control-allow-origin', connection: 'connection' };

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer | NodeJS.ReadableStream;
  /** Handlers of Flink's own message classes send it, those of files do not. */
  readonly allowOrigin: boolean;
  /** More headers, flat: name, value, name, value. */
  readonly headers?: readonly string[];
}

/**
 * Writes an answer as Netty does: no date, no server, `connection: keep-alive` only where the connection stays, the names' case and order
 * as recorded. Goes past fastify's own header handling, which can do none of that.
 */
export function send(reply: FastifyReply, names: HeaderNames, answer: Answer): FastifyReply {
  reply.hijack();
  const res = reply.raw;
  res.sendDate = false;
  const headers: string[] = [names.contentType, answer.contentType];
  if (answer.allowOrigin) headers.push(names.allowOrigin, '*');
  if (answer.headers) headers.push(...answer.headers);
  if (res.shouldKeepAlive) headers.push(names.connection, 'keep-alive');
  else res.removeHeader('connection');
  const { body } = answer;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    headers.push('content-length', String(Buffer.byteLength(body)));
    res.writeHead(answer.status, headers);
    res.end(body);
  } else {
    res.writeHead(answer.status, headers);
    pipeline(body, res, () => undefined);
  }
  return reply;
}
