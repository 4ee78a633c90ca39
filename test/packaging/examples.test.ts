import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { installed, run, runWell, type Finished } from '../clients/install/tools.js';
import { ROOT } from '../docs/markdown.js';

const installation = inject('installation');

/** Copies an example below the installation and runs a command in it, with `mock-flink` on the PATH. */
function runExample(name: string, command: string, args: readonly string[]): Promise<Finished> {
  const folder = path.join(installation, 'examples', name);
  cpSync(path.join(ROOT, 'examples', name), folder, { recursive: true });
  const inherited = Object.entries(process.env).filter(([variable]) => !/^(MOCK_FLINK_|VITEST|NODE_ENV|NODE_OPTIONS|JEST|FORCE_COLOR)/.test(variable));
  const env = { ...Object.fromEntries(inherited), PATH: `${path.join(installation, 'node_modules/.bin')}:${process.env['PATH']}`, NO_COLOR: '1' };
  return run(command, args, { cwd: folder, env });
}

async function python(): Promise<string> {
  const folder = await installed('pytest-1', async (into) => {
    await runWell('python3', ['-m', 'venv', into]);
    await runWell(path.join(into, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'pytest==9.*']);
  });
  return path.join(folder, 'bin/python');
}

describe('examples with the packed product', () => {
  it('vitest', async () => {
    const { code, stdout, stderr } = await runExample('vitest', 'npm', ['test', '--', '--testTimeout=60000']);
    expect(stdout + stderr).toMatch(/Tests\D+4 passed/);
    expect(code).toBe(0);
  });

  it('jest', async () => {
    const { code, stderr } = await runExample('jest', 'npm', ['test', '--', '--testTimeout=60000']);
    expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m);
    expect(code).toBe(0);
  });

  it("node's test runner", async () => {
    const { code, stdout } = await runExample('node-test', 'node', ['--test', '--test-reporter=tap']);
    expect(stdout).toMatch(/^# pass 2\n# fail 0$/m);
    expect(code).toBe(0);
  });

  it('pytest', async () => {
    const { code, stdout } = await runExample('pytest', await python(), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']);
    expect(stdout).toMatch(/^4 passed/m);
    expect(code).toBe(0);
  });

  it('JUnit 5', async () => {
    const { code, stdout } = await runExample('junit', 'mvn', ['-B', '-ntp', 'test']);
    expect(stdout).toMatch(/Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/);
    expect(code).toBe(0);
  });

  it('go test', async () => {
    const vet = await runExample('go', 'go', ['vet', './...']);
    expect(vet).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout } = await runExample('go', 'go', ['test', '-v', './...']);
    expect(stdout.match(/^--- PASS/gm)).toHaveLength(2);
    expect(code).toBe(0);
  });

  it('each has a page of its own, and its line in the list', () => {
    const list = readFileSync(path.join(ROOT, 'examples/README.md'), 'utf8');
    for (const { name } of readdirSync(path.join(ROOT, 'examples'), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      expect(existsSync(path.join(ROOT, 'examples', name, 'README.md')), name).toBe(true);
      expect(list).toContain(`(${name}/README.md)`);
    }
  });
});
