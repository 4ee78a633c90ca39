import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFlinkVersion } from '../../src/versions/flink-versions.js';
import { restSpec, type EndpointSpec } from '../../src/versions/rest-spec.js';
import { hostileBody, hostileBytes, hostilePart } from './support/hostile-values.js';
import { RawClient, sendRaw } from './support/raw-client.js';
import { watchedServer, type WatchedServer } from './support/watched-server.js';

/** Inputs of each property; a long run takes more (FUZZ_RUNS=5000). */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 120);
/** A run tells what it has found by its seed. */
const parameters = { numRuns: RUNS, ...(process.env['FUZZ_SEED'] === undefined ? { seed: 20200409 } : { seed: Number(process.env['FUZZ_SEED']) }) };

interface Ids {
  readonly known: Readonly<Record<string, readonly string[]>>;
}

async function knownIds({ server }: WatchedServer): Promise<Ids> {
  const get = async (path: string): Promise<any> => (await fetch(`${server.url}${path}`)).json();
  const jobs = ((await get('/jobs')).jobs as { id: string }[]).map(({ id }) => id);
  const vertices = (await Promise.all(jobs.map((id) => get(`/jobs/${id}`)))).flatMap((job) => (job.vertices as { id: string }[]).map(({ id }) => id));
  const taskManagers = ((await get('/taskmanagers')).taskmanagers as { id: string }[]).map(({ id }) => id);
  return { known: { jobid: jobs, vertexid: vertices, taskmanagerid: taskManagers, subtaskindex: ['0', '1'], attempt: ['0'], checkpointid: ['1', '2'], filename: ['jobmanager.log', 'x'] } };
}

interface Target {
  readonly method: string;
  readonly target: string;
  readonly body: string | null;
}

/** Requests to an endpoint: parts of the path that exist or do not make sense, queries known and unknown, bodies of all sorts. */
function requestsTo(endpoint: EndpointSpec, fields: readonly string[], { known }: Ids): fc.Arbitrary<Target> {
  const parts = endpoint.url.split('/').slice(1).map((part): fc.Arbitrary<string> => {
    if (!part.startsWith(':')) return fc.oneof({ weight: 30, arbitrary: fc.constant(part) }, { weight: 1, arbitrary: hostilePart });
    const ids = (known[part.slice(1)] ?? []).map(encodeURIComponent);
    return ids.length === 0 ? hostilePart : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: hostilePart });
  });
  const key = fc.oneof(fc.constantFrom(...endpoint.query.map((query) => query.key), 'x', '__proto__', ''), hostilePart);
  const query = fc.array(fc.tuple(key, fc.oneof(hostilePart, fc.constant('')), fc.constantFrom('&', ';', '&&', '#')), { maxLength: 5 });
  return fc.record({
    method: fc.constant(endpoint.method as string),
    target: fc.tuple(fc.tuple(...parts), query, fc.constantFrom('', '', '', '/v1', '/', '//')).map(([path, pairs, before]) => {
      const text = `${before}/${path.join('/')}${pairs.length === 0 ? '' : `?${pairs.map(([name, value, after]) => `${name}=${value}${after}`).join('')}`}`;
      return text.replace(/[\s\0]/g, '').slice(0, 8_000);
    }),
    body: endpoint.method === 'GET' ? fc.option(hostileBody(fields), { freq: 5 }) : fc.option(hostileBody(fields), { freq: 10 }),
  });
}

function bytesOf({ method, target, body }: Target): Buffer {
  const content = body === null ? Buffer.alloc(0) : Buffer.from(body, 'latin1');
  const length = body === null && method === 'GET' ? '' : `Content-Type: application/json\r\nContent-Length: ${content.length}\r\n`;
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${length}\r\n`, 'latin1'), content]);
}

describe.each(['1.9', '1.20', '2.3'])("Flink's API of %s", (minor) => {
  let watched: WatchedServer;
  let ids: Ids;
  beforeAll(async () => {
    watched = await watchedServer(minor);
    ids = await knownIds(watched);
  });
  afterAll(() => watched[Symbol.asyncDispose]());

  it('answers whatever comes to a route: nothing breaks, what is refused changes nothing', async () => {
    const spec = restSpec(parseFlinkVersion(minor)!);
    const endpoints = spec.endpoints.filter(({ method, url }) => `${method} ${url}` !== 'DELETE /cluster');
    using client = new RawClient(watched.port);
    let known = watched.stateDigest();
    const requests = fc.oneof(...endpoints.map((endpoint) => requestsTo(endpoint, endpoint.request?.kind === 'class' ? spec.fields(endpoint.request.name).map(([name]) => name) : ['a'], ids)));
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const answer = await client.ask(bytesOf(request));
        expect(answer, 'closed without an answer').not.toBeNull();
        expect(watched.complaints.splice(0), `${request.method} ${request.target}`).toEqual([]);
        expect([100, 200, 202, 302, 304, 308, 400, 404, 405, 408, 409, 413, 500, 503]).toContain(answer!.status);
        if (answer!.status >= 400 && answer!.body !== '') expect(Object.keys(JSON.parse(answer!.body))).toContain('errors');
        const now = watched.stateDigest();
        if (answer!.status >= 400 && answer!.status !== 500) expect(now).toBe(known);
        known = now;
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
      { ...parameters, numRuns: RUNS * 3 },
    );
    expect((await fetch(`${watched.server.url}/overview`)).status).toBe(200);
  }, 3_600_000);

  it('reads or refuses any bytes, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(hostileBytes, async (bytes) => {
        const before = watched.stateDigest();
        const { answers } = await sendRaw(watched.port, bytes, { expected: 1, quietMs: 20 });
        if (answers[0]) expect([200, 202, 302, 400, 404, 408, 413, 500]).toContain(answers[0].status);
        expect(watched.complaints.splice(0), bytes.toString('latin1').slice(0, 300)).toEqual([]);
        expect(watched.stateDigest()).toBe(before);
      }),
      { ...parameters, numRuns: Math.ceil(RUNS / 4) },
    );
    expect((await fetch(`${watched.server.url}/overview`)).status).toBe(200);
  }, 3_600_000);

  it('takes 10,000 query parameters for a line that is too long, and 1,000 short ones for what they are', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `a${i}=${i}`).join('&');
    const [refused] = (await sendRaw(watched.port, `GET /jobs/metrics?${many} HTTP/1.1\r\nHost: x\r\n\r\n`, { expected: 1 })).answers;
    expect([refused?.status, refused?.body]).toEqual([404, '{"errors":["Unable to load requested file /bad-request."]}']);
    const [taken] = (await sendRaw(watched.port, `GET /jobs/metrics?${'a&'.repeat(1_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, { expected: 1 })).answers;
    expect(taken?.status).toBe(200);
  });
});
