import type { ClusterControl } from '../cluster-control.js';
import { FEED_EVENT_TYPES, type FeedEvent } from '../event-feed.js';
import { ControlError } from '../problem.js';
import { STREAM_QUERY } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

export const STREAM_LIMITS = { clients: 50, waitingBytes: 1024 * 1024 };
const HEARTBEAT_MS = 15_000;

/** What happens, as server-sent events. A client that does not read is dropped. */
export function streamRoutes(routes: ControlRoutes, { feed }: ClusterControl): void {
  const open = new Set<() => void>();
  routes.addHook('preClose', (done) => {
    for (const end of open) end();
    done();
  });
  routes.get('/stream', { schema: { operationId: 'stream', tags: ['journal'], summary: 'Server-sent events: clock, reset, event, job, checkpoint, task-manager, request', querystring: STREAM_QUERY } }, ({ query, raw }, reply) => {
    if (open.size >= STREAM_LIMITS.clients) throw new ControlError(429, `${STREAM_LIMITS.clients} clients listen already; no more are allowed`);
    const types = query.types?.split(',') ?? [...FEED_EVENT_TYPES];
    const unknown = types.find((type) => !(FEED_EVENT_TYPES as readonly string[]).includes(type));
    if (unknown !== undefined) throw new ControlError(400, `there are no events of type ${unknown}; allowed: ${FEED_EVENT_TYPES.join(', ')}`);
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': mock-flink\n\n');
    const write = (text: string): void => {
      if (response.writableLength > STREAM_LIMITS.waitingBytes) response.destroy();
      else response.write(text);
    };
    const unsubscribe = feed.subscribe((event: FeedEvent) => {
      if (types.includes(event.type)) write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    });
    const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS);
    heartbeat.unref();
    const end = (): void => {
      clearInterval(heartbeat);
      unsubscribe();
      open.delete(end);
      response.end();
    };
    open.add(end);
    raw.once('close', end);
    response.once('close', end);
  });
}
