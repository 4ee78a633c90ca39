import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointRequest } from '../../../src/rest/endpoint.js';
import { exchange, fakeServer } from './fake-server.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-uploads-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The content of stored files, read while the request is being answered. */
function contents({ files }: EndpointRequest): string[] {
  return files.map(({ fieldName, fileName, storedAt }) => `${fieldName}:${fileName}:${readFileSync(storedAt, 'utf8')}`);
}

const uploadServer = (minor: string, seen: string[][]) =>
  fakeServer(
    minor,
    [
      {
        name: 'uploads',
        endpoints: [
          { method: 'POST', url: '/jars/upload', handle: (request) => (seen.push(contents(request)), { filename: 'x', status: 'success' }) },
          { method: 'POST', url: '/jobs', handle: (request) => (seen.push([JSON.stringify(request.body), ...contents(request)]), { jobUrl: '/jobs/1' }) },
          { method: 'GET', url: '/jobs', handle: () => ({ jobs: [] }) },
          { method: 'POST', url: '/jobs/:jobid/stop', handle: () => ({ 'request-id': null }) },
        ],
      },
    ],
    { temporaryDirectory: folder },
  );

function form(parts: readonly (readonly [disposition: string, content: string])[]): { body: string; headers: Record<string, string> } {
  const body = parts.map(([disposition, content]) => `--EDGE\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`).join('') + '--EDGE--\r\n';
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=EDGE' } };
}

describe('uploads', () => {
  it('takes any field name and any order, and leaves nothing behind', async () => {
    const seen: string[][] = [];
    await using server = await uploadServer('1.20', seen);
    const response = await fetch(`${server.url}/jars/upload`, { method: 'POST', ...form([['name="jarfile"; filename="bp.jar"', 'PK']]) });
    expect(response.status).toBe(200);
    await fetch(`${server.url}/v1/jobs`, { method: 'POST', ...form([['name="file_1"; filename="bp.jar"', 'PK'], ['name="request"', '{"jobJarFileNames":["bp.jar"]}'], ['name="x"; filename="graph.bin"', 'graph']]) });
    expect(seen).toEqual([['jarfile:bp.jar:PK'], ['{"jobJarFileNames":["bp.jar"]}', 'file_1:bp.jar:PK', 'x:graph.bin:graph']]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reads a chunked form, as the Java clients send it', async () => {
    const seen: string[][] = [];
    await using server = await uploadServer('2.3', seen);
    const { body } = form([['name="file_0"; filename="bp.jar"', 'PK']]);
    const half = body.length >> 1;
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const head = 'POST /v1/jars/upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\ncontent-type: multipart/form-data; boundary=EDGE\r\n\r\n';
    expect(await exchange(server.port, head + chunk(body.slice(0, half)) + chunk(body.slice(half)) + '0\r\n\r\n')).toContain('200 OK');
    expect(seen).toEqual([['file_0:bp.jar:PK']]);
  });

  it('keeps to its folder whatever the file is called', async () => {
    const seen: string[][] = [];
    await using server = await uploadServer('1.20', seen);
    for (const name of ['../../evil.jar', '..\\\\..\\\\evil.jar', '/etc/evil.jar']) await fetch(`${server.url}/jars/upload`, { method: 'POST', ...form([[`name="f"; filename="${name}"`, 'PK']]) });
    expect(seen).toEqual([['f:evil.jar:PK'], ['f:evil.jar:PK'], ['f:evil.jar:PK']]);
    expect(existsSync(path.join(folder, '..', 'evil.jar'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('loses a file whose name leads elsewhere before CVE-2020-17518 was mended', async () => {
    const seen: string[][] = [];
    await using server = await uploadServer('1.9', seen);
    await fetch(`${server.url}/jars/upload`, { method: 'POST', ...form([['name="f"; filename="../evil.jar"', 'PK']]) });
    expect(seen).toEqual([[]]);
  });

  it.each(['..', '.', ''])('fails for the file name "%s"', async (name) => {
    await using server = await uploadServer('1.20', []);
    const response = await fetch(`${server.url}/jars/upload`, { method: 'POST', ...form([[`name="f"; filename="${name}"`, 'PK']]) });
    expect([response.status, await response.text()]).toEqual([500, '{"errors":["File upload failed."]}']);
  });

  it('does not take a part that is cut off', async () => {
    const seen: string[][] = [];
    await using server = await uploadServer('1.20', seen);
    const { body, headers } = form([['name="a"; filename="a.jar"', 'whole'], ['name="b"; filename="b.jar"', 'x'.repeat(200_000)]]);
    await fetch(`${server.url}/jars/upload`, { method: 'POST', headers, body: body.slice(0, 150_000) });
    expect(seen).toEqual([['a:a.jar:whole']]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses files and forms where a route takes none, before routing from 1.20 on (FLINK-26808)', async () => {
    const file = form([['name="f"; filename="a.txt"', 'x']]);
    const stop = `/jobs/${'0'.repeat(32)}/stop`;
    await using old = await uploadServer('1.19', []);
    const answered = await fetch(old.url + stop, { method: 'POST', ...file });
    expect([answered.status, answered.headers.get('access-control-allow-origin')]).toEqual([400, '*']);
    expect(await answered.text()).toMatch(/File uploads not allowed\./);
    await using current = await uploadServer('1.20', []);
    const refused = await fetch(current.url + stop, { method: 'POST', ...file });
    expect([refused.status, refused.headers.get('access-control-allow-origin'), await refused.text()]).toEqual([400, null, '{"errors":["File upload not allowed"]}']);
    const unknown = await fetch(`${current.url}/nope`, { method: 'POST', ...file });
    expect([unknown.status, await unknown.text()]).toEqual([400, '{"errors":["POST request not allowed"]}']);
  });
});
