// Looks over package-lock.json without a network: every package with a strong checksum, from the registry, of a licence that may be used, in step with
// package.json. Prints what is wrong; exit code 1 then.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REGISTRY_HOSTS = new Set(['registry.npmjs.org']);
const LICENCES = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Python-2.0', 'MPL-2.0', '(MIT AND Zlib)', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'MIT OR Apache-2.0', '(MIT OR CC0-1.0)']);
/** Licences that only development tools may have: nothing of them is shipped. */
const DEVELOPMENT_ONLY = new Set(['MPL-2.0', 'Python-2.0']);
/** Packages that may run a script when they are installed. */
const WITH_SCRIPTS = new Set(['esbuild', 'fsevents']);

/** What is wrong with a lockfile; nothing = it may be installed from. */
export function lockfileProblems(lock, manifest) {
  const problems = [];
  if (lock.lockfileVersion < 3) problems.push(`lockfileVersion ${lock.lockfileVersion}: allowed: 3`);
  const root = lock.packages[''] ?? {};
  for (const kind of ['dependencies', 'devDependencies']) {
    const [asked, locked] = [JSON.stringify(sorted(manifest[kind])), JSON.stringify(sorted(root[kind]))];
    if (asked !== locked) problems.push(`${kind} differ from package.json; run npm install`);
  }
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === '') continue;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!place.startsWith('node_modules/') || entry.link) problems.push(`${place}: is no package of the registry`);
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')) problems.push(`${place}: no sha512 checksum`);
    if (entry.resolved !== undefined) {
      const url = new URL(entry.resolved);
      if (url.protocol !== 'https:' || !REGISTRY_HOSTS.has(url.host)) problems.push(`${place}: comes from ${url.protocol}//${url.host}`);
    }
    if (!LICENCES.has(entry.license)) problems.push(`${place}: licence ${entry.license ?? 'unknown'}`);
    else if (DEVELOPMENT_ONLY.has(entry.license) && !entry.dev && !entry.devOptional) problems.push(`${place}: licence ${entry.license} is for development only`);
    if (entry.hasInstallScript && !WITH_SCRIPTS.has(name)) problems.push(`${place}: runs a script when it is installed`);
  }
  return problems;
}

function sorted(object = {}) {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => a.localeCompare(b)));
}

export function readJson(name) {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = readJson('package-lock.json');
  const problems = lockfileProblems(lock, readJson('package.json'));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`package-lock.json: ${Object.keys(lock.packages).length - 1} packages, nothing wrong`);
}
