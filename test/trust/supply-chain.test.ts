import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
// @ts-expect-error A script without types.
import { lockfileProblems, readJson } from '../../scripts/check-lockfile.mjs';
// @ts-expect-error A script without types.
import { licenceList } from '../../scripts/list-licences.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const problemsOf = lockfileProblems as (lock: unknown, manifest: unknown) => string[];
const read = readJson as (name: string) => { packages: Record<string, Record<string, unknown>> };

describe('the lockfile', () => {
  it('has a checksum for every package and no other place to come from than the registry', () => {
    expect(problemsOf(read('package-lock.json'), read('package.json'))).toEqual([]);
  });

  it('is refused for each thing that may be wrong with it', () => {
    const bent = (change: Record<string, unknown>): string[] => {
      const lock = read('package-lock.json');
      Object.assign(lock.packages['node_modules/fastify']!, change);
      return problemsOf(lock, read('package.json'));
    };
    expect(bent({ integrity: undefined })).toEqual(['node_modules/fastify: no sha512 checksum']);
    expect(bent({ integrity: 'sha1-abc' })).toEqual(['node_modules/fastify: no sha512 checksum']);
    expect(bent({ resolved: 'http://registry.npmjs.org/fastify' })).toEqual(['node_modules/fastify: comes from http://registry.npmjs.org']);
    expect(bent({ resolved: 'https://evil.example/fastify.tgz' })).toEqual(['node_modules/fastify: comes from https://evil.example']);
    expect(bent({ resolved: 'git+ssh://git@example.org/fastify.git' })).toEqual([expect.stringContaining('comes from git+ssh:')]);
    expect(bent({ license: 'GPL-3.0' })).toEqual(['node_modules/fastify: licence GPL-3.0']);
    expect(bent({ license: 'MPL-2.0' })).toEqual(['node_modules/fastify: licence MPL-2.0 is for development only']);
    expect(bent({ hasInstallScript: true })).toEqual(['node_modules/fastify: runs a script when it is installed']);
    expect(problemsOf(read('package-lock.json'), { ...read('package.json'), dependencies: {} })).toEqual(['dependencies differ from package.json; run npm install']);
  });
});

describe('the list of licences', () => {
  it('is what the lockfile says', () => {
    expect(readFileSync(`${ROOT}docs/licences.md`, 'utf8')).toBe((licenceList as (lock: unknown) => string)(read('package-lock.json')));
  });
});

describe('the bill of materials', () => {
  it('names every package, without asking anybody', () => {
    const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'sbom', '--offline'], { cwd: ROOT, encoding: 'utf8' });
    const bom = JSON.parse(stdout || `"${stderr}"`) as { bomFormat: string; components: { name: string; version: string }[] };
    expect(bom.bomFormat).toBe('CycloneDX');
    const named = new Set(bom.components.map(({ name, version }) => `${name} ${version}`));
    const shipped = Object.entries(read('package-lock.json').packages).filter(([place, entry]) => place !== '' && !entry['optional'] && !entry['devOptional']);
    expect(shipped.map(([place, { version }]) => `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version as string}`).filter((each) => !named.has(each))).toEqual([]);
  });
});
