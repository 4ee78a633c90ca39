// Asks the registry for known vulnerabilities of what is shipped: exit code 1 for high and critical ones. Where it cannot be asked, it says so, and looks at what
// can be looked at without it; a registry that is away is no failure.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lockfileProblems, readJson } from './check-lockfile.mjs';

const npm = (...args) => spawnSync('npm', args, { encoding: 'utf8', timeout: 60_000, shell: process.platform === 'win32' });

/** Counts by severity, or the reason why nobody knows. */
function askRegistry() {
  // Offline, npm asks nobody and finds nothing, which is no answer.
  if (npm('config', 'get', 'offline').stdout?.trim() === 'true') return { reason: 'npm is configured to be offline' };
  const { stdout, stderr, error } = npm('audit', '--omit', 'dev', '--json', '--fetch-retries=0', '--fetch-timeout=15000');
  let answer;
  try {
    answer = JSON.parse(stdout);
  } catch {
    const line = (stderr ?? '').split('\n').find((each) => /npm (error|ERR!)/.test(each));
    return { reason: error?.message ?? line ?? 'no reason given' };
  }
  const counts = answer.metadata?.vulnerabilities;
  return counts ? { counts } : { reason: answer.message ?? answer.error?.summary ?? 'it gave no counts' };
}

/** What is installed and is not what the lockfile says; null = nothing is installed here. */
function installedProblems(lock) {
  if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) return null;
  const installed = readJson('node_modules/.package-lock.json').packages;
  const problems = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    const found = installed[place];
    if (place === '' || (found === undefined && (entry.optional || entry.dev || entry.devOptional))) continue;
    if (found === undefined) problems.push(`${place}: is not installed; run npm ci`);
    else if (found.version !== entry.version || found.integrity !== entry.integrity) problems.push(`${place}: ${found.version} is installed, ${entry.version} is locked; run npm ci`);
  }
  for (const place of Object.keys(installed)) if (lock.packages[place] === undefined) problems.push(`${place}: is installed, but not locked; run npm ci`);
  return problems;
}

const { counts, reason } = askRegistry();
if (counts) {
  console.log(`audit: ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`);
  if (counts.critical + counts.high > 0) process.exitCode = 1;
} else {
  const lock = readJson('package-lock.json');
  const locked = lockfileProblems(lock, readJson('package.json'));
  const installed = installedProblems(lock);
  const verdict = (problems) => (problems.length === 0 ? 'nothing wrong' : `${problems.length} wrong`);
  console.log(`audit: the registry was not asked or did not answer (${reason.slice(0, 160)})`);
  console.log('  NOT checked: known vulnerabilities of what is shipped; nothing is known of them');
  console.log(`  checked: package-lock.json (checksums, where packages come from, licences, install scripts): ${verdict(locked)}`);
  console.log(installed === null ? '  NOT checked: what is installed; nothing is' : `  checked: that what npm installed is what is locked, by version and checksum: ${verdict(installed)}`);
  for (const problem of [...locked, ...(installed ?? [])]) console.error(`  ${problem}`);
  if (locked.length + (installed?.length ?? 0) > 0) process.exitCode = 1;
}
