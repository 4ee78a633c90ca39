import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileBody, hostilePart } from './support/hostile-values.js';
import { RawClient } from './support/raw-client.js';
import { watchedServer, type WatchedServer } from './support/watched-server.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);
const seed = Number(process.env['FUZZ_SEED'] ?? 20200409);

interface Operation {
  readonly method: string;
  readonly url: string;
  readonly fields: readonly string[];
}

/** Routes as the API's own document tells them; without those that end connections or wait on purpose. */
async function operations({ server }: WatchedServer): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${server.controlUrl}/openapi.json`)).json()) as { paths: Record<string, Record<string, { requestBody?: unknown }>> };
  const left = new Set(['post /_mock/connections/refuse', 'post /_mock/wait', 'get /_mock/stream', 'get /_mock/console/stream']);
  return Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !left.has(`${method} ${url}`))
      .map(([method, { requestBody }]) => ({ method: method.toUpperCase(), url, fields: [...new Set([...JSON.stringify(requestBody ?? {}).matchAll(/"([a-zA-Z]{2,30})":\{/g)].map((match) => match[1]!))] })),
  );
}

let watched: WatchedServer;
beforeAll(async () => {
  watched = await watchedServer('1.20');
});
afterAll(() => watched[Symbol.asyncDispose]());

describe('the control API', () => {
  it('refuses what makes no sense with a problem, and nothing has changed then', async () => {
    const all = await operations(watched);
    expect(all.length).toBeGreaterThan(25);
    using client = new RawClient(watched.port);
    const requests = fc.oneof(
      ...all.map(({ method, url, fields }) =>
        fc.record({
          method: fc.constant(method),
          target: fc
            .tuple(...url.split('/').slice(1).map((part, index) => (part.startsWith('{') ? hostilePart : index === 0 ? fc.constant(part) : fc.oneof({ weight: 20, arbitrary: fc.constant(part) }, { weight: 1, arbitrary: hostilePart }))), fc.option(hostilePart, { freq: 3 }))
            .map((parts) => `/${(parts.slice(0, -1) as string[]).join('/')}${parts.at(-1) === null ? '' : `?limit=${parts.at(-1)}`}`.replace(/[\s\0]/g, '')),
          type: fc.constantFrom('application/json', 'application/json', 'application/json', 'application/octet-stream', 'text/plain', ''),
          body: fc.option(hostileBody(fields.length > 0 ? fields : ['a']), { freq: 8 }),
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, target, type, body }) => {
        const before = watched.stateDigest();
        const content = Buffer.from(body ?? '', 'latin1');
        const headers = body === null ? (method === 'GET' || method === 'DELETE' ? '' : 'Content-Length: 0\r\n') : `${type === '' ? '' : `Content-Type: ${type}\r\n`}Content-Length: ${content.length}\r\n`;
        const answer = await client.ask(Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`, 'latin1'), content]));
        expect(answer, 'closed without an answer').not.toBeNull();
        expect(watched.complaints.splice(0), `${method} ${target}`).toEqual([]);
        const { status } = answer!;
        expect(status === 507 || (status >= 200 && status < 500), `${status} ${method} ${target} ${answer!.body.slice(0, 300)}`).toBe(true);
        if (status >= 400) expect(JSON.parse(answer!.body)).toMatchObject({ status, detail: expect.any(String) });
        if (status >= 400) expect(watched.stateDigest()).toBe(before);
        expect(answer!.headers['access-control-allow-origin']).toBeUndefined();
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
      { numRuns: RUNS * 3, seed },
    );
    expect((await fetch(`${watched.server.controlUrl}/health`)).status).toBe(200);
  }, 3_600_000);

  it('takes no job that is too large, and YAML for the text that it is in JSON', async () => {
    const bomb = `{"name":"x","vertices":[${Array.from({ length: 3_000 }, (_, i) => `{"operators":[{"name":"o${i}"}]}`).join(',')}]}`;
    for (const body of [bomb, '{"name":"*a","vertices":"&a"}', '{"<<":{"name":"x"}}', JSON.stringify({ template: { entryClass: '../../x', arguments: ['--p', '9'.repeat(400)] } })]) {
      const before = watched.stateDigest();
      const response = await fetch(`${watched.server.controlUrl}/jobs`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
      expect(response.status).toBe(400);
      await response.text();
      expect(watched.stateDigest()).toBe(before);
    }
  });
});

describe('snapshots that somebody has bent', () => {
  it('are refused, whichever byte it is, and nothing has changed then', async () => {
    const whole = Buffer.from(await (await fetch(`${watched.server.controlUrl}/snapshot`)).arrayBuffer());
    const put = async (bytes: Buffer) => (await fetch(`${watched.server.controlUrl}/snapshot`, { method: 'PUT', body: new Uint8Array(bytes), headers: { 'content-type': 'application/octet-stream' } })).status;
    let before = watched.stateDigest();
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), fc.constantFrom('bend', 'cut', 'add'), async (at, by, how) => {
        const bytes = how === 'cut' ? whole.subarray(0, at) : how === 'add' ? Buffer.concat([whole, Buffer.alloc(by)]) : Buffer.from(whole);
        if (how === 'bend') bytes[at]! ^= by;
        const status = await put(bytes);
        // Of the header only what is checked matters: a bent name of the scenario is still a snapshot.
        if (status === 200) before = watched.stateDigest();
        else expect([status, watched.stateDigest()]).toEqual([400, before]);
        expect(watched.complaints.splice(0)).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 4), seed },
    );
    expect(await put(whole)).toBe(200);
  });
});
