// Fetches the real Flink dashboard of a version (the jar flink-runtime-web, about 4 MB, Apache-2.0) with Maven, or out of the Python
// package that carries the distribution when there is no Maven, and prints the jar's path.
//
//   node scripts/fetch-dashboard.mjs 2.3.0 [--to DIR]        default DIR: .cache/dashboards
//
// Use it as: mock-flink serve --flink-version 2.3.0 --dashboard "$(node scripts/fetch-dashboard.mjs 2.3.0)"
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const toIndex = args.indexOf('--to');
const folder = path.resolve(toIndex >= 0 ? args.splice(toIndex, 2)[1] : path.join(root, '.cache', 'dashboards'));
const [version] = args;
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) {
  console.error('usage: node scripts/fetch-dashboard.mjs VERSION [--to DIR]      VERSION in full, such as 1.9.3 or 2.3.0');
  process.exit(2);
}
const [major, minor] = version.split('.').map(Number);
// the artifact's name carries the Scala version up to 1.14
const artifact = major === 1 && minor < 15 ? 'flink-runtime-web_2.11' : 'flink-runtime-web';
const jar = path.join(folder, `${artifact}-${version}.jar`);

/** Runs a command with its output on standard error, so that standard output holds the path alone. */
function run(command, commandArgs) {
  return spawnSync(command, commandArgs, { stdio: ['ignore', 2, 2] }).status === 0;
}

function throughMaven() {
  return run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=org.apache.flink:${artifact}:${version}`, `-DoutputDirectory=${folder}`]);
}

function throughPip() {
  const scratch = mkdtempSync(path.join(tmpdir(), 'flink-dashboard-'));
  try {
    const name = major === 1 && minor < 13 ? 'apache-flink' : 'apache-flink-libraries';
    if (!run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', scratch, `${name}==${version}`])) return false;
    const archive = path.join(scratch, readdirSync(scratch)[0]);
    const unpack = "import glob,shutil,sys,tarfile,zipfile\na,d=sys.argv[1:]\n(zipfile.ZipFile(a) if a.endswith('.whl') else tarfile.open(a)).extractall(d)\nprint(glob.glob(d+'/**/flink-dist*.jar',recursive=True)[0])";
    const found = spawnSync('python3', ['-c', unpack, archive, path.join(scratch, 'unpacked')], { encoding: 'utf8' });
    if (found.status !== 0) return false;
    renameSync(found.stdout.trim(), jar);
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

mkdirSync(folder, { recursive: true });
if (!existsSync(jar) && !throughMaven() && !throughPip()) {
  console.error(`The dashboard of Flink ${version} could not be fetched: neither Maven (org.apache.flink:${artifact}) nor pip has brought it.`);
  process.exit(1);
}
console.log(jar);
