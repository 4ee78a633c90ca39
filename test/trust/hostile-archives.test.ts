import fc from 'fast-check';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../src/rest/jars/jar-manifest.js';
import { parseScenario } from '../../src/scenario/load-scenario.js';
import { ScenarioError } from '../../src/scenario/scenario-error.js';
import { zip } from '../rest/framework/zip.js';
import { RawClient } from './support/raw-client.js';
import { watchedServer, type WatchedServer } from './support/watched-server.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);
const seed = Number(process.env['FUZZ_SEED'] ?? 20200409);
const MANIFEST = 'META-INF/MANIFEST.MF';

let watched: WatchedServer;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-archives-'));
  watched = await watchedServer('1.20', { passMs: 0 });
});
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function request(body: Buffer, boundary = 'X'): Buffer {
  return Buffer.concat([Buffer.from(`POST /jars/upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n`), body]);
}

const file = (content: Buffer, name = 'a.jar'): Buffer => Buffer.concat([Buffer.from(`--X\r\nContent-Disposition: form-data; name="jarfile"; filename="${name}"\r\n\r\n`), content, Buffer.from('\r\n--X--\r\n')]);

/** One deflated entry, with sizes that need not be true. */
function deflated(name: string, content: Buffer, told: { readonly size?: number; readonly compressed?: number } = {}): Buffer {
  const data = deflateRawSync(content);
  const bytes = zip({ [name]: data });
  const central = bytes.indexOf(Buffer.from('504b0102', 'hex'));
  for (const [at, shift] of [[0, 0], [central, 2]] as const) {
    bytes.writeUInt16LE(8, at + 8 + shift);
    bytes.writeUInt32LE(told.compressed ?? data.length, at + 18 + shift);
    bytes.writeUInt32LE(told.size ?? content.length, at + 22 + shift);
  }
  return bytes;
}

async function upload(content: Buffer): Promise<string> {
  using client = new RawClient(watched.port);
  const answer = await client.ask(request(file(content)));
  expect(answer?.status).toBe(200);
  return (JSON.parse(answer!.body) as { filename: string }).filename.split('/').at(-1)!;
}

async function forget(id: string): Promise<void> {
  expect((await fetch(`${watched.server.url}/jars/${encodeURIComponent(id)}`, { method: 'DELETE' })).status).toBe(200);
}

describe('an archive', () => {
  const manifest = Buffer.from('Main-Class: A\n');
  it.each<[string, Buffer]>([
    ['that grows a thousandfold', deflated(MANIFEST, Buffer.alloc(64 * 1024 * 1024))],
    ['that says it is small and is not', deflated(MANIFEST, Buffer.alloc(64 * 1024 * 1024), { size: 10 })],
    ['that says it is huge', deflated(MANIFEST, manifest, { size: 0xfffffffe })],
    ['whose data would lie behind its end', deflated(MANIFEST, manifest, { compressed: 0x7fffffff })],
    ['of nothing but an end', zip({})],
    ['with names that lead out', zip({ '../../escaped': 'x', '/etc/escaped': 'x', '..\\escaped': 'x', [MANIFEST]: 'Main-Class: A\n' })],
    ['with a NUL in a name', zip({ 'a\0b': 'x', [MANIFEST]: 'Main-Class: A\n' })],
    ['with a manifest of one endless line', zip({ [MANIFEST]: `Main-Class: ${'A'.repeat(900_000)}` })],
    ['with a manifest of nothing but continued lines', zip({ [MANIFEST]: '\n '.repeat(400_000) })],
    ['with 60,000 entries', zip(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`e${i}`, ''])))],
    ['that is text', Buffer.from('no archive')],
    ['that is empty', Buffer.alloc(0)],
  ])('%s is stored, unpacked nowhere, and cannot be run', async (_what, content) => {
    const before = process.memoryUsage().rss;
    const id = await upload(content);
    for (const [method, target] of [['GET', `/jars/${id}/plan`], ['POST', `/jars/${id}/run`], ['GET', '/jars']]) {
      const response = await fetch(`${watched.server.url}${target}`, { method: method! });
      // Flink's own complaint about a jar without a program is a 500 in some places.
      expect([200, 400, 500]).toContain(response.status);
      expect(await response.text()).not.toContain('RuntimeException: ');
    }
    expect(watched.complaints.splice(0)).toEqual([]);
    await forget(id);
    expect(existsSync(path.join(watched.server.temporaryDirectory, 'escaped'))).toBe(false);
    expect(existsSync('/etc/escaped')).toBe(false);
    expect(readdirSync(watched.server.temporaryDirectory)).toEqual(['flink-web-upload']);
    // Nothing of 64 MiB has been unpacked into memory.
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });

  it('whose bytes are bent is read or refused', async () => {
    const whole = zip({ [MANIFEST]: 'Manifest-Version: 1.0\nMain-Class: A\n', 'A.class': 'x', 'lib/b.jar': 'y' });
    const place = path.join(folder, 'bent.jar');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), fc.option(fc.nat(whole.length), { freq: 4 }), async (changes, cut) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        writeFileSync(place, cut === null ? bytes : bytes.subarray(0, cut));
        const read = await readManifest(place).then(
          () => 'read',
          (error: unknown) => (error as Error).constructor.name,
        );
        expect(['read', 'JarFormatError']).toContain(read);
      }),
      { numRuns: RUNS * 2, seed },
    );
  });
});

describe('a form', () => {
  const line = fc.oneof(
    fc.constantFrom('--X\r\n', '--X--\r\n', '--X', '\r\n', '\r\n\r\n', '\0', 'Content-Disposition: form-data; name="request"\r\n\r\n{}', 'Content-Disposition: form-data; name="f"; filename="f.jar"\r\n\r\n', 'Content-Disposition: form-data; filename="../../x.jar"\r\n\r\n', 'Content-Disposition: form-data; name="f"; filename=""\r\n\r\n', 'Content-Disposition: form-data; name="__proto__"; filename="x.jar"\r\n\r\n', 'Content-Disposition: form-data; name="f"; filename*=UTF-8\'\'%2e%2e%2fx.jar\r\n\r\n', 'Content-Type: multipart/mixed; boundary=Y\r\n', 'Content-Transfer-Encoding: base64\r\n', `X: ${'y'.repeat(90_000)}\r\n`),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );

  it('of any lines is read or refused, and leaves nothing', async () => {
    using client = new RawClient(watched.port);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.constantFrom('X', 'X', 'Y', '"X"', 'X'.repeat(80)), async (lines, boundary) => {
        const answer = await client.ask(request(Buffer.from(lines.join(''), 'utf8'), boundary));
        expect([200, 400, 500]).toContain(answer?.status);
        if (answer!.status === 500) expect(answer!.body).toMatch(/^\{"errors":\["(File upload failed\.|Could not move)/);
        expect(watched.complaints.splice(0)).toEqual([]);
        if (answer!.status === 200) await forget((JSON.parse(answer!.body) as { filename: string }).filename.split('/').at(-1)!);
        expect(readdirSync(watched.server.temporaryDirectory)).toEqual(['flink-web-upload']);
        expect(readdirSync(path.join(watched.server.temporaryDirectory, 'flink-web-upload'))).toEqual([]);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
      { numRuns: RUNS * 2, seed },
    );
  }, 3_600_000);
});

describe('a scenario', () => {
  it.each([
    ['of aliases of aliases', `a: &a [x,x,x,x,x,x,x,x,x]\n${Array.from('bcdefghi', (name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`).join('\n')}\njobs: *i`],
    ['that holds itself', 'jobs: &a [*a]'],
    ['100,000 levels deep', `jobs: ${'['.repeat(100_000)}`],
    ['100,000 maps deep', '{"a":'.repeat(100_000)],
    ['with keys of prototypes', '__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }'],
    ['with merged prototypes', 'jobs: { <<: { __proto__: { polluted: true } } }'],
    ['of a foreign kind', '!!js/function "function () { process.exit(1) }"'],
    ['of 300,000 values', `jobs: [${'1,'.repeat(300_000)}1]`],
    ['of a number without end', `start: ${'9'.repeat(100_000)}`],
  ])('%s is refused', (_what, yaml) => {
    expect(() => parseScenario(yaml, 'bad.yaml')).toThrow(ScenarioError);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
