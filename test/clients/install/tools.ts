import { spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Where the clients are installed, once. */
export const CACHE = fileURLToPath(new URL('../../../.cache/clients', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; stdin is closed. */
export function run(program: string, args: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'> & { timeoutMs?: number } = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const { timeoutMs = 300_000, ...rest } = options;
    const child = spawn(program, args, { ...rest, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Like `run`, and an end with another code than 0 is an error. */
export async function runWell(program: string, args: readonly string[], options: Parameters<typeof run>[2] = {}): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${(stderr + stdout).slice(-2000)}`);
  return stdout;
}

/** The folder `name` of the cache, filled by `fill` unless an earlier run did so to its end. */
export async function installed(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(CACHE, name);
  const mark = path.join(folder, '.complete');
  if (existsSync(mark)) return folder;
  mkdirSync(CACHE, { recursive: true });
  // one at a time: test files run side by side, and package clients share their own caches
  const release = await lock(path.join(CACHE, 'lock'));
  try {
    if (existsSync(mark)) return folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await fill(folder);
    writeFileSync(mark, '');
    return folder;
  } finally {
    release();
  }
}

async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch {
      if (!holderLives(file)) rmSync(file, { force: true });
      await sleep(200);
    }
  }
}

function holderLives(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

/** What was installed, or why it could not be. In CI a failure is one; elsewhere its tests are skipped and say so. */
export type Installation<T> = { readonly value: T } | { readonly skipped: string };

export async function tryInstall<T>(what: string, install: () => Promise<T>): Promise<Installation<T>> {
  try {
    return { value: await install() };
  } catch (error) {
    if (process.env['CI']) throw error;
    const skipped = `${what} cannot be installed here: ${(error as Error).message.split('\n')[0]}`;
    console.warn(skipped);
    return { skipped };
  }
}
