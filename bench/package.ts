import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
