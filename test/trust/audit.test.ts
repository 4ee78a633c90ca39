import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What a registry says of a package that has the locked version only. */
function packument(name: string): object {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> };
  const { version } = packages[`node_modules/${name}`]!;
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist: { tarball: `${url}${name}.tgz` } } } };
}

let folder: string;
let registry: Server;
let advisories: object;
let asked: string[];
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-audit-'));
  registry = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part)).on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET') return void response.end(JSON.stringify(packument(request.url!.slice(1))));
      const body = Buffer.concat(parts);
      asked.push(...Object.keys(JSON.parse((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString() || '{}') as object));
      response.end(JSON.stringify(advisories));
    });
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
});
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The script, asking that registry, over a copy of the lockfiles that `change` may bend. */
async function audit(environment: Readonly<Record<string, string>>, change: (copy: string) => void = () => undefined): Promise<{ code: number | null; output: string }> {
  asked = [];
  const copy = mkdtempSync(path.join(folder, 'copy-'));
  mkdirSync(path.join(copy, 'node_modules'));
  for (const name of ['package.json', 'package-lock.json', 'scripts/audit.mjs', 'scripts/check-lockfile.mjs', 'node_modules/.package-lock.json']) cpSync(path.join(ROOT, name), path.join(copy, name));
  change(copy);
  const child = spawn(process.execPath, ['scripts/audit.mjs'], { cwd: copy, env: { ...process.env, npm_config_registry: url, npm_config_cache: path.join(folder, 'cache'), npm_config_update_notifier: 'false', ...environment } });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** npm remembers advisories by their number. */
const advisory = (severity: 'moderate' | 'high'): object => ({ fastify: [{ id: severity.length, url: 'https://example.org/1', title: 'a hole', severity, vulnerable_versions: '*' }] });

it('tells what the registry knows of what is shipped; what is high is a failure', async () => {
  advisories = {};
  expect(await audit({})).toEqual({ code: 0, output: 'audit: 0 critical, 0 high, 0 moderate, 0 low\n' });
  expect(asked).toContain('fastify');
  expect(asked).not.toContain('vitest');
  advisories = advisory('moderate');
  expect(await audit({})).toEqual({ code: 0, output: expect.stringMatching(/^audit: 0 critical, 0 high, [1-9]\d* moderate, 0 low\n$/) });
  advisories = advisory('high');
  expect(await audit({})).toEqual({ code: 1, output: expect.stringMatching(/^audit: 0 critical, [1-9]\d* high,/) });
});

const NOT_KNOWN = /NOT checked: known vulnerabilities[^]*checked: package-lock\.json .*: nothing wrong[^]*checked: that what npm installed is what is locked, .*: nothing wrong/;

it.each<[string, Record<string, string>]>([
  ['is away', { npm_config_registry: 'http://127.0.0.1:9/' }],
  ['is not to be asked', { npm_config_offline: 'true' }],
])('says what was and what was not checked where the registry %s, which is no failure', async (_what, environment) => {
  const { code, output } = await audit(environment);
  expect(output).toMatch(/^audit: the registry was not asked or did not answer \(.{10,}\)\n/);
  expect(output).toMatch(NOT_KNOWN);
  expect(output).not.toMatch(/0 critical/);
  expect(code).toBe(0);
});

it('fails without a registry for what can be seen without one', async () => {
  const bend = (name: string, from: RegExp, to: string) => (copy: string): void => {
    const file = path.join(copy, name);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(from);
    writeFileSync(file, text.replace(from, to));
  };
  const offline = { npm_config_offline: 'true' };
  expect(await audit(offline, bend('package-lock.json', /"integrity": "sha512-[^"]+"/, '"integrity": "sha1-abc"'))).toEqual({ code: 1, output: expect.stringContaining('no sha512 checksum') });
  expect(await audit(offline, bend('node_modules/.package-lock.json', /("node_modules\/fastify": \{\s+"version": ")[^"]+/, '$10.0.1'))).toEqual({ code: 1, output: expect.stringMatching(/node_modules\/fastify: 0\.0\.1 is installed, \S+ is locked; run npm ci/) });
  const { code, output } = await audit(offline, (copy) => rmSync(path.join(copy, 'node_modules'), { recursive: true }));
  expect([code, output]).toEqual([0, expect.stringContaining('NOT checked: what is installed; nothing is')]);
});
