import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const CLOCK_TICKS_PER_SECOND = 100;

/** A server in a process of its own. */
export interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  /** From the start of the process to the first 200, ms. */
  readonly startedInMs: number;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** One GET on a connection of its own; null when nobody answers. */
export function get(url: string): Promise<{ status: number; body: Buffer; contentType: string } | null> {
  return new Promise((resolve) => {
    http
      .get(url, { agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks), contentType: response.headers['content-type'] ?? '' }));
      })
      .on('error', () => resolve(null));
  });
}

/** Runs `node` in a checkout with the arguments (`PORT` stands for a free port) and waits until `readyPath` is answered. */
export async function startNode(args: readonly string[], readyPath: string, root = ROOT): Promise<Server> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args.map((argument) => (argument === 'PORT' ? String(port) : argument)), { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  // Nobody else ends it where the measuring fails.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`node ${args.join(' ')} ended with exit code ${child.exitCode}`);
    if ((await get(url + readyPath))?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const startedInMs = performance.now() - startedAt;
  return {
    url,
    process: child,
    startedInMs,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      process.off('exit', end);
    },
  };
}

export function startMock(...args: string[]): Promise<Server> {
  return startNode(['dist/mock-flink.cjs', 'serve', '--port', 'PORT', '--log-level', 'warn', ...args], '/overview');
}

/** fastify alone, which sends files' bytes: `answers` is a JSON file of `{ path: { contentType, file } }`. */
export function startBare(answers?: string): Promise<Server> {
  return startNode(['bench/bare-server.mjs', 'PORT', ...(answers === undefined ? [] : [answers])], '/ready');
}

/** Processor time that a process has used (user and system), ms. */
export function cpuMs(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND;
}

/** Resident memory of a process, MiB. */
export function residentMiB(child: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
}
