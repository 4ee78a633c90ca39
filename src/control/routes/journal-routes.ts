import type { ClusterControl } from '../cluster-control.js';
import { anObject, aList, JOURNAL_QUERY, NOTHING, VERIFICATION } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';
import { z } from 'zod';

export function journalRoutes(routes: ControlRoutes, { journal }: ClusterControl): void {
  routes.get('/journal', { schema: { operationId: 'getJournal', tags: ['journal'], summary: "Requests to Flink's API, the latest last", querystring: JOURNAL_QUERY, response: { 200: aList('requests', 'What was asked, when, by whom, what was answered.').extend({ total: z.int(), count: z.int() }) } } }, ({ query }) => {
    const { limit, ...pattern } = query;
    const found = journal.entries(pattern);
    return { total: journal.total, count: found.length, requests: found.slice(-limit).map((entry) => ({ ...entry })) };
  });
  routes.post('/journal/verify', { schema: { operationId: 'verifyJournal', tags: ['journal'], summary: 'Were there such requests? Near misses where not', body: VERIFICATION, response: { 200: anObject('passed, count, expected, nearMisses.') } } }, ({ body }) => {
    const { match, ...expected } = body;
    return { ...journal.verify(match, expected) };
  });
  routes.delete('/journal', { schema: { operationId: 'clearJournal', tags: ['journal'], summary: 'Forget the requests so far', response: { 204: NOTHING } } }, (_request, reply) => {
    journal.clear();
    void reply.code(204);
    return null;
  });
}
