import type { FastifyInstance } from 'fastify';
import { inject, type InjectedAnswer } from './inject.js';

/** What undici hands to a dispatcher, as far as it is used here. */
export interface DispatchOptions {
  readonly origin?: string | URL | null | undefined;
  readonly path: string;
  readonly method: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
}

export type Dispatch = (options: never, handler: never) => boolean;
/** As `Dispatcher.compose` of undici takes it. */
export type Interceptor = (dispatch: Dispatch) => (options: DispatchOptions, handler: unknown) => boolean;

/** Handlers of undici 7 (onRequestStart …) and before (onConnect …). */
interface Handler {
  onRequestStart?(controller: Controller, context: unknown): void;
  onResponseStart?(controller: Controller, status: number, headers: Record<string, string | string[]>, statusText: string): void;
  onResponseData?(controller: Controller, chunk: Buffer): void;
  onResponseEnd?(controller: Controller, trailers: object): void;
  onResponseError?(controller: Controller, error: Error): void;
  onConnect?(abort: (reason?: Error) => void): void;
  onHeaders?(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean | void;
  onData?(chunk: Buffer): boolean | void;
  onComplete?(trailers: Buffer[]): void;
  onError?(error: Error): void;
}

/** Steers one exchange. undici looks at these. */
class Controller {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  rawHeaders: Buffer[] = [];
  rawTrailers: Buffer[] = [];
  #waiting: (() => void)[] = [];

  constructor(private readonly onAbort: (reason: Error) => void) {}

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason ?? new Error('aborted');
    this.onAbort(this.reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    for (const go of this.#waiting.splice(0)) go();
  }

  whenFlowing(): Promise<void> {
    return this.paused ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }
}

/** Answers requests to these origins from a server that does not listen; all others go on. */
export function createInterceptor(app: FastifyInstance, origins: readonly string[]): Interceptor {
  const ours = new Set(origins.map((origin) => new URL(origin).origin));
  return (dispatch) => (options, handler) => {
    if (!ours.has(new URL(String(options.origin)).origin)) return dispatch(options as never, handler as never);
    void exchange(app, options, handler as Handler);
    return true;
  };
}

async function exchange(app: FastifyInstance, options: DispatchOptions, handler: Handler): Promise<void> {
  const isNew = typeof handler.onRequestStart === 'function';
  let failed = false;
  const fail = (error: Error): void => {
    if (failed) return;
    failed = true;
    if (isNew) handler.onResponseError?.(controller, error);
    else handler.onError?.(error);
  };
  const controller = new Controller(fail);
  try {
    if (isNew) handler.onRequestStart!(controller, {});
    else handler.onConnect?.((reason) => controller.abort(reason ?? new Error('aborted')));
    if (controller.aborted) return;
    const body = await readBody(options.body);
    const answer = await inject(app, { method: options.method, target: targetOf(options), headers: { host: new URL(String(options.origin)).host, ...headersOf(options.headers) }, body });
    if (controller.aborted) return;
    await (isNew ? give(handler, controller, answer) : giveOld(handler, controller, answer));
  } catch (error) {
    fail(error as Error);
  }
}

async function give(handler: Handler, controller: Controller, answer: InjectedAnswer): Promise<void> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of answer.headers) headers[name] = name in headers ? [headers[name]!, value].flat() : value;
  controller.rawHeaders = answer.headers.flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
  handler.onResponseStart?.(controller, answer.status, headers, answer.statusText);
  await controller.whenFlowing();
  if (controller.aborted) return;
  if (answer.body.length > 0) handler.onResponseData?.(controller, answer.body);
  await controller.whenFlowing();
  if (!controller.aborted) handler.onResponseEnd?.(controller, {});
}

async function giveOld(handler: Handler, controller: Controller, answer: InjectedAnswer): Promise<void> {
  const raw = answer.headers.flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
  const resume = (): void => controller.resume();
  if (handler.onHeaders?.(answer.status, raw, resume, answer.statusText) === false) controller.pause();
  await controller.whenFlowing();
  if (controller.aborted) return;
  if (answer.body.length > 0 && handler.onData?.(answer.body) === false) controller.pause();
  await controller.whenFlowing();
  if (!controller.aborted) handler.onComplete?.([]);
}

function targetOf({ path, query }: DispatchOptions): string {
  if (!query) return path;
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) for (const each of [value].flat()) parameters.append(key, String(each));
  return `${path}${path.includes('?') ? '&' : '?'}${parameters.toString()}`;
}

/** Flat (name, value, …), pairs, or a map. */
function headersOf(headers: unknown): Record<string, string> {
  if (headers === null || headers === undefined) return {};
  if (Array.isArray(headers)) {
    const result: Record<string, string> = {};
    if (headers.some(Array.isArray)) for (const [name, value] of headers as [unknown, unknown][]) result[String(name).toLowerCase()] = String(value);
    else for (let i = 0; i < headers.length; i += 2) result[String(headers[i]).toLowerCase()] = String(headers[i + 1]);
    return result;
  }
  if (typeof (headers as Iterable<unknown>)[Symbol.iterator] === 'function') return headersOf([...(headers as Iterable<unknown>)]);
  return Object.fromEntries(Object.entries(headers as Record<string, unknown>).flatMap(([name, value]) => (value === undefined || value === null ? [] : [[name.toLowerCase(), [value].flat().join(', ')]])));
}

async function readBody(body: unknown): Promise<Buffer | undefined> {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as Uint8Array);
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof FormData || body instanceof Blob) return Buffer.from(await new Response(body).arrayBuffer());
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<string | Uint8Array>) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
