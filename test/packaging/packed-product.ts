import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { runWell } from '../clients/install/tools.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder into which the packed product was installed, with the test runners of the examples. */
    readonly installation: string;
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Packs the product as `npm publish` would, and installs it where the examples are copied to. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-packed-'));
  await runWell('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: ROOT });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const installation = path.join(folder, 'installation');
  mkdirSync(installation);
  writeFileSync(path.join(installation, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await runWell('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--prefer-offline', path.join(folder, tarball), 'jest@30', 'vitest@4'], { cwd: installation });
  project.provide('installation', installation);
  // Not at one go: the runner waits for its workers meanwhile.
  return () => rm(folder, { recursive: true, force: true });
}
