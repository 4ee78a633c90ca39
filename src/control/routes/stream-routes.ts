import type { ClusterControl } from '../cluster-control.js';
import { FEED_EVENT_TYPES } from '../event-feed.js';
import type { EventStreams } from '../event-streams.js';
import { ControlError } from '../problem.js';
import { STREAM_QUERY } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

/** What happens, as server-sent events. */
export function streamRoutes(routes: ControlRoutes, { feed }: ClusterControl, streams: EventStreams): void {
  routes.get('/stream', { schema: { operationId: 'stream', tags: ['journal'], summary: 'Server-sent events: clock, reset, event, job, checkpoint, task-manager, request', querystring: STREAM_QUERY } }, ({ query, raw }, reply) => {
    const types = query.types?.split(',') ?? [...FEED_EVENT_TYPES];
    const unknown = types.find((type) => !(FEED_EVENT_TYPES as readonly string[]).includes(type));
    if (unknown !== undefined) throw new ControlError(400, `there are no events of type ${unknown}; allowed: ${FEED_EVENT_TYPES.join(', ')}`);
    const stream = streams.open(reply, raw);
    stream.onEnd(
      feed.subscribe((event) => {
        if (types.includes(event.type)) stream.write(event.type, event);
      }),
    );
  });
}
