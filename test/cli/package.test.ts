import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finish, printed } from './run-cli.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

interface LockedPackage {
  readonly dev?: boolean;
}

/** Installs the tarball and what it depends on, from npm's cache if it is there: a lock file stands for the registry's answers. */
function install(target: string, tarball: string): void {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string; dependencies: object; bin: object };
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  const dependencies = { 'mock-flink': `file:${tarball}` };
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([place, entry]) => place !== '' && !entry.dev));
  writeFileSync(path.join(target, 'package.json'), JSON.stringify({ name: 'elsewhere', version: '1.0.0', dependencies }));
  writeFileSync(
    path.join(target, 'package-lock.json'),
    JSON.stringify({
      name: 'elsewhere',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'elsewhere', version: '1.0.0', dependencies }, 'node_modules/mock-flink': { version: manifest.version, resolved: `file:${tarball}`, dependencies: manifest.dependencies, bin: manifest.bin }, ...packages },
    }),
  );
  const npmCi = (...more: string[]) => spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...more], { cwd: target, encoding: 'utf8' });
  const offline = npmCi('--offline');
  if (offline.status === 0) return;
  const online = npmCi('--prefer-offline');
  if (online.status !== 0) throw new Error(online.stderr);
}

describe('the packed package, installed elsewhere', () => {
  let folder: string;
  let files: string[];
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'package-'));
    execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { cwd: ROOT, stdio: 'inherit' });
    const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, encoding: 'utf8' })) as [{ filename: string; files: { path: string }[] }];
    files = packed.files.map((file) => file.path);
    mkdirSync(path.join(folder, 'elsewhere'));
    cpSync(path.join(folder, packed.filename), path.join(folder, 'elsewhere', packed.filename));
    install(path.join(folder, 'elsewhere'), packed.filename);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('holds the program, the scenarios and the licence, no sources and no tests', () => {
    expect(files).toEqual(expect.arrayContaining(['dist/mock-flink.cjs', 'dist/index.js', 'dist/index.d.ts', 'scenarios/incident-2020-04-09.yaml', 'scenarios/schema.json', 'LICENSE']));
    expect(files.filter((file) => /^(src|test|node_modules)\//.test(file))).toEqual([]);
  });

  it('npx mock-flink serves, answers and stops', async () => {
    const child = spawn('npx', ['--no-install', 'mock-flink', '--scenario', 'healthy', '--port', '0'], { cwd: path.join(folder, 'elsewhere'), detached: true });
    const finished = finish(child);
    const banner = await printed(child, /Ctrl-C/);
    const port = /127\.0\.0\.1:(\d+)/.exec(banner)![1];
    expect(await (await fetch(`http://127.0.0.1:${port}/overview`)).json()).toMatchObject({ taskmanagers: 2, 'jobs-running': 1 });
    process.kill(-child.pid!, 'SIGTERM');
    await finished;
    await expect(fetch(`http://127.0.0.1:${port}/overview`)).rejects.toThrow();
  });

  it('can be imported', () => {
    const script = "import { loadScenario, Simulation } from 'mock-flink'; const s = new Simulation(loadScenario('healthy').model); s.advanceBy(60_000); console.log([...s.state.jobs.values()][0].status)";
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: path.join(folder, 'elsewhere'), encoding: 'utf8' })).toBe('RUNNING\n');
  });
});
