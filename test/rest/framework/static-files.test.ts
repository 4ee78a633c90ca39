import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { headerNames } from '../../../src/rest/send.js';
import { dashboardSource } from '../../../src/server/static/dashboard-source.js';
import { DashboardError } from '../../../src/server/static/file-source.js';
import { createStaticFiles } from '../../../src/server/static/static-files.js';
import { parseFlinkVersion } from '../../../src/versions/flink-versions.js';
import { restFeatures } from '../../../src/versions/rest-features.js';
import { exchange, fakeServer } from './fake-server.js';
import { zip } from './zip.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-static-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const STARTED_MS = Date.UTC(2026, 10, 29, 15, 5, 59);

async function dashboardServer(minor: string, place: string) {
  const features = restFeatures(parseFlinkVersion(minor)!);
  const source = await dashboardSource(place);
  let nowMs = STARTED_MS;
  const staticFiles = createStaticFiles({ source, names: headerNames(features), notModifiedClosesLoudly: features.notModifiedClosesLoudly, wallNow: () => nowMs });
  nowMs += 26_000;
  return fakeServer(minor, [{ name: 'jobs', endpoints: [{ method: 'GET', url: '/overview', handle: () => ({}) }] }], { staticFiles });
}

const get = (target: string, ...headers: string[]) => ['GET ' + target + ' HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n');

function writeDashboard(): void {
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<html>');
  writeFileSync(path.join(folder, 'main.js'), 'x'.repeat(100_000));
  writeFileSync(path.join(folder, 'assets', 'logo.svg'), '<svg/>');
}

describe('files of the dashboard', () => {
  it('come with the headers of Flink', async () => {
    writeDashboard();
    await using server = await dashboardServer('1.20', folder);
    expect(await exchange(server.port, get('/'))).toBe(
      [
        'HTTP/1.1 200 OK',
        'content-type: text/html',
        'date: Sun, 29 Nov 2026 15:06:25 GMT',
        'expires: Sun, 29 Nov 2026 15:11:25 GMT',
        'cache-control: private, max-age=300',
        'last-modified: Sun, 29 Nov 2026 15:05:59 GMT',
        'connection: keep-alive',
        'content-length: 6',
        '',
        '<html>',
      ].join('\r\n'),
    );
    await using old = await dashboardServer('1.9', folder);
    expect(await exchange(old.port, get('/index.html'))).toContain('\r\nLast-Modified: Sun, 29 Nov 2026 15:05:59 GMT\r\nConnection: keep-alive\r\ncontent-length: 6');
  });

  it('have the types of Flink, long ones too', async () => {
    writeDashboard();
    await using server = await dashboardServer('2.3', folder);
    const script = await fetch(`${server.url}/main.js?x=1`);
    expect([script.headers.get('content-type'), script.headers.get('content-length'), (await script.text()).length]).toEqual(['application/javascript', '100000', 100_000]);
    expect((await fetch(`${server.url}/assets/logo.svg`)).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('are not sent again when they did not change', async () => {
    writeDashboard();
    await using server = await dashboardServer('1.20', folder);
    const since = 'If-Modified-Since: Sun, 29 Nov 2026 15:05:59 GMT';
    expect(await exchange(server.port, get('/', since), 2)).toBe('HTTP/1.1 304 Not Modified\r\ndate: Sun, 29 Nov 2026 15:06:25 GMT\r\nconnection: close\r\n\r\n');
    expect(await exchange(server.port, get('/', since.replace('59', '58')))).toContain('200 OK');
    expect(await exchange(server.port, get('/', 'If-Modified-Since: foo'))).toContain('500 Internal Server Error\r\ncontent-type: application/json; charset=UTF-8\r\nconnection: keep-alive');
    await using old = await dashboardServer('1.9', folder);
    expect(await exchange(old.port, get('/', since), 2)).toBe('HTTP/1.1 304 Not Modified\r\nDate: Sun, 29 Nov 2026 15:06:25 GMT\r\n\r\n');
  });

  it('have no fallback: what is not there is 404, a folder is empty, the API comes first', async () => {
    writeDashboard();
    writeFileSync(path.join(folder, 'overview'), 'not this');
    await using server = await dashboardServer('1.20', folder);
    const answers = await Promise.all(['/job/running', '/assets', '/assets/', '/v1/index.html', '/overview'].map(async (target) => (await exchange(server.port, get(target))).split('\r\n\r\n')[1]));
    expect(answers.slice(0, 4)).toEqual(['{"errors":["Unable to load requested file /job/running."]}', '', '{"errors":["Unable to load requested file /assets/index.html."]}', '{"errors":["Unable to load requested file /v1/index.html."]}']);
    expect(answers[4]).toContain('"taskmanagers"');
  });

  it('never leave their folder', async () => {
    const outside = path.join(folder, 'secret.txt');
    writeFileSync(outside, 'secret');
    const root = path.join(folder, 'web');
    mkdirSync(root);
    writeFileSync(path.join(root, 'index.html'), '');
    symlinkSync(outside, path.join(root, 'link.txt'));
    await using server = await dashboardServer('1.20', root);
    for (const target of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/link.txt', '/a%00b', '/web/../../secret.txt']) {
      expect(await exchange(server.port, get(target)), target).toContain('404 Not Found');
    }
  });

  it('come out of the web folder of a jar, names that lead elsewhere left out', async () => {
    const jar = path.join(folder, 'flink-dist.jar');
    writeFileSync(jar, zip({ 'web/index.html': '<html>', 'web/assets/a.css': 'a{}', 'web/b': 'b', 'org/apache/Other.class': 'x' }));
    await using server = await dashboardServer('1.20', jar);
    expect(await (await fetch(`${server.url}/`)).text()).toBe('<html>');
    expect((await fetch(`${server.url}/assets/a.css`)).headers.get('content-type')).toBe('text/css');
    expect((await fetch(`${server.url}/org/apache/Other.class`)).status).toBe(404);
  });

  it('come out of a distribution: its archive, its folder, or the Python package that carries it', async () => {
    const jar = zip({ 'web/index.html': '<html>', 'web/main.js': 'x'.repeat(2_000) });
    const root = path.join(folder, 'flink-1.20.5');
    mkdirSync(path.join(root, 'lib'), { recursive: true });
    writeFileSync(path.join(root, 'README.txt'), 'read me');
    writeFileSync(path.join(root, 'lib', 'flink-cep.jar'), 'no dashboard in here');
    writeFileSync(path.join(root, 'lib', 'flink-dist-1.20.5.jar'), jar);
    const archive = path.join(folder, 'flink-1.20.5-bin-scala_2.12.tgz');
    execFileSync('tar', ['-czf', archive, '-C', folder, 'flink-1.20.5']);
    const wheel = path.join(folder, 'apache_flink.whl');
    writeFileSync(wheel, zip({ 'pyflink/__init__.py': '', 'pyflink/lib/flink-dist_2.11-1.9.3.jar': jar }));
    for (const place of [root, archive, wheel]) {
      await using server = await dashboardServer('1.20', place);
      expect(await (await fetch(`${server.url}/`)).text(), place).toBe('<html>');
      expect(await (await fetch(`${server.url}/main.js`)).text(), place).toHaveLength(2_000);
    }
  });

  it.each(['gnu', 'ustar', 'posix'])('are found in %s archives, below folders of long names', async (format) => {
    const long = path.join(folder, 'l'.repeat(90), 'o'.repeat(format === 'ustar' ? 60 : 120), 'lib');
    mkdirSync(long, { recursive: true });
    writeFileSync(path.join(long, 'flink-dist_2.12-1.13.6.jar'), zip({ 'web/index.html': format }));
    const archive = path.join(folder, 'flink.tgz');
    execFileSync('tar', [`--format=${format}`, '-czf', archive, '-C', folder, 'l'.repeat(90)]);
    expect(String((await dashboardSource(archive)).files.get('index.html')!.read())).toBe(format);
  });

  it('leave nothing in the temporary folder', async () => {
    const archive = path.join(folder, 'flink.tgz');
    writeFileSync(path.join(folder, 'flink-dist-1.jar'), zip({ 'web/index.html': '<html>' }));
    execFileSync('tar', ['-czf', archive, '-C', folder, 'flink-dist-1.jar']);
    const scratch = path.join(folder, 'scratch');
    mkdirSync(scratch);
    vi.stubEnv('TMPDIR', scratch);
    await dashboardSource(archive).finally(() => vi.unstubAllEnvs());
    expect(readdirSync(scratch)).toEqual([]);
  });

  it.each([
    ['an archive without a distribution', (file: string) => execFileSync('tar', ['-czf', file, '-C', path.dirname(file), 'x.txt']), /holds no flink-dist jar with a dashboard/],
    ['an archive that is cut off', (file: string) => {
      writeFileSync(path.join(path.dirname(file), 'flink-dist-1.jar'), randomBytes(200_000));
      execFileSync('tar', ['-czf', file, '-C', path.dirname(file), 'flink-dist-1.jar']);
      truncateSync(file, 100_000);
    }, /is no readable \.tgz: unexpected end of file/],
    ['something else that was gzipped', (file: string) => writeFileSync(file, gzipSync(Buffer.alloc(2_000, 'x'))), /is no readable \.tgz: it holds no tar archive/],
    ['an archive whose jar is none', (file: string) => {
      writeFileSync(path.join(path.dirname(file), 'flink-dist-1.jar'), 'hello');
      execFileSync('tar', ['-czf', file, '-C', path.dirname(file), 'flink-dist-1.jar']);
    }, /no readable jar/],
  ])('%s is refused with a reason', async (_name, write, message) => {
    writeFileSync(path.join(folder, 'x.txt'), 'x');
    const archive = path.join(folder, 'flink.tgz');
    write(archive);
    const error = await dashboardSource(archive).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DashboardError);
    expect((error as Error).message).toMatch(message);
  });

  it.each([
    ['a folder without a page', () => folder, /holds no index\.html/],
    ['a place that is not there', () => path.join(folder, 'nope'), /does not exist/],
    ['a file that is no jar', () => path.join(folder, 'x.jar'), /no readable jar/],
    ['a jar without a dashboard', () => path.join(folder, 'y.jar'), /holds no web\/index\.html/],
    ['a jar whose names lead elsewhere', () => path.join(folder, 'z.jar'), /no readable jar: invalid relative path/],
  ])('%s is refused with a reason', async (_name, place, message) => {
    writeFileSync(path.join(folder, 'x.jar'), 'hello');
    writeFileSync(path.join(folder, 'y.jar'), zip({ 'META-INF/MANIFEST.MF': '' }));
    writeFileSync(path.join(folder, 'z.jar'), zip({ 'web/index.html': '', 'web/../../evil': '' }));
    const error = await dashboardSource(place()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DashboardError);
    expect((error as Error).message).toMatch(message);
  });
});
