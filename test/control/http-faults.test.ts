import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { overrideJson } from '../../src/http-faults/json-override.js';
import { compileRoute } from '../../src/http-faults/route-pattern.js';
import type { MockFlink } from '../../src/index.js';
import { runCurlLine } from '../support/curl-line.js';
import { ask, smallCluster } from './small-cluster.js';

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly ms: number;
}

/** Undici's words for what happened to a connection. */
async function failure(url: string, init: RequestInit = {}): Promise<string> {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(700), ...init })).text();
    return 'none';
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

async function get(url: string, init: RequestInit = {}): Promise<Seen> {
  const start = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, ms: performance.now() - start };
}

async function statuses(url: string, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push((await get(url)).status);
  return found;
}

/** What each line of the document's table does; `truth` is what the path answers without it. */
const EFFECTS: Readonly<Record<string, (flink: MockFlink, jobId: string) => Promise<void>>> = {
  'fixed latency': async ({ url }) => {
    const { status, ms } = await get(`${url}/overview`);
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(299);
  },
  'latency with jitter': async ({ url }) => {
    const { status, ms } = await get(`${url}/overview`);
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(99);
  },
  'lognormal latency': async ({ url }) => {
    const { status, ms } = await get(`${url}/overview`);
    expect(status).toBe(200);
    expect(ms).toBeGreaterThan(10);
  },
  error: async ({ url }, jobId) => {
    const { status, text } = await get(`${url}/v1/jobs/${jobId}?x=y`);
    expect(status).toBe(404);
    expect(JSON.parse(text).errors[0]).toMatch(/^org\.apache\.flink\.runtime\.rest\.NotFoundException: Job not there\n\tat /);
    expect((await get(`${url}/jobs/${jobId}/checkpoints`)).status).toBe(200);
  },
  'internal error': async ({ url }, jobId) => {
    const { status, text } = await get(`${url}/jobs/${jobId}/checkpoints`);
    expect(status).toBe(500);
    expect(JSON.parse(text).errors).toEqual(['Internal server error.', expect.stringMatching(/^<Exception on server side:\njava\.util\.concurrent\.TimeoutException: Ask timed out\n/)]);
  },
  'no leader': async (flink) => {
    expect(await get(`${flink.url}/jobs`)).toMatchObject({ status: 503, text: '{"errors":["Service temporarily unavailable due to an ongoing leader election. Please refresh."]}' });
    await flink.advanceBy('2 min');
    expect((await get(`${flink.url}/jobs`)).status).toBe(200);
  },
  'rate limit': async ({ url }) => {
    expect(await statuses(`${url}/overview`, 2)).toEqual([200, 200]);
    const { status, headers } = await get(`${url}/jobs`);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(30);
  },
  reset: async ({ url }) => expect(await failure(`${url}/overview`)).toBe('ECONNRESET'),
  closed: async ({ url }) => expect(await failure(`${url}/overview`)).toBe('UND_ERR_SOCKET'),
  hang: async (flink) => {
    expect(await failure(`${flink.url}/overview`)).toBe('TimeoutError');
    const hanging = failure(`${flink.url}/overview`, { signal: AbortSignal.timeout(10_000) });
    while (flink.faults.list()[0]!.struck < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    flink.faults.clear();
    expect(await hanging).toBe('UND_ERR_SOCKET');
  },
  'closed mid-body': async ({ url }) => {
    const truth = await rawAnswer(url, '/config');
    const answer = await rawAnswer(url, '/overview');
    const length = Number(/content-length: (\d+)/i.exec(answer)![1]);
    expect(answer.split('\r\n\r\n')[1]).toHaveLength(Math.floor(length / 2));
    expect(truth).toContain('"refresh-interval"');
  },
  'truncated JSON': async ({ url }) => {
    const { status, text, headers } = await get(`${url}/overview`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=UTF-8']);
    expect(text).toMatch(/^\{"taskmanagers":2/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(Number(headers.get('content-length'))).toBe(text.length);
  },
  'malformed JSON': async ({ url }) => {
    const { status, text } = await get(`${url}/overview`);
    expect(status).toBe(200);
    expect(text).toMatch(/"flink-version":"1\.20\.\d".*,,$/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  },
  'empty body': async ({ url }) => expect(await get(`${url}/overview`)).toMatchObject({ status: 200, text: '' }),
  "proxy's page": async ({ url }) => {
    const { status, text, headers } = await get(`${url}/overview`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
    expect(text).toMatch(/^<html>/);
  },
  'wrong content type': async ({ url }) => {
    const { text, headers } = await get(`${url}/overview`);
    expect(headers.get('content-type')).toBe('text/html');
    expect(JSON.parse(text)).toMatchObject({ taskmanagers: 2 });
  },
  'stale answers': async (flink, jobId) => {
    const first = await get(`${flink.url}/jobs/overview`);
    flink.jobs.cancel(jobId);
    await flink.advanceBy('30 s');
    expect((await get(`${flink.url}/jobs/overview`)).text).toBe(first.text);
    expect((await get(`${flink.url}/jobs`)).text).toContain('CANCELED');
  },
  'slow drip': async ({ url }) => {
    const start = performance.now();
    const response = await fetch(`${url}/overview`);
    const headersMs = performance.now() - start;
    let chunks = 0;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) chunks += chunk.length > 0 ? 1 : 0;
    expect(performance.now() - start).toBeGreaterThan(299);
    expect(performance.now() - start).toBeGreaterThan(headersMs);
    expect(chunks).toBeGreaterThan(1);
  },
  'queue of answers': async ({ url }, jobId) => {
    expect(await get(`${url}/jobs`)).toMatchObject({ status: 503, text: 'later' });
    expect(await get(`${url}/jobs`)).toMatchObject({ status: 200, text: '{"jobs":[]}' });
    expect((await get(`${url}/jobs`)).text).toContain(jobId);
  },
  'replaced field': async (flink) => {
    const { jobs } = JSON.parse((await get(`${flink.url}/jobs/overview`)).text);
    expect(jobs[0]).toMatchObject({ state: 'FAILED', tasks: { running: 0 } });
    expect(jobs[1]).toMatchObject({ state: 'RUNNING', tasks: { running: 0 } });
    expect(jobs[0]['start-time']).toBe(flink.summary().jobs[0]!.startMs);
  },
  'one of three': async (flink) => {
    const found = await statuses(`${flink.url}/overview`, 60);
    const failed = found.filter((status) => status === 502).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(35);
    await flink.reset();
    flink.faults.add({ id: 'fault-1', path: '/overview', probability: 0.33, error: { status: 502 } });
    expect(await statuses(`${flink.url}/overview`, 60)).toEqual(found);
  },
  'only the third and fourth': async ({ url }) => expect(await statuses(`${url}/overview`, 6)).toEqual([200, 200, 502, 502, 200, 200]),
  'by method': async ({ url }, jobId) => {
    expect((await get(`${url}/jobs/${jobId}`)).status).toBe(200);
    expect((await get(`${url}/jobs/${jobId}`, { method: 'PATCH' })).status).toBe(403);
    expect(JSON.parse((await get(`${url}/jobs/${jobId}`)).text).state).toBe('RUNNING');
  },
  'in a window': async (flink) => {
    expect((await get(`${flink.url}/overview`)).status).toBe(200);
    await flink.advanceBy('10 s');
    expect((await get(`${flink.url}/overview`)).status).toBe(502);
    await flink.advanceBy('10 s');
    expect((await get(`${flink.url}/overview`)).status).toBe(200);
  },
  refused: async ({ url }) => {
    const until = async (wanted: string): Promise<void> => {
      for (let tries = 0; tries < 500; tries++) {
        if ((await failure(`${url}/overview`)) === wanted) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect.fail(`it was never ${wanted}`);
    };
    await until('ECONNREFUSED');
    await until('none');
    expect((await get(`${url}/overview`)).status).toBe(200);
  },
};

function rawAnswer(url: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\nhost: flink\r\nconnection: close\r\n\r\n`));
    socket.on('data', (data) => (text += data.toString())).on('close', () => resolve(text)).on('error', reject);
  });
}

interface Line {
  readonly name: string;
  readonly line: string;
}

const DOCUMENT = readFileSync(new URL('../../docs/faults-http.md', import.meta.url), 'utf8');
const LINES: Line[] = [...DOCUMENT.matchAll(/^\| ([^|]+) \| `(curl \$M\/\S+ -H "\$J" -d '.*')` \|/gm)].map(([, name, line]) => ({ name: name!, line: line! }));

describe("every line of the document's table", () => {
  it('is known to this test', () => {
    expect(LINES.map(({ name }) => name)).toEqual(Object.keys(EFFECTS));
  });

  it.each(LINES.map(({ name, line }) => [name, line] as const))('%s', async (name, line) => {
    await using flink = await smallCluster({ control: true, flinkVersion: '1.20' });
    await flink.advanceUntil({ allTasksRunning: { job: 'numbers' } });
    expect((await runCurlLine(line, flink.controlUrl!)).status).toBeGreaterThan(200);
    await EFFECTS[name]!(flink, flink.summary().jobs[0]!.id);
  });
});

describe('faults', () => {
  let flink: MockFlink;
  beforeAll(async () => void (flink = await smallCluster({ control: true })));
  afterAll(() => flink.close());

  it('add up in the order in which they were added', async () => {
    flink.faults.add({ path: '/overview', override: { '/taskmanagers': 7 } });
    flink.faults.add({ path: '/overview', contentType: 'text/x-test' });
    flink.faults.add({ path: '/overview', latency: '50 ms' });
    const { text, headers, ms } = await get(`${flink.url}/overview`);
    expect(text).toMatch(/^\{"taskmanagers":7,/);
    expect(headers.get('content-type')).toBe('text/x-test');
    expect(ms).toBeGreaterThan(49);
    flink.faults.add({ path: '/overview', error: { status: 418 } });
    expect((await get(`${flink.url}/overview`)).status).toBe(418);
    expect(flink.faults.list().map(({ struck }) => struck)).toEqual([2, 2, 2, 1]);
    flink.faults.clear();
    expect((await get(`${flink.url}/overview`)).text).toMatch(/^\{"taskmanagers":2,/);
  });

  it('come with the scenario, and come back at a reset', async () => {
    const yaml = `httpFaults:\n  - { path: /overview, times: 1, error: { status: 502 } }\n`;
    const { startMockFlink } = await import('../../src/index.js');
    await using other = await startMockFlink({ scenario: { yaml }, listen: false });
    const status = async () => (await other.fetch('/overview')).status;
    expect([await status(), await status()]).toEqual([502, 200]);
    other.faults.add({ path: '/config', error: { status: 500 } });
    await other.reset();
    expect(other.faults.list().map(({ id }) => id)).toEqual(['scenario-1']);
    expect([await status(), await status()]).toEqual([502, 200]);
  });

  it.each([
    [{}, /has no effect; add one of latency, error/],
    [{ stale: true, unavailable: true }, /has 2 effects \(unavailable, stale\); allowed: one a fault/],
    [{ sTale: true }, /sTale: unknown key; did you mean `stale`/],
    [{ path: 'jobs', stale: true }, /path: found "jobs"; allowed: a path such as/],
    [{ method: 'BREW', stale: true }, /method: .*GET/],
    [{ probability: 2, stale: true }, /probability: found 2; allowed: at most 1/],
    [{ times: 0, stale: true }, /times: found 0; allowed: at least 1/],
    [{ latency: '2 weeks' }, /latency: found "2 weeks"; allowed: a duration/],
    [{ error: { status: 200 } }, /error\.status: found 200; allowed: at least 400/],
    [{ answers: [] }, /answers/],
    [{ answers: [{ json: 1, text: 'x' }] }, /answers\[0\]: has `json` and `text`/],
    [{ answers: [{ headers: { 'x-a': 'b\r\nset-cookie: c' } }] }, /answers/],
    [{ override: { 'no-pointer': 1 } }, /override.*JSON pointer/],
    [{ from: '20 s', until: '10 s', stale: true }, /until: does not lie after `from`/],
    [{ until: '0 s', stale: true }, /until: lies in the past/],
    [{ id: 'a b', stale: true }, /id: found "a b"; allowed: letters/],
  ])('%j is refused, and nothing has changed', async (fault, message) => {
    const { status, type, body } = await ask(flink.controlUrl, 'POST', '/faults', fault);
    expect([status, type]).toEqual([400, 'application/problem+json']);
    expect(body.detail).toMatch(message);
    expect(flink.faults.list()).toEqual([]);
  });

  it('have ids of their own', async () => {
    expect((await ask(flink.controlUrl, 'POST', '/faults', { id: 'mine', path: '/nowhere', stale: true })).body).toEqual({ id: 'mine' });
    expect(await ask(flink.controlUrl, 'POST', '/faults', { id: 'mine', stale: true })).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/a fault mine already/) } });
    expect(await ask(flink.controlUrl, 'GET', '/faults/yours')).toMatchObject({ status: 404, body: { detail: 'there is no fault yours; allowed: mine' } });
    expect((await ask(flink.controlUrl, 'DELETE', '/faults/mine')).status).toBe(204);
    expect((await ask(flink.controlUrl, 'DELETE', '/faults/mine')).status).toBe(404);
  });

  it('leave nothing open when the server closes', async () => {
    const other = await smallCluster();
    other.faults.add({ path: '/overview', connection: 'hang' });
    other.faults.add({ path: '/config', latency: '1 h' });
    const waiting = [failure(`${other.url}/overview`, { signal: AbortSignal.timeout(30_000) }), failure(`${other.url}/config`, { signal: AbortSignal.timeout(30_000) })];
    while (other.faults.list().some(({ struck }) => struck === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
    await other.close();
    expect(await Promise.all(waiting)).toEqual(['UND_ERR_SOCKET', 'UND_ERR_SOCKET']);
  });
});

describe('a JSON override', () => {
  it.each([
    ['{"a": 1.0, "b": [1, 2]}', '/a', '2', '{"a": 2, "b": [1, 2]}'],
    ['{"a":{"b":9223372036854775807},"c":0.0}', '/c', '"x"', '{"a":{"b":9223372036854775807},"c":"x"}'],
    ['{"a":[{"x":1},{"x":"]}"}]}', '/a/*/x', 'null', '{"a":[{"x":null},{"x":null}]}'],
    ['{"a/b":{"~":1}}', '/a~1b/~0', '2', '{"a/b":{"~":2}}'],
    ['{"a":1}', '/b', '2', '{"a":1,"b":2}'],
    ['{}', '/b', '2', '{"b":2}'],
    ['[1,2]', '/-', '3', '[1,2,3]'],
    ['{"a":1}', '/b/c', '2', '{"a":1}'],
    ['{"a":1}', '', '[]', '[]'],
    ['{"\\"":1,"a":"\\\\\\""}', '/a', '5', '{"\\"":1,"a":5}'],
  ])('of %s at %j', (text, pointer, json, expected) => expect(overrideJson(text, pointer, json)).toBe(expected));
});

describe('a route pattern', () => {
  it.each([
    ['/jobs/:jobid', ['/jobs/1'], ['/jobs', '/jobs/1/vertices']],
    ['/jobs/**', ['/jobs', '/jobs/1', '/jobs/1/vertices/2'], ['/jobsx', '/overview']],
    ['/**', ['/', '/overview', '/a/b'], []],
    ['/*.js', ['/main.js'], ['/a/main.js', '/mainxjs']],
    ['/v1/overview', ['/overview'], ['/v1/overview']],
  ])('%s', (pattern, fitting, others) => {
    const fits = compileRoute(pattern);
    expect([...fitting, ...others].map(fits)).toEqual([...fitting.map(() => true), ...others.map(() => false)]);
  });
});

it('strikes HEAD, too, when it is named', async () => {
  await using flink = await smallCluster({ control: true });
  const head = (): Promise<Seen> => get(`${flink.url}/overview`, { method: 'HEAD' });
  const before = (await head()).status;
  expect((await ask(flink.controlUrl, 'POST', '/faults', { method: ['HEAD'], error: { status: 418 } })).status).toBe(201);
  expect(before).not.toBe(418);
  expect(await head()).toMatchObject({ status: 418, text: '' });
  expect((await get(`${flink.url}/overview`)).status).toBe(200);
});
