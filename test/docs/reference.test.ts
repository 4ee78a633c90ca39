import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { referenceFiles } from '../../scripts/reference/files.js';
import { createProgram } from '../../src/cli/program.js';

const ROOT = new URL('../../', import.meta.url);
let files: Record<string, string>;
beforeAll(async () => void (files = await referenceFiles()));

describe('the documents that are made from the program', () => {
  it.each(['man/mock-flink.1', 'docs/reference/cli.md', 'docs/reference/scenario.md', 'docs/reference/control-api.md', 'docs/compatibility.md'])('%s is as `npm run docs:reference` writes it', (file) => {
    expect(readFileSync(new URL(file, ROOT), 'utf8')).toBe(files[file]);
  });

  it('name every command and every option', () => {
    for (const command of createProgram().commands) {
      expect(files['docs/reference/cli.md']).toContain(`## mock-flink ${command.name()}\n`);
      for (const { long } of command.options) {
        expect(files['docs/reference/cli.md']).toContain(long);
        expect(files['man/mock-flink.1']).toContain(long!.replaceAll('-', '\\-'));
      }
    }
  });

  it('explain every option and argument of every command', () => {
    for (const command of createProgram().commands) {
      const help = command.createHelp();
      for (const option of help.visibleOptions(command)) expect(help.optionDescription(option), `${command.name()} ${option.flags}`).not.toBe('');
      for (const argument of command.registeredArguments) expect(help.argumentDescription(argument), `${command.name()} ${argument.name()}`).not.toBe('');
    }
  });

  it.skipIf(spawnSync('man', ['--version']).status !== 0)('are a manual that man shows without a warning', () => {
    const { status, stdout, stderr } = spawnSync('man', ['--warnings=all', '-l', fileURLToPath(new URL('man/mock-flink.1', ROOT))], { encoding: 'utf8', env: { ...process.env, MANWIDTH: '120', LC_ALL: 'C.UTF-8' } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^MOCK-FLINK\(1\)/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('--flink-version <version> Flink version to be, such as 1.20 or 1.20.5');
  });
});
