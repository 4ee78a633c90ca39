import { Agent, request, type FormData, type Dispatcher } from 'undici';
import type { Outcome } from './judge.js';

/** Longer than any answer takes, even on a machine that has other work to do. */
const PATIENCE_MS = 60_000;

/** Connections of many clients; each answer, or failure to get one, is an outcome. */
export class Client implements AsyncDisposable {
  readonly #agent = new Agent({ connections: 128, pipelining: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connect: { timeout: PATIENCE_MS } });

  constructor(readonly url: string) {}

  async ask(method: string, target: string, body?: string | FormData, onHeaders?: () => void): Promise<Outcome> {
    const fromMs = performance.now();
    try {
      const response = await request(this.url + target, { method: method as Dispatcher.HttpMethod, dispatcher: this.#agent, ...(body === undefined ? {} : { body: body as string, ...(typeof body === 'string' ? { headers: { 'content-type': 'application/json' } } : {}) }) });
      onHeaders?.();
      const text = await response.body.text();
      return { method, target, fromMs, untilMs: performance.now(), status: response.statusCode, type: String(response.headers['content-type'] ?? ''), text };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return { method, target, fromMs, untilMs: performance.now(), status: null, type: '', text: message, failure: code ?? message };
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#agent.destroy();
  }
}
