import { z } from 'zod';
import type { ClusterControl } from '../cluster-control.js';
import type { EventInput } from '../live-action.js';
import { aList, anObject, EVENT, NOTHING } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

export function eventRoutes(routes: ControlRoutes, { events }: ClusterControl): void {
  routes.get('/events', { schema: { operationId: 'getEvents', tags: ['events'], summary: 'Events that are still to come', response: { 200: aList('events', 'The next first.') } } }, () => ({ events: events.pending().map((event) => ({ ...event })) }));
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
