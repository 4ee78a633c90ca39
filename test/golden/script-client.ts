import { request } from 'node:http';
import type { RecordedAnswer } from './recording.js';

/** Asks a server as the recordings were made (one connection a request, no redirect followed) and keeps what came back. */
export class ScriptClient {
  readonly records: RecordedAnswer[] = [];

  constructor(
    private readonly port: number,
    /** Lets seconds of the cluster's time pass. */
    readonly sleep: (seconds: number) => Promise<void>,
    /** Called before each request. */
    private readonly beforeRequest: () => Promise<void>,
  ) {}

  async ask(method: string, path: string, options: { body?: unknown; contentType?: string; name?: string; keep?: boolean } = {}): Promise<RecordedAnswer> {
    await this.beforeRequest();
    const { body } = options;
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const payload = body === undefined ? undefined : isText ? body : JSON.stringify(body);
    const contentType = options.contentType ?? (payload !== undefined && !isText ? 'application/json' : undefined);
    const record: RecordedAnswer = { name: options.name ?? `${method} ${path}`, method, path, status: null, headers: {} };
    try {
      const answer = await this.send(method, path, payload, contentType);
      record.status = answer.status;
      record.headers = answer.headers;
      try {
        record.json = JSON.parse(answer.body);
        record.body = answer.body;
      } catch {
        record.text = answer.body.slice(0, 4000);
      }
    } catch (error) {
      record.text = String(error);
    }
    if (options.keep !== false) this.records.push(record);
    return record;
  }

  /** The JSON object at a path, not kept; `{}` when there is none. */
  async look(path: string): Promise<Record<string, any>> {
    const { json } = await this.ask('GET', path, { keep: false });
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : {};
  }

  private send(method: string, path: string, payload: string | Buffer | undefined, contentType: string | undefined): Promise<{ status: number; headers: Record<string, string>; body: string }> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string | number> = { Connection: 'close' };
      if (contentType) headers['Content-Type'] = contentType;
      if (payload !== undefined) headers['Content-Length'] = Buffer.byteLength(payload);
      const outgoing = request({ host: '127.0.0.1', port: this.port, method, path, headers, agent: false, timeout: 30_000 }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const received = Object.fromEntries(Object.entries(incoming.headers).map(([key, value]) => [key, String(value)]));
          resolve({ status: incoming.statusCode!, headers: received, body: Buffer.concat(chunks).toString('utf8') });
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in 30 s')));
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
}
