import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { round, type Section } from './report.js';
import { ROOT } from './servers.js';

/** What an installation brings along. */
export function packageSection(): Section {
  const [{ unpackedSize, entryCount }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' })) as [{ unpackedSize: number; entryCount: number }];
  const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  return {
    title: 'Package',
    rows: [
      { what: 'unpacked', value: round(unpackedSize / 1e6), unit: 'MB', target: { max: 25 }, beside: `${entryCount} files` },
      { what: 'direct dependencies', value: Object.keys(dependencies).length, unit: '', target: { max: 11 } },
    ],
  };
}

/** From a clean clone to something that can be started. */
export function installSection(): Section {
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-'));
  const clone = path.join(directory, 'clone');
  const seconds = (file: string, ...args: string[]): number => {
    const startedAt = performance.now();
    execFileSync(file, args, { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
    return (performance.now() - startedAt) / 1000;
  };
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone], { stdio: ['ignore', 'ignore', 'inherit'] });
    const install = seconds('npm', 'ci', '--no-audit', '--no-fund');
    const build = seconds('npm', 'run', 'build');
    return {
      title: 'Installation',
      rows: [{ what: '`npm ci` and build on a clean clone', value: round(install + build), unit: 's', target: { max: 40 }, beside: `npm ci ${round(install)} s (hangs on the registry and npm's cache), build ${round(build)} s` }],
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
