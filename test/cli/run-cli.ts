import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line from its sources, with a clean environment. */
export function startCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcessWithoutNullStreams {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MOCK_FLINK_')));
  return spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...args], { cwd: ROOT, env: { ...env, ...environment } });
}

export function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

export function runCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return finish(startCli(args, environment));
}

/** Resolves with what was printed, once it matches. */
export function printed(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (pattern.test(text)) resolve(text);
    });
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('close', (code) => reject(new Error(`ended with ${code} before it printed ${pattern}: ${text}`)));
  });
}
