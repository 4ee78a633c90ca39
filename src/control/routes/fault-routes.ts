import { z } from 'zod';
import type { HttpFaultInput } from '../../scenario/schema/http-fault-schema.js';
import type { ClusterControl } from '../cluster-control.js';
import { aList, anObject, FAULT, NOTHING, REFUSAL } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

const PARAMS = z.object({ id: z.string() });

export function faultRoutes(routes: ControlRoutes, { faults }: ClusterControl): void {
  routes.get('/faults', { schema: { operationId: 'getFaults', tags: ['faults'], summary: 'HTTP faults in force', response: { 200: aList('faults', 'In the order in which they are applied.') } } }, () => ({ faults: faults.list().map((fault) => ({ ...fault })) }));
  routes.post('/faults', { schema: { operationId: 'addFault', tags: ['faults'], summary: 'Add an HTTP fault', body: FAULT, response: { 201: z.object({ id: z.string() }) } } }, ({ body }, reply) => {
    void reply.code(201);
    return { id: faults.add(body as unknown as HttpFaultInput) };
  });
  routes.delete('/faults', { schema: { operationId: 'clearFaults', tags: ['faults'], summary: 'Take all HTTP faults away', response: { 204: NOTHING } } }, (_request, reply) => {
    faults.clear();
    void reply.code(204);
    return null;
  });
  routes.get('/faults/:id', { schema: { operationId: 'getFault', tags: ['faults'], summary: 'One fault, and how often it struck', params: PARAMS, response: { 200: anObject('The fault.') } } }, ({ params }) => ({ ...faults.get(params.id) }));
  routes.delete('/faults/:id', { schema: { operationId: 'removeFault', tags: ['faults'], summary: 'Take an HTTP fault away', params: PARAMS, response: { 204: NOTHING } } }, ({ params }, reply) => {
    faults.remove(params.id);
    void reply.code(204);
    return null;
  });
  routes.post('/connections/refuse', { schema: { operationId: 'refuseConnections', tags: ['faults'], summary: 'Let nobody connect for a while', body: REFUSAL, response: { 202: NOTHING } } }, ({ body }, reply) => {
    // After the answer: whoever asked is connected to the port that closes.
    reply.raw.once('finish', () => void faults.refuseConnections(body.forMs));
    void reply.code(202).header('connection', 'close');
    return null;
  });
}
