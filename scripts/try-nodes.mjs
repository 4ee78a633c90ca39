// Runs the examples of node:test, over the built package, with several versions of Node: `npm run test:nodes` (or: … -- 22 24).
// Those that are not the running one come from the package `node`, so the registry has to be reachable.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24'];
const current = process.versions.node.split('.')[0];
let failed = false;
for (const version of versions) {
  const tests = ['--test', 'examples/node-test/monitor.test.mjs'];
  const [command, args] = version === current ? [process.execPath, tests] : ['npm', ['exec', '--yes', `--package=node@${version}`, '--', 'node', ...tests]];
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8', timeout: 180_000 });
  console.log(`Node ${version}: ${status === 0 ? 'passed' : `failed (${status})\n${stdout}`}`);
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
