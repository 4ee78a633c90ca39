import { describe, expect, it } from 'vitest';
import { AnswerCache, type KeptAnswer } from '../../../src/rest/answer-cache.js';
import type { SimulationState } from '../../../src/simulation/state/simulation-state.js';

const answer = (body: string): KeptAnswer => ({ status: 200, contentType: 'application/json', body, allowOrigin: true });

/** A cache of a state that is changed by hand; answers of up to 200 ms ago are kept beside. */
function cached(spanMs = 200) {
  const state = { nowMs: 1_000, ticks: 10, revision: 1 };
  const cache = new AnswerCache(state as unknown as SimulationState, () => spanMs);
  const ask = (target: string): string => {
    const known = cache.get(target);
    if (known) return `${known.body as string} again`;
    cache.set(target, answer(`${target} at ${state.nowMs}`));
    return `${target} at ${state.nowMs}`;
  };
  const latest = (target: string, sinceMs: number): unknown => cache.latest(target, sinceMs)?.body;
  return { state, cache, ask, latest };
}

describe('answers that are kept', () => {
  it('hold for as long as the cluster is at the same instant', () => {
    const { state, ask } = cached();
    expect([ask('/a'), ask('/a')]).toEqual(['/a at 1000', '/a at 1000 again']);
    state.nowMs = 1_005;
    expect(ask('/a')).toBe('/a at 1005');
  });

  it('can be had for a while after their instant, each the last one of its target', () => {
    const { state, cache, ask, latest } = cached();
    ask('/a');
    ask('/b');
    state.nowMs = 1_100;
    ask('/a');
    expect([latest('/a', 900), latest('/b', 900), latest('/b', 1_050)]).toEqual(['/a at 1100', '/b at 1000', undefined]);
    state.nowMs = 1_250;
    expect(cache.get('/a')).toBeUndefined();
    expect([cache.has('/a'), cache.has('/b')]).toEqual([true, false]);
    expect([latest('/a', 1_050), latest('/b', 0)]).toEqual(['/a at 1100', undefined]);
  });

  it('are gone at once where something was done to the cluster, or all are forgotten', () => {
    const { state, cache, ask, latest } = cached();
    ask('/a');
    state.nowMs = 1_010;
    ask('/b');
    state.revision++;
    expect(cache.get('/b')).toBeUndefined();
    expect([latest('/a', 0), latest('/b', 0), cache.has('/a')]).toEqual([undefined, undefined, false]);
    ask('/a');
    state.nowMs = 1_020;
    ask('/b');
    cache.clear();
    expect([latest('/a', 0), latest('/b', 0)]).toEqual([undefined, undefined]);
  });

  it('of a moment ago outlive what time does to the cluster, and are gone once anybody else did something', () => {
    const state = { nowMs: 1_000, ticks: 10, revision: 1 };
    let changes = 0;
    const cache = new AnswerCache(state as unknown as SimulationState, () => 200, () => changes);
    cache.get('/a');
    cache.set('/a', answer('before'));
    Object.assign(state, { nowMs: 1_050, revision: 5 });
    expect(cache.get('/a')).toBeUndefined();
    expect(cache.latest('/a', 900)?.body).toBe('before');
    changes++;
    expect(cache.latest('/a', 900)).toBeUndefined();
    expect(cache.has('/a')).toBe(false);
  });

  it('are kept no longer than their instant where steps are short', () => {
    const { state, cache, ask, latest } = cached(0);
    ask('/a');
    state.nowMs = 1_001;
    ask('/b');
    expect([latest('/a', 0), cache.has('/a')]).toEqual([undefined, false]);
  });

  it('of earlier instants are bounded in number and size', () => {
    const { state, cache, ask } = cached();
    for (let i = 0; i < 400; i++) ask(`/${i}`);
    state.nowMs++;
    for (let i = 400; i < 800; i++) ask(`/${i}`);
    state.nowMs++;
    cache.get('/a');
    expect([cache.has('/0'), cache.has('/799')]).toEqual([false, false]);
    for (let i = 0; i < 6; i++) {
      cache.set(`/long-${i}`, answer('x'.repeat(3 * 1024 * 1024)));
      state.nowMs++;
      cache.get('/a');
    }
    expect([0, 1, 2, 3, 4, 5].filter((i) => cache.has(`/long-${i}`)).length).toBeLessThan(6);
  });
});
