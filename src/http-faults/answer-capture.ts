import type { ServerResponse } from 'node:http';

/** An answer before it is written. */
export interface WholeAnswer {
  readonly status: number;
  readonly reason: string | undefined;
  /** Flat: name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** The response's own functions, past those that hold the answer back. */
export interface AnswerWriter {
  head(answer: WholeAnswer): void;
  write(chunk: Buffer): void;
  end(chunk?: Buffer): void;
}

/** Bytes that are held back at most; a longer answer goes by as it is. */
const MAX_CAPTURED_BYTES = 64 * 1024 * 1024;

type Callback = (error?: Error | null) => void;

/** Holds an answer back until it is whole and lets `deliver` write it. */
export function captureAnswer(response: ServerResponse, deliver: (answer: WholeAnswer, writer: AnswerWriter) => void): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse;
  const write = response.write.bind(response) as (chunk: Buffer, done?: Callback) => boolean;
  const end = response.end.bind(response) as (chunk?: Buffer) => ServerResponse;
  const writer: AnswerWriter = {
    head: ({ status, reason, headers }) => void (reason === undefined ? writeHead(status, [...headers]) : writeHead(status, reason, [...headers])),
    write: (chunk) => void write(chunk),
    end: (chunk) => void (chunk === undefined ? end() : end(chunk)),
  };
  let status = 200;
  let reason: string | undefined;
  let headers: string[] = [];
  let chunks: Buffer[] = [];
  let bytes = 0;
  let passing = false;

  response.writeHead = ((code: number, ...rest: unknown[]) => {
    status = code;
    if (typeof rest[0] === 'string') reason = rest.shift() as string;
    else if (response.statusMessage) reason = response.statusMessage;
    headers = [...flat(response.getHeaders()), ...flat(rest[0])];
    return response;
  }) as typeof response.writeHead;

  response.write = ((chunk: string | Uint8Array, encoding?: BufferEncoding | Callback, done?: Callback) => {
    const buffer = toBuffer(chunk, encoding);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (passing) return write(buffer, callback);
    chunks.push(buffer);
    bytes += buffer.length;
    if (bytes > MAX_CAPTURED_BYTES) {
      passing = true;
      writer.head({ status, reason, headers, body: Buffer.alloc(0) });
      for (const held of chunks) writer.write(held);
      chunks = [];
    }
    if (callback) process.nextTick(callback);
    return true;
  }) as typeof response.write;

  response.end = ((chunk?: string | Uint8Array | Callback, encoding?: BufferEncoding | Callback) => {
    const last = chunk === undefined || chunk === null || typeof chunk === 'function' ? undefined : toBuffer(chunk, encoding);
    if (passing) {
      writer.end(last);
      return response;
    }
    if (last) chunks.push(last);
    deliver({ status, reason, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) }, writer);
    return response;
  }) as typeof response.end;
}

function toBuffer(chunk: string | Uint8Array, encoding: BufferEncoding | Callback | undefined): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : Buffer.from(chunk);
}

function flat(headers: unknown): string[] {
  if (Array.isArray(headers)) return headers.map(String);
  return Object.entries((headers ?? {}) as Record<string, unknown>).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]));
}

/** The answer with another body, its length told right. */
export function withBody(answer: WholeAnswer, body: Buffer): WholeAnswer {
  return { ...answer, body, headers: withHeader(answer.headers, 'content-length', String(body.length)) };
}

/** The headers with one set (null: left out), at the place it had. */
export function withHeader(headers: readonly string[], name: string, value: string | null): string[] {
  const result: string[] = [];
  let found = false;
  for (let i = 0; i < headers.length; i += 2) {
    const isIt = headers[i]!.toLowerCase() === name;
    if (!isIt) result.push(headers[i]!, headers[i + 1]!);
    else if (value !== null) result.push(headers[i]!, value);
    found ||= isIt;
  }
  if (!found && value !== null) result.push(name, value);
  return result;
}
