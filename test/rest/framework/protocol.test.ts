import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestHandlerException } from '../../../src/rest/errors.js';
import type { Endpoint, EndpointRequest } from '../../../src/rest/endpoint.js';
import { exchange, fakeServer, type FakeServer } from './fake-server.js';

interface Recorded {
  readonly exchanges: readonly { name: string; request: string; status: string; headers: string[]; error?: string; closes?: boolean; partial?: boolean }[];
}

const TRIGGER = 'd687abf854d022904951596e10311bd7';

/** What the recorded requests reach, with answers of any content. */
const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', url: '/overview', handle: () => ({ taskmanagers: 1 }) },
  { method: 'GET', url: '/jobs', handle: () => ({ jobs: [] }) },
  { method: 'GET', url: '/jobs/overview', handle: () => ({ jobs: [] }) },
  { method: 'GET', url: '/jobs/metrics', handle: () => [] },
  { method: 'GET', url: '/jobs/:jobid', handle: () => ({}) },
  { method: 'GET', url: '/taskmanagers/:taskmanagerid/metrics', handle: () => [] },
  { method: 'POST', url: '/jobs/:jobid/savepoints', handle: () => ({ 'request-id': TRIGGER }) },
  { method: 'POST', url: '/jars/:jarid/run', handle: () => ({}) },
  { method: 'POST', url: '/jars/upload', handle: takeOneFile },
];

function takeOneFile({ files }: EndpointRequest): unknown {
  if (files.length !== 1) throw new RestHandlerException(400, `Exactly 1 file must be sent, received ${files.length}.`);
  return { filename: files[0]!.fileName, status: 'success' };
}

describe.each(['1.9.3', '1.20.5'])('what a real cluster of %s answered to the same bytes', (version) => {
  const { exchanges } = JSON.parse(readFileSync(new URL(`../../golden/protocol-${version}.json`, import.meta.url), 'utf8')) as Recorded;
  let server: FakeServer;
  beforeAll(async () => {
    server = await fakeServer(version, [{ name: 'recorded', endpoints: ENDPOINTS }]);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(exchanges.map((recorded) => [recorded.name, recorded] as const))('%s', async (_name, recorded) => {
    const answer = await exchange(server.port, Buffer.from(recorded.request, 'latin1'));
    const [head, body] = split(answer);
    const [status, ...headers] = head.split('\r\n');
    expect(status).toBe(`HTTP/1.1 ${recorded.status}`);
    // Node closes the connection after a method that it does not know.
    const comparable = headers.filter((line) => !/^content-length/i.test(line) && !(recorded.name.includes('method') && /^connection/i.test(line)));
    expect(recorded.partial ? comparable.slice(0, recorded.headers.length) : comparable).toEqual(recorded.headers);
    if (recorded.error !== undefined) expect(firstError(body)).toBe(recorded.error);
    else if (head.includes('application/json') && !recorded.request.startsWith('HEAD')) expect(body).not.toContain('"errors"');
  });

  const closing = exchanges.filter(({ closes }) => closes === true);
  it.each(closing.map((recorded) => [recorded.name, recorded] as const))('the connection ends after %s', async (_name, recorded) => {
    // Two answers never come: the exchange ends when the server closes.
    expect(split(await exchange(server.port, Buffer.from(recorded.request, 'latin1'), 2))[0]).toContain(recorded.status);
  });
});

function split(answer: string): [head: string, body: string] {
  const at = answer.indexOf('\r\n\r\n');
  return [answer.slice(0, at), answer.slice(at + 4)];
}

function firstError(body: string): string {
  return (JSON.parse(body) as { errors: string[] }).errors[0]!.split('\n')[0]!;
}

describe('requests in a row', () => {
  it('keeps the connection for the next request', async () => {
    await using server = await fakeServer('1.20', [{ name: 'recorded', endpoints: ENDPOINTS }]);
    const request = 'GET /overview HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await exchange(server.port, request + request, 2);
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('answers Expect: 100-continue before the body is sent', async () => {
    await using server = await fakeServer('1.20', [{ name: 'recorded', endpoints: ENDPOINTS }]);
    const head = `POST /jobs/${'0'.repeat(32)}/savepoints HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;
    expect(await exchange(server.port, head)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });

  it('refuses a body over the limit before reading it', async () => {
    await using server = await fakeServer('1.20', [{ name: 'recorded', endpoints: ENDPOINTS }]);
    const answer = await exchange(server.port, `POST /jobs/${'0'.repeat(32)}/savepoints HTTP/1.1\r\nHost: x\r\nContent-Length: 200000000\r\n\r\n`);
    expect(answer).toBe('HTTP/1.1 413 Request Entity Too Large\r\ncontent-length: 0\r\n\r\n');
    expect(server.asked).toEqual([]);
  });
});
