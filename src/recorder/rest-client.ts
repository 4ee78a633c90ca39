import { RecorderError } from './recorder-error.js';

/** What a cluster answered to a GET. */
export interface Answer {
  /** With the query. */
  readonly path: string;
  /** When it came, epoch ms. */
  readonly atMs: number;
  readonly status: number;
  /** null = it had none. */
  readonly contentType: string | null;
  readonly body: string;
}

/** A cluster that is watched; only ever asked with GET. */
export interface RestClient {
  /** `mostBytes`: the rest of a longer body is left where it is. */
  get(path: string, mostBytes?: number): Promise<Answer>;
  /** Lets time pass; ends early when the recording is stopped. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Epoch ms. */
  now(): number;
}

/** How long the job manager needs to fetch metrics from its task managers. */
export const METRICS_FETCH_MS = 500;

const PATIENCE_MS = 30_000;

/** `http://host:8081/` without the slash; throws when it is no address of a web server. */
export function readBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(/^[\w.-]+:\d+/.test(text) ? `http://${text}` : text);
  } catch {
    throw new RecorderError(`found ${JSON.stringify(text)}; allowed: the address of a Flink REST API, such as http://flink:8081`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RecorderError(`found ${JSON.stringify(text)}; allowed: http:// or https://`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `no answer in ${PATIENCE_MS / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}

async function readUpTo(answer: Response, mostBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length >= mostBytes) break;
  }
  return text;
}

/** Asks over HTTP. */
export class HttpRestClient implements RestClient {
  constructor(
    readonly baseUrl: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  async get(path: string, mostBytes = Infinity): Promise<Answer> {
    try {
      const answer = await fetch(this.baseUrl + path, { headers: this.headers, signal: AbortSignal.timeout(PATIENCE_MS) });
      const body = mostBytes === Infinity ? await answer.text() : await readUpTo(answer, mostBytes);
      return { path, atMs: this.now(), status: answer.status, contentType: answer.headers.get('content-type'), body };
    } catch (error) {
      throw new RecorderError(`${this.baseUrl} cannot be reached (${reasonOf(error)}); check the address, and that the job manager runs`);
    }
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
    });
  }

  now(): number {
    return Date.now();
  }
}
