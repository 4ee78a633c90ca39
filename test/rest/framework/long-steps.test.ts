import { describe, expect, it } from 'vitest';
import { AnswerCache } from '../../../src/rest/answer-cache.js';
import { defineEndpoint } from '../../../src/rest/endpoint.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';
import { fakeServer } from './fake-server.js';

/** Serves /overview and /config, and plays a simulation that takes long steps. */
async function besideLongSteps() {
  const state = { nowMs: 1_000, ticks: 0, revision: 0, jobManager: { availability: 'LEADING' } };
  const handled: string[] = [];
  const waiting: (() => void)[] = [];
  const step = { isUnderway: false, answersSince: 0 };
  const endpoint = (url: string) => defineEndpoint({ method: 'GET', url, handle: () => (handled.push(url), { 'taskmanagers': handled.length }) });
  const answers = new AnswerCache(state as unknown as SimulationState, () => 200);
  const server = await fakeServer('1.20', [{ name: 'some', endpoints: [endpoint('/overview'), endpoint('/config')] }], {
    answers,
    justBefore: () => (step.isUnderway ? step.answersSince : null),
    isReady: (later) => !step.isUnderway || (waiting.push(later), false),
  });
  Object.assign(server.state, state);
  const arrived = async (count: number): Promise<void> => {
    while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const finish = (): void => {
    step.isUnderway = false;
    for (const later of waiting.splice(0)) later();
  };
  const get = async (target: string, init: RequestInit = {}): Promise<{ status: number; body: string }> => {
    const response = await fetch(server.url + target, init);
    return { status: response.status, body: await response.text() };
  };
  return { server, state, step, handled, arrived, finish, get, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe('while a long step of the simulation is under way', () => {
  it('what was answered a moment ago is answered again, at once', async () => {
    await using cluster = await besideLongSteps();
    const first = await cluster.get('/overview');
    cluster.step.isUnderway = true;
    cluster.state.nowMs += 50;
    expect(await cluster.get('/overview')).toEqual(first);
    expect(cluster.handled).toEqual(['/overview']);
  });

  it('what was answered longer ago waits for its end, and so does what nobody knows', async () => {
    await using cluster = await besideLongSteps();
    await cluster.get('/overview');
    cluster.step.isUnderway = true;
    cluster.step.answersSince = 1_001;
    const [old, unknown] = [cluster.get('/overview'), cluster.get('/config')];
    await cluster.arrived(2);
    expect(cluster.handled).toEqual(['/overview']);
    cluster.finish();
    expect((await old).status).toBe(200);
    expect((await unknown).status).toBe(200);
    expect(cluster.handled).toContain('/config');
  });

  it('many who wait for the same are given what was worked out for the first', async () => {
    await using cluster = await besideLongSteps();
    cluster.step.isUnderway = true;
    const asked = Array.from({ length: 5 }, () => cluster.get('/overview'));
    await cluster.arrived(5);
    cluster.finish();
    const bodies = new Set((await Promise.all(asked)).map(({ body }) => body));
    expect(bodies.size).toBe(1);
    expect(cluster.handled).toEqual(['/overview']);
  });

  it('a body that comes with a request is read when the step is done', async () => {
    await using cluster = await besideLongSteps();
    cluster.step.isUnderway = true;
    const posted = cluster.get('/overview', { method: 'POST', body: 'x'.repeat(100_000) });
    await cluster.arrived(1);
    cluster.finish();
    expect((await posted).status).toBe(404);
  });

  it('a client that goes away while it waits does no harm', async () => {
    await using cluster = await besideLongSteps();
    cluster.step.isUnderway = true;
    const abort = new AbortController();
    const gone = cluster.get('/overview', { signal: abort.signal }).catch((error: Error) => error.name);
    await cluster.arrived(1);
    abort.abort();
    expect(await gone).toBe('AbortError');
    cluster.finish();
    expect((await cluster.get('/config')).status).toBe(200);
  });
});
