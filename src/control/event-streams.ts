import type { FastifyReply } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ControlError } from './problem.js';
import type { ControlRoutes } from './routes/control-routes.js';

export const STREAM_LIMITS = { clients: 50, waitingBytes: 1024 * 1024 };
const HEARTBEAT_MS = 15_000;

/** Server-sent events to one client. */
export interface EventStream {
  write(type: string, data: unknown): void;
  /** What was written last has not left yet: the client reads slowly. */
  readonly isWaiting: boolean;
  /** Called once, when the client has gone or the server closes. */
  onEnd(listener: () => void): void;
}

/** All clients that listen, whatever to. One that does not read is dropped; when the server closes they are told. */
export class EventStreams {
  private readonly ends = new Set<() => void>();

  constructor(routes: ControlRoutes) {
    routes.addHook('preClose', (done) => {
      for (const end of this.ends) end();
      done();
    });
  }

  open(reply: FastifyReply, request: IncomingMessage): EventStream {
    if (this.ends.size >= STREAM_LIMITS.clients) throw new ControlError(429, `${STREAM_LIMITS.clients} clients listen already; no more are allowed`);
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': mock-flink\n\n');
    const write = (text: string): void => {
      if (response.writableLength > STREAM_LIMITS.waitingBytes) response.destroy();
      else response.write(text);
    };
    const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
    heartbeat.unref();
    let ended: () => void = () => undefined;
    const end = (): void => {
      if (!this.ends.delete(end)) return;
      clearInterval(heartbeat);
      ended();
      response.end();
    };
    this.ends.add(end);
    request.once('close', end);
    response.once('close', end);
    return {
      write: (type, data) => write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`),
      get isWaiting() {
        return response.writableLength > 0;
      },
      onEnd: (listener) => {
        ended = listener;
      },
    };
  }
}
