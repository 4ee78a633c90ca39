import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMockFlink } from '../../src/library/start-mock-flink.js';
import type { MockFlink } from '../../src/library/mock-flink.js';
import { readTraffic } from '../../src/recorder/traffic.js';
import { parseScenario } from '../../src/scenario/load-scenario.js';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-record-'));

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function start(args: readonly string[], env: Record<string, string> = {}): { child: ChildProcess; ended: Promise<Run>; err: () => string } {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let [out, err] = ['', ''];
  child.stdout!.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr!.on('data', (data: Buffer) => (err += data.toString()));
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err }))), err: () => err };
}

const run = (args: readonly string[], env?: Record<string, string>): Promise<Run> => start(args, env).ended;
const file = (name: string): string => path.join(folder, name);

let flink: MockFlink;

beforeAll(async () => {
  flink = await startMockFlink({ scenario: 'hot-key', flinkVersion: '1.20', clock: 'real', speed: 30 });
});

afterAll(async () => {
  await flink.close();
  rmSync(folder, { recursive: true });
});

describe('mock-flink record', () => {
  it('writes a scenario that validate takes, and the traffic', { timeout: 60_000 }, async () => {
    const recorded = await run(['record', flink.url, '-o', file('a.yaml'), '--for', '3s', '--every', '500ms', '--keep-traffic', file('a.json.gz')]);
    expect(recorded).toMatchObject({ code: 0, out: '' });
    expect(recorded.err).toContain(`A job recorded → ${file('a.yaml')}; play it with: mock-flink serve --scenario`);
    expect((await run(['validate', file('a.yaml')])).out).toContain('ok (Flink 1.20.5');
    expect(readTraffic(readFileSync(file('a.json.gz'))).answers.length).toBeGreaterThan(50);
  });

  it('writes to stdout when no file is given', { timeout: 60_000 }, async () => {
    const { code, out } = await run(['record', flink.url, '--for', '1s', '--every', '500ms']);
    expect(code).toBe(0);
    expect(parseScenario(out, 'stdout.yaml').model.jobs).toHaveLength(1);
  });

  it('does not write over a file unless it is told to', { timeout: 60_000 }, async () => {
    writeFileSync(file('mine.yaml'), 'mine');
    const refused = await run(['record', flink.url, '-o', file('mine.yaml'), '--for', '1s', '--every', '500ms']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('exists already; give another file, or --force');
    expect(readFileSync(file('mine.yaml'), 'utf8')).toBe('mine');
    expect((await run(['record', flink.url, '-o', file('mine.yaml'), '--for', '1s', '--every', '500ms', '--force'])).code).toBe(0);
    expect(readFileSync(file('mine.yaml'), 'utf8')).toContain('Made by mock-flink record');
  });

  it('writes what was seen when it is interrupted', { timeout: 60_000 }, async () => {
    const { child, ended, err } = start(['record', flink.url, '-o', file('early.yaml'), '--for', '1h', '--every', '500ms']);
    await expect.poll(err, { timeout: 20_000 }).toContain('Ctrl-C ends it');
    await expect.poll(() => flink.journal.entries().length, { timeout: 20_000 }).toBeGreaterThan(60);
    child.kill('SIGINT');
    const { code, err: told } = await ended;
    expect(code).toBe(0);
    expect(told).toContain('stopped early');
    expect(parseScenario(readFileSync(file('early.yaml'), 'utf8'), 'early.yaml').model.jobs).toHaveLength(1);
  });

  it.each([
    [['record', 'http://127.0.0.1:9', '--for', '5s'], 1, /cannot be reached/],
    [['record', 'ftp://flink'], 2, /the cluster's address: .*allowed: http/],
    [['record'], 2, /missing required argument 'url'/],
    [['record', 'http://flink', '--for', 'soon'], 2, /Allowed: a duration/],
    [['record', 'http://flink', '--for', '5s', '--every', '10s'], 2, /option --every: longer than --for/],
    [['record', 'http://flink', '--header', 'nonsense'], 2, /option --header/],
    [['verify', 'http://127.0.0.1:9'], 2, /cannot be reached/],
    [['verify', 'http://flink', '--flink-version', '0.9'], 2, /option --flink-version/],
    [['verify', 'http://flink', '--scenario', 'no-such.yaml'], 2, /there is no such file/],
  ])('%j ends with %i', { timeout: 30_000 }, async (args, code, message) => {
    const ended = await run(args);
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(message);
    expect(ended.err).not.toMatch(/\n\s+at /);
  });

  it('tells who asks', { timeout: 30_000 }, async () => {
    const seen: IncomingHttpHeaders[] = [];
    const gate = createServer(({ headers }, response) => void (seen.push(headers), response.writeHead(403).end()));
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const { code, err } = await run(['record', `http://127.0.0.1:${(gate.address() as AddressInfo).port}`, '--header', 'X-Gate: open'], { MOCK_FLINK_TOKEN: 'sesame' });
    await new Promise((resolve) => gate.close(resolve));
    expect(seen[0]).toMatchObject({ authorization: 'Bearer sesame', 'x-gate': 'open' });
    expect(code).toBe(1);
    expect(err).toContain('refused with 403; give credentials');
  });
});

describe('mock-flink verify', () => {
  it('ends with 0 when the answers are alike, for people and for programs', { timeout: 60_000 }, async () => {
    const text = await run(['verify', flink.url, '--for', '1s']);
    expect(text.out).toContain('Alike: status codes');
    expect(text.code).toBe(0);
    await run(['record', flink.url, '-o', file('of-it.yaml'), '--for', '1s', '--every', '500ms']);
    const json = await run(['verify', flink.url, '--scenario', file('of-it.yaml'), '--format', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ alike: true, flinkVersion: '1.20.5' });
  });

  it('ends with 1 when they differ', { timeout: 60_000 }, async () => {
    const { code, out } = await run(['verify', flink.url, '--for', '1s', '--flink-version', '1.14']);
    expect(code).toBe(1);
    expect(out).toMatch(/GET \/config\n {4}missing field/);
  });
});
