import type { ClusterControl } from '../cluster-control.js';
import { CLOCK, CLOCK_CHANGE, HEALTH, WAIT, WAITED } from '../schemas.js';
import type { ConditionInput } from '../conditions.js';
import type { ControlRoutes } from './control-routes.js';

export function clockRoutes(routes: ControlRoutes, control: ClusterControl): void {
  const { clock } = control;
  routes.get('/health', { schema: { operationId: 'getHealth', tags: ['server'], summary: 'Is it up?', response: { 200: HEALTH } } }, () => ({
    status: 'ok' as const,
    scenario: control.state.model.name,
    flinkVersion: control.version.full,
    uptimeMs: clock.nowMs - control.state.model.startMs,
  }));
  routes.get('/clock', { schema: { operationId: 'getClock', tags: ['clock'], summary: 'What time is it in the cluster?', response: { 200: CLOCK } } }, () => clock.view());
  routes.post('/clock', { schema: { operationId: 'changeClock', tags: ['clock'], summary: 'Advance by, to, or until a condition; speed; pause and resume', body: CLOCK_CHANGE, response: { 200: CLOCK } } }, async ({ body }) => {
    if ('speed' in body) clock.setSpeed(body.speed);
    else if ('paused' in body) {
      if (body.paused) clock.pause();
      else clock.resume();
    } else if ('advanceMs' in body) await clock.advanceBy(body.advanceMs);
    else if ('to' in body) await clock.advanceTo(typeof body.to === 'number' ? body.to : new Date(body.to));
    else {
      const met = await clock.tryAdvanceUntil(body.until as ConditionInput, body.limitMs);
      return { ...clock.view(), met };
    }
    return clock.view();
  });
  routes.post('/wait', { schema: { operationId: 'waitUntil', tags: ['clock'], summary: 'Wait, in wall time, until a condition is met', body: WAIT, response: { 200: WAITED } } }, async (request) => {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    const { socket } = request;
    // The connection lives on after this request: it must not keep a listener of each.
    socket.once('close', leave);
    try {
      return { met: await clock.waitUntil(request.body.until as ConditionInput, request.body.timeoutMs, gone.signal), nowMs: clock.nowMs };
    } finally {
      socket.off('close', leave);
    }
  });
}
