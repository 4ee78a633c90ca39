// Asks the registry for known vulnerabilities of what is shipped. Fails for high ones only; where the registry does not answer, it says so and fails not.
import { spawnSync } from 'node:child_process';

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit', 'dev', '--json', '--fetch-retries=0', '--fetch-timeout=15000'], { encoding: 'utf8', timeout: 60_000, shell: process.platform === 'win32' });
let counts;
try {
  counts = JSON.parse(stdout).metadata.vulnerabilities;
} catch {
  console.log(`audit: the registry did not answer (${(stderr ?? '').split('\n').find((line) => /npm (error|ERR!)/.test(line))?.slice(0, 120) ?? 'no reason given'}); nothing is known`);
}
if (counts) {
  console.log(`audit: ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`);
  if (counts.critical + counts.high > 0) process.exitCode = 1;
}
