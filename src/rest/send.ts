import type { FastifyReply } from 'fastify';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { RestFeatures } from '../versions/rest-features.js';

export const JSON_TYPE = 'application/json; charset=UTF-8';

const NAMES = {
  'content-type': 'Content-Type',
  'access-control-allow-origin': 'Access-Control-Allow-Origin',
  connection: 'Connection',
  date: 'Date',
  expires: 'Expires',
  'cache-control': 'Cache-Control',
  'last-modified': 'Last-Modified',
} as const;

/** Names of headers as the version's Netty writes them. `content-length` and all others are lower-case always. */
export type HeaderName = keyof typeof NAMES;
export type HeaderNames = (name: HeaderName) => string;

export function headerNames(features: RestFeatures): HeaderNames {
  return features.headerNamesAreCapitalized ? (name) => NAMES[name] : (name) => name;
}

export interface Answer {
  readonly status: number;
  /** null = none. */
  readonly contentType: string | null;
  readonly body: string | Buffer | NodeJS.ReadableStream;
  /** Sent by handlers of Flink's own message classes, not by those of files. */
  readonly allowOrigin: boolean;
  /** Between type and connection, flat: name, value, name, value. */
  readonly headers?: readonly string[];
  /** Bytes of a stream. */
  readonly length?: number;
  /** Where it is not the status's usual one. */
  readonly reason?: string;
  /** The connection stays, but that is not said. */
  readonly silent?: boolean;
  /** The connection is closed without a word. */
  readonly close?: boolean;
}

/**
 * Writes an answer as Netty does: no date, no server, `connection: keep-alive` only where the connection stays, case and order of the names
 * as recorded. Goes past fastify's own header handling, which can do none of that.
 */
export function send(reply: FastifyReply, names: HeaderNames, answer: Answer): void {
  reply.hijack();
  sendRaw(reply.raw, names, answer);
}

export function sendRaw(response: ServerResponse, names: HeaderNames, answer: Answer): void {
  const { body, close = false } = answer;
  response.sendDate = false;
  if (answer.reason !== undefined) response.statusMessage = answer.reason;
  if (close) response.shouldKeepAlive = false;
  const keptAlive = response.shouldKeepAlive && !answer.silent;
  const headers = headersOf(answer, names, keptAlive);
  if (!keptAlive) response.removeHeader('connection');
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    if (answer.status !== 304) headers.push('content-length', String(Buffer.byteLength(body)));
    response.writeHead(answer.status, headers);
    response.end(body);
  } else {
    if (answer.length !== undefined) headers.push('content-length', String(answer.length));
    response.writeHead(answer.status, headers);
    pipeline(body, response, () => undefined);
  }
}

function headersOf({ contentType, allowOrigin, headers }: Answer, names: HeaderNames, keptAlive: boolean): string[] {
  const list: string[] = [];
  if (contentType !== null) list.push(names('content-type'), contentType);
  if (allowOrigin) list.push(names('access-control-allow-origin'), '*');
  if (headers) list.push(...headers);
  if (keptAlive) list.push(names('connection'), 'keep-alive');
  return list;
}

/** All bytes of an answer on a connection that stays, a character each: the form in which Node writes them without looking at them. */
export function wireForm(answer: Answer & { readonly body: string | Buffer }, names: HeaderNames): string {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body, 'utf8') : answer.body;
  const headers = [...headersOf(answer, names, true), 'content-length', String(body.length)];
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'unknown'}`];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  return Buffer.concat([Buffer.from(lines.join('\r\n') + '\r\n\r\n', 'latin1'), body]).toString('latin1');
}

/**
 * Sends what `wireForm` made. Node would put a head together from its parts at every answer, which costs as much as the rest of it; what is in
 * place as the head of a message without a body goes out as it is.
 */
export function sendWireForm(response: ServerResponse, wire: string): void {
  const message = response as ServerResponse & { _header: string; _hasBody: boolean };
  message._header = wire;
  message._hasBody = false;
  message.end();
}
