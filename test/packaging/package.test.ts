import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { runWell } from '../clients/install/tools.js';
import { ROOT } from '../docs/markdown.js';

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<string, any>;
const installed = path.join(inject('installation'), 'node_modules/mock-flink');

describe('the package', () => {
  it('has what every path of its manifest names', () => {
    const named: string[] = [...Object.values(manifest['bin'] as object), manifest['man'], manifest['types'], ...Object.values(manifest['exports']['.'] as object), ...manifest['sideEffects'].filter((file: string) => existsSync(path.join(ROOT, file)))];
    for (const file of named) expect(existsSync(path.join(installed, file)), file).toBe(true);
  });

  it('gives scenarios, their schema and OpenAPI documents by its exports, and nothing of its inside', async () => {
    const tryOut = (name: string) => `try { console.log(import.meta.resolve('mock-flink/${name}').split('/').at(-1)) } catch (error) { console.log(error.code) }`;
    const script = ['scenarios/healthy.yaml', 'scenarios/schema.json', 'openapi/flink-1.20.json', 'package.json', 'dist/index.js'].map(tryOut).join(';');
    const out = await runWell(process.execPath, ['--input-type=module', '-e', script], { cwd: inject('installation') });
    expect(out.trim().split('\n')).toEqual(['healthy.yaml', 'schema.json', 'flink-1.20.json', 'package.json', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);
  });

  it('is as small as docs/faq.md says', async () => {
    const [packed] = JSON.parse(await runWell('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT })) as [{ size: number; unpackedSize: number }];
    const [, size, unpacked] = /about ([\d.]+) MB packed, ([\d.]+) MB unpacked/.exec(readFileSync(path.join(ROOT, 'docs/faq.md'), 'utf8'))!;
    expect(packed.size / 1e6).toBeCloseTo(Number(size), 0);
    expect(Math.abs(packed.unpackedSize / 1e6 - Number(unpacked))).toBeLessThan(1.5);
  });

  it('prints its own completion and names its version', async () => {
    const bin = path.join(inject('installation'), 'node_modules/.bin/mock-flink');
    expect(await runWell(bin, ['--version'])).toBe(`${manifest['version']}\n`);
    expect(await runWell('bash', ['--norc', '-c', 'source <("$0" completion bash); COMP_WORDS=(mock-flink serve --clock ""); COMP_CWORD=3; _mock_flink; echo "${COMPREPLY[@]}"', bin])).toBe('real manual\n');
  });
});
