// Compiles src/ to dist/, bundles the console's page for browsers, and copies the files beside the sources that are no TypeScript (JSON tables,
// the status page).
// `--if-stale` does nothing when dist/ is newer than everything it is made from.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stamp = path.join(root, 'dist', '.built');

const consoleSources = path.join(root, 'src', 'console');

/** Newest modification time (ms) below a folder or of a file. */
function newest(place) {
  const info = statSync(place);
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(place).map((name) => newest(path.join(place, name))));
}

const inputs = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.console.json'].map((name) => path.join(root, name));
// An installed package carries dist/ without src/: nothing to build there.
if (!existsSync(inputs[0])) process.exit(0);
const startedAt = new Date();
if (process.argv.includes('--if-stale') && existsSync(stamp) && Math.max(...inputs.map(newest)) <= statSync(stamp).mtimeMs) process.exit(0);

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const compiled = spawnSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
cpSync(path.join(root, 'src'), path.join(root, 'dist'), {
  recursive: true,
  filter: (from) => from !== consoleSources && (statSync(from).isDirectory() || !from.endsWith('.ts')),
});
// An installed package has no esbuild, and nothing to build.
const { bundleConsole } = await import('./bundle-console.mjs');
await bundleConsole();
writeFileSync(stamp, '');
utimesSync(stamp, startedAt, startedAt);
