import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { shippedScenarioNames } from '../../src/scenario/shipped-scenarios.js';
import { runCli } from './run-cli.js';

const COMMANDS = createProgram().commands.map((command) => command.name());
let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'command-line-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('mock-flink', () => {
  it('explains itself', async () => {
    const { code, stdout } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toContain(command);
  });

  it.each(COMMANDS)('explains %s', async (command) => {
    const { code, stdout, stderr } = await runCli([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Usage: mock-flink ${command}`);
  });

  it('lists the scenarios that ship, one line each, the default marked', async () => {
    const { stdout } = await runCli(['scenarios']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(shippedScenarioNames());
    expect(lines.filter((line) => line.endsWith('(default)')).map((line) => line.split(' ')[0])).toEqual(['incident-2020-04-09']);
  });

  it.each([
    ['unknown command', ['simlate'], `mock-flink: unknown command "simlate"; did you mean \`simulate\`? allowed: ${[...COMMANDS, 'help'].join(', ')}`],
    ['unknown option', ['serve', '--prot', '1'], '(Did you mean --port?)'],
    ['unknown option of the default command', ['--sede', '1'], '(Did you mean --seed?)'],
    ['bad value', ['serve', '--speed', 'fast'], 'mock-flink: option --speed: found "fast"; allowed: a number above 0, up to 100000'],
    ['bad format', ['simulate', 'healthy', '--for', '1 min', '--format', 'jsno'], 'Did you mean json?'],
    ['more time than there is', ['simulate', 'healthy', '--for', '100000d'], 'mock-flink: option --for: found 100000 d; allowed: up to 366 d'],
    ['more samples than fit', ['simulate', 'healthy', '--for', '30d', '--every', '1s'], 'mock-flink: option --every: found 1 s, 2592001 samples; allowed: at most 100000 samples, here from 26 s on'],
    ['missing option', ['simulate', 'healthy'], "required option '--for <duration>' not specified"],
    ['unknown scenario', ['simulate', 'helthy', '--for', '1 min'], 'did you mean `healthy`?'],
    ['unknown scenario to serve', ['serve', '--scenario', 'hotkey'], 'did you mean `hot-key`?'],
    ['a dashboard that is none', ['serve', '--scenario', 'empty', '--port', '0', '--dashboard', 'scenarios'], 'option --dashboard: scenarios holds no index.html'],
    ['a base path that is the control API’s', ['serve', '--base-path', '/_mock'], 'option --base-path: found "/_mock"; allowed: a path that begins with /, and not with /_mock'],
    ['a snapshot folder that is a file', ['serve', '--scenario', 'empty', '--port', '0', '--snapshots', 'package.json'], 'option --snapshots: package.json is a file; allowed: a folder'],
    ['certificates that are none', ['serve', '--scenario', 'empty', '--port', '0', '--tls-cert', 'package.json', '--tls-key', 'LICENSE'], 'TLS cannot start with package.json, LICENSE: '],
    ['a dashboard that is not there', ['serve', '--dashboard', '/no/such/folder'], 'option --dashboard: /no/such/folder does not exist'],
  ])('%s: says what was meant, exit code 2', async (_, args, message) => {
    const { code, stderr } = await runCli(args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(2);
  });

  it('validate reports every file and every mistake; exit code 2 without a stack trace', async () => {
    const write = (name: string, text: string | Buffer): string => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const wrong = write('wrong.yaml', 'seed: -1\ntitel: x\n');
    const latin1 = write('latin1.yaml', Buffer.from([0x61, 0x3a, 0xe9]));
    const huge = write('huge.yaml', '');
    truncateSync(huge, 1_000_000_000);
    const { code, stdout, stderr } = await runCli(['validate', 'healthy', wrong, latin1, huge, folder, `${folder}/none.yaml`]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^healthy: ok \(Flink 1\.20\.5, 2 task managers, 4 slots, 1 jobs, 0 events, 0 jar templates\)\n$/);
    expect(stderr.trimEnd().split('\n')).toEqual([
      `${wrong}:1:7: seed: found -1; allowed: at least 0`,
      expect.stringContaining(`${wrong}:2:1: titel: unknown key; did you mean \`title\`? allowed: title, `),
      `${latin1}: is not UTF-8 text; save it as UTF-8`,
      `${huge}: has 1000000000 bytes; at most 5000000 are allowed`,
      `${folder}: is a folder; give a YAML file`,
      `${folder}/none.yaml: there is no such file`,
    ]);
  });
});
