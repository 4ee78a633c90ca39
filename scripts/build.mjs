// Compiles src/ to dist/, copies the files beside the sources that are no TypeScript (JSON tables, the status page), bundles the console and
// the command line, and simulates the default scenario up to where it opens. `--if-stale` does nothing when dist/ is newer than everything
// it is made from.
import { spawnSync } from 'node:child_process';
import { cpSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import stale from './stale.cjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'dist');
const consoleSources = path.join(root, 'src', 'console');

if (process.argv.includes('--if-stale') && !stale.isStale()) process.exit(0);
const startedAt = new Date();

// What was built before stays until this compiles.
const fresh = path.join(root, 'dist.next');
rmSync(fresh, { recursive: true, force: true });
const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const compiled = spawnSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.build.json'), '--outDir', fresh], { stdio: 'inherit' });
if (compiled.status !== 0) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(compiled.status ?? 1);
}
rmSync(dist, { recursive: true, force: true });
renameSync(fresh, dist);
cpSync(path.join(root, 'src'), dist, {
  recursive: true,
  filter: (from) => from !== consoleSources && (statSync(from).isDirectory() || !from.endsWith('.ts')),
});
const [{ bundleConsole }, { bundleCli }] = await Promise.all([import('./bundle-console.mjs'), import('./bundle-cli.mjs')]);
await bundleConsole();
await openDefaultScenario();
await bundleCli();
writeFileSync(stale.stamp, '');
utimesSync(stale.stamp, startedAt, startedAt);

/** The default scenario starts as fast as an empty one: what is history when it opens is simulated here. */
async function openDefaultScenario() {
  const load = (file) => import(pathToFileURL(path.join(dist, file)).href);
  const [{ writeOpenedScenario }, { openedFile }, { DEFAULT_SCENARIO }] = await Promise.all(['server/opened/write-opened-scenario.js', 'server/opened/opened-scenario.js', 'scenario/shipped-scenarios.js'].map(load));
  writeFileSync(openedFile(DEFAULT_SCENARIO), await writeOpenedScenario(DEFAULT_SCENARIO));
}
