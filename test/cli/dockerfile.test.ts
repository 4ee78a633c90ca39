import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Instructions with their continuation lines joined. */
const instructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ name: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }));
const last = (name: string): string | undefined => instructions.findLast((instruction) => instruction.name === name)?.rest;
const finalStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

describe('the Dockerfile', () => {
  it('builds in stages and ships neither sources nor development dependencies', () => {
    expect(instructions.filter(({ name }) => name === 'FROM').length).toBeGreaterThan(1);
    const copied = finalStage.filter(({ name }) => name === 'COPY').map(({ rest }) => rest.replace(/^--from=\S+ /, '').split(' ')[0]);
    // The command line is one file: no packages beside it, none of development either.
    expect(copied.toSorted()).toEqual(['/build/dist', 'package.json', 'scenarios']);
  });

  it('runs as a user that is not root, from before the entry point on', () => {
    expect(last('USER')).toBe('node');
    expect(finalStage.findIndex(({ name }) => name === 'USER')).toBeLessThan(finalStage.findIndex(({ name }) => name === 'ENTRYPOINT'));
  });

  it('pins a major version of its base image', () => {
    for (const { rest } of instructions.filter(({ name }) => name === 'FROM')) expect(rest).toMatch(/^node:\d+-\S+/);
  });

  it('checks its health with the variables that it was started with', () => {
    expect(JSON.parse(last('HEALTHCHECK')!.replace(/^.* CMD /, ''))).toEqual(['node', 'dist/mock-flink.cjs', 'health']);
    expect(last('EXPOSE')).toBe('8081');
  });

  it('listens on all addresses there, and only there', () => {
    expect(last('ENV')).toContain('MOCK_FLINK_HOST=0.0.0.0');
    expect(read('src/cli/serve-options.ts')).not.toContain('0.0.0.0');
  });

  it('starts in exec form, so that SIGTERM reaches the process, and says that --init is due', () => {
    expect(JSON.parse(last('ENTRYPOINT')!)).toEqual(['node', 'dist/mock-flink.cjs']);
    expect(JSON.parse(last('CMD')!)).toEqual(['serve']);
    expect(read('Dockerfile')).toContain('--init');
  });

  it('copies only what .dockerignore lets through and the package holds', () => {
    const allowed = read('.dockerignore').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const { name, rest } of instructions) {
      if (name !== 'COPY' || rest.startsWith('--from')) continue;
      for (const source of rest.split(' ').slice(0, -1)) expect(allowed).toContain(source.split('/')[0]);
    }
    expect(JSON.parse(read('package.json')).files).toEqual(expect.arrayContaining(['dist', 'scenarios']));
  });
});
