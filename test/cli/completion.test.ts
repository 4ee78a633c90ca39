import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScript, SHELLS } from '../../src/cli/completion.js';
import { createProgram } from '../../src/cli/program.js';
import { SERVE_OPTIONS } from '../../src/cli/serve-options.js';
import { shippedScenarioNames } from '../../src/scenario/shipped-scenarios.js';
import { FLINK_MINORS } from '../../src/versions/flink-versions.js';
import { runCli } from './run-cli.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
  for (const shell of SHELLS) writeFileSync(path.join(folder, `mock-flink.${shell}`), completionScript(createProgram(), shell));
  for (const file of ['my own.yaml', 'mine.yaml']) writeFileSync(path.join(folder, file), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What bash would offer at the end of the line; words are split as readline does, at blanks and `=`. */
function offeredByBash(line: string): string[] {
  const words = line.split(/ +|(=)/).filter((word) => word !== undefined && word !== '');
  if (line.endsWith(' ')) words.push('');
  const script = `source ./mock-flink.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mock_flink; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', script, 'bash', ...words], { cwd: folder, encoding: 'utf8' }).split('\n').filter((word) => word !== '');
}

/** What fish would offer, without its descriptions. */
function offeredByFish(line: string): string[] {
  const out = execFileSync('fish', ['--no-config', '-c', `source ./mock-flink.fish; complete -C ${JSON.stringify(line)}`], { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: folder } });
  return out.split('\n').map((each) => each.split('\t')[0]!).filter((word) => word !== '');
}

const has = (shell: string): boolean => process.env['CI'] !== undefined || spawnSync(shell, ['--version']).status === 0;
const COMMANDS = [...createProgram().commands.map((command) => command.name()), 'help'];

describe('the completion of bash', () => {
  it('is printed by the command line', async () => {
    expect(await runCli(['completion', 'bash'])).toEqual({ code: 0, stdout: completionScript(createProgram(), 'bash'), stderr: '' });
  });

  it.each(SHELLS)('%s: is no other each time', (shell) => {
    expect(completionScript(createProgram(), shell)).toBe(completionScript(createProgram(), shell));
  });

  it('a shell that is none is refused with those that are', async () => {
    const { code, stderr } = await runCli(['completion', 'tcsh']);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
    expect(code).toBe(2);
  });

  it.each<[string, readonly string[]]>([
    ['mock-flink ', COMMANDS],
    ['mock-flink s', ['serve', 'scenarios', 'simulate']],
    ['mock-flink serve --clock ', ['real', 'manual']],
    ['mock-flink serve --clock=m', ['manual']],
    ['mock-flink serve --clock=', ['real', 'manual']],
    ['mock-flink --clock m', ['manual']],
    ['mock-flink serve --flink-version 2', ['2.0', '2.1', '2.2', '2.3']],
    ['mock-flink simulate --flink-version ', FLINK_MINORS],
    ['mock-flink serve --scenario inc', ['incident-2020-04-09']],
    ['mock-flink simulate mi', ['mine.yaml']],
    ['mock-flink simulate hot-key --format p', ['promtool']],
    ['mock-flink verify http://flink:8081 --format ', ['text', 'json']],
    ['mock-flink validate healthy my', ['my own.yaml']],
    ['mock-flink serve --config-file mi', ['mine.yaml']],
    ['mock-flink completion ', SHELLS],
    ['mock-flink help ver', ['verify']],
    ['mock-flink serve --port ', []],
    ['mock-flink serve --log-level s', ['silent']],
  ])('%s⇥', (line, offered) => {
    expect(offeredByBash(line).toSorted()).toEqual(offered.toSorted());
  });

  it('offers every option of serve, with and without its name, and every scenario', () => {
    const flags = SERVE_OPTIONS.map(({ flag }) => flag);
    expect(offeredByBash('mock-flink serve --')).toEqual(expect.arrayContaining(flags));
    expect(offeredByBash('mock-flink --')).toEqual(expect.arrayContaining([...flags, '--version', '--help']));
    expect(offeredByBash('mock-flink serve --scenario ')).toEqual(expect.arrayContaining([...shippedScenarioNames(), 'mine.yaml', 'my own.yaml']));
  });
});

describe.skipIf(!has('fish'))('the completion of fish', () => {
  it.each<[string, readonly string[]]>([
    ['mock-flink ', COMMANDS],
    ['mock-flink serve --clock ', ['manual', 'real']],
    ['mock-flink --clock m', ['manual']],
    ['mock-flink serve --flink-version 2', ['2.0', '2.1', '2.2', '2.3']],
    ['mock-flink serve --scenario inc', ['incident-2020-04-09']],
    ['mock-flink simulate hot-key --format p', ['promtool']],
    ['mock-flink completion ', SHELLS],
    ['mock-flink serve --control-t', ['--control-token']],
    ['mock-flink record -', ['--every', '--for', '--force', '--header', '--help', '--job', '--keep-traffic', '--output', '--token', '-h', '-o']],
  ])('%s⇥', (line, offered) => {
    expect(offeredByFish(line).toSorted()).toEqual(offered.toSorted());
  });
});

describe.skipIf(!has('zsh'))('the completion of zsh', () => {
  /** What zsh would list, in a terminal of its own. */
  const listedByZsh = (line: string): string => {
    const script = `zmodload zsh/zpty; zpty shell zsh -f -i
      say() { zpty -w shell "$1" }
      until_seen() { local all= chunk; while [[ $all != *$1* ]]; do zpty -r shell chunk "*" || return 1; all+=$chunk; done; print -rn -- $all }
      say "stty columns 200 rows 100; autoload -Uz compinit && compinit -u -D && source ./mock-flink.zsh; zstyle ':completion:*' list-colors no=; LISTMAX=1000; unsetopt beep; PS1=; print loa''ded"
      until_seen loaded >/dev/null
      say "bindkey '^X' list-choices; bindkey -s '^Y' '^U print en''d^M'; print rea''dy"
      until_seen ready >/dev/null
      zpty -n -w shell ${JSON.stringify(line)}$'\\x18\\x19'
      until_seen end`;
    return execFileSync('zsh', ['-f', '-c', script], { cwd: folder, encoding: 'utf8', timeout: 30_000, env: { ...process.env, HOME: folder, TERM: 'dumb' } });
  };

  it('loads without a complaint, sourced and from a folder of functions', () => {
    const { status, stderr } = spawnSync('zsh', ['-f', '-c', 'mkdir functions; cp mock-flink.zsh functions/_mock-flink; fpath=(./functions $fpath); autoload -Uz compinit && compinit -u -D; [[ $_comps[mock-flink] == _mock-flink ]] && source ./mock-flink.zsh && [[ $_comps[mock-flink] == _mock_flink ]]'], { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each<[string, readonly string[]]>([
    ['mock-flink s', ['serve', 'scenarios', 'simulate']],
    ['mock-flink serve --clock ', ['manual', 'real']],
    ['mock-flink serve --control-', ['--control-token', '--control-port']],
    ['mock-flink simulate --flink-version ', FLINK_MINORS],
    ['mock-flink validate ', ['incident-2020-04-09', 'mine.yaml']],
  ])('%s⇥', (line, offered) => {
    const listed = listedByZsh(line);
    for (const word of offered) expect(listed).toContain(word);
  });
});
