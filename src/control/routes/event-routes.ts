import { z } from 'zod';
import type { ClusterControl } from '../cluster-control.js';
import { joinPieces } from '../../rest/serializer/answer-pieces.js';
import type { PendingEvent } from '../event-control.js';
import type { EventInput } from '../live-action.js';
import { aList, anObject, EVENT, NOTHING } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

/** Events of a list that are written at once. */
const PIECE_EVENTS = 50;

/** A list of events as JSON, in pieces: there may be ten thousand. */
function* listing(events: Iterable<PendingEvent>): Generator<string, void> {
  yield '{"events":[';
  let before = '';
  let piece: string[] = [];
  for (const event of events) {
    if (piece.push(JSON.stringify(event)) < PIECE_EVENTS) continue;
    yield before + piece.join(',');
    before = ',';
    piece = [];
  }
  yield `${piece.length > 0 ? before : ''}${piece.join(',')}]}`;
}

export function eventRoutes(routes: ControlRoutes, { events }: ClusterControl): void {
  routes.get('/events', { schema: { operationId: 'getEvents', tags: ['events'], summary: 'Events that are still to come', response: { 200: aList('events', 'The next first.') } } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((await joinPieces(listing(events.coming()))) as never));
  routes.post('/events', { schema: { operationId: 'applyEvent', tags: ['events'], summary: "Do what a scenario's timeline can do, now or later", body: EVENT, response: { 201: anObject('When it happens, and the action as the simulation takes it.') } } }, ({ body }, reply) => {
    void reply.code(201);
    return { ...events.apply(body as EventInput) };
  });
  routes.delete('/events/:id', { schema: { operationId: 'cancelEvent', tags: ['events'], summary: 'Take an event back', params: z.object({ id: z.coerce.number().int().min(0) }), response: { 204: NOTHING } } }, ({ params }, reply) => {
    events.cancel(params.id);
    void reply.code(204);
    return null;
  });
}
