import { z } from 'zod';
import type { ClusterControl } from '../cluster-control.js';
import { BODY_LIMITS } from '../problem.js';
import { aList, anObject, CLOCK, NAMED, NOTHING, RESET, SEED } from '../schemas.js';
import type { ControlRoutes } from './control-routes.js';

const PARAMS = z.object({ name: z.string() });
const BYTES = 'application/octet-stream';

export function historyRoutes(routes: ControlRoutes, control: ClusterControl): void {
  const { history, clock } = control;
  routes.post('/reset', { schema: { operationId: 'reset', tags: ['history'], summary: 'Back to the start, or to a mark', body: RESET.nullish(), response: { 200: CLOCK } } }, async ({ body }) => {
    await history.reset(body?.to, body?.seed);
    return clock.view();
  });
  routes.get('/seed', { schema: { operationId: 'getSeed', tags: ['history'], summary: 'Seed of everything random', response: { 200: SEED } } }, () => ({ seed: control.state.model.seed }));
  routes.put('/seed', { schema: { operationId: 'setSeed', tags: ['history'], summary: 'Begin anew with another seed', body: SEED, response: { 200: SEED } } }, async ({ body }) => {
    await history.reset('start', body.seed);
    return { seed: body.seed };
  });
  routes.get('/marks', { schema: { operationId: 'getMarks', tags: ['history'], summary: 'Named instants to go back to', response: { 200: aList('marks', 'The oldest first.') } } }, () => ({ marks: history.listMarks().map((mark) => ({ ...mark })) }));
  routes.post('/marks', { schema: { operationId: 'mark', tags: ['history'], summary: 'Remember how everything is now', body: NAMED, response: { 201: anObject('The mark.') } } }, async ({ body }, reply) => {
    void reply.code(201);
    return { ...(await history.mark(body.name)) };
  });
  routes.delete('/marks/:name', { schema: { operationId: 'removeMark', tags: ['history'], summary: 'Forget a mark', params: PARAMS, response: { 204: NOTHING } } }, ({ params }, reply) => {
    history.removeMark(params.name);
    void reply.code(204);
    return null;
  });
  void routes.register(async (scope) => {
    scope.addContentTypeParser(BYTES, { parseAs: 'buffer', bodyLimit: BODY_LIMITS.snapshotBytes }, (_request, body, done) => done(null, body));
    const bytes = scope as unknown as ControlRoutes;
    bytes.get('/snapshot', { schema: { operationId: 'takeSnapshot', tags: ['history'], summary: 'Everything there is, as a file' } }, async (_request, reply) => reply.type(BYTES).serializer((payload) => payload as string).send(await history.snapshot()));
    bytes.put('/snapshot', { schema: { operationId: 'restoreSnapshot', tags: ['history'], summary: 'Go on from a file that was taken', response: { 200: CLOCK } } }, async ({ body }) => {
      await history.restore(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      return clock.view();
    });
  });
  routes.get('/snapshots', { schema: { operationId: 'getSnapshots', tags: ['history'], summary: 'Snapshots that were saved', response: { 200: aList('snapshots', 'By name.') } } }, async () => ({ snapshots: (await history.listSaved()).map((each) => ({ ...each })) }));
  routes.post('/snapshots', { schema: { operationId: 'saveSnapshot', tags: ['history'], summary: "Save a snapshot in the server's folder", body: NAMED, response: { 201: anObject('What was saved.') } } }, async ({ body }, reply) => {
    void reply.code(201);
    return { ...(await history.save(body.name)) };
  });
  routes.post('/snapshots/:name/restore', { schema: { operationId: 'restoreSaved', tags: ['history'], summary: 'Go on from a saved snapshot', params: PARAMS, response: { 200: CLOCK } } }, async ({ params }) => {
    await history.restoreSaved(params.name);
    return clock.view();
  });
  routes.delete('/snapshots/:name', { schema: { operationId: 'removeSnapshot', tags: ['history'], summary: 'Remove a saved snapshot', params: PARAMS, response: { 204: NOTHING } } }, async ({ params }, reply) => {
    await history.removeSaved(params.name);
    void reply.code(204);
    return null;
  });
}
