import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const START_MS = 60_000;
const SAMPLE_MS = 120_000;
const KEPT_OUTPUT = 200_000;

export interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  readonly count: number;
}

/** What the probe in the server tells. */
export interface Sample {
  readonly heapBytes: number;
  readonly rssBytes: number;
  readonly processorMs: number;
  /** Share of time in which the event loop was busy. */
  readonly utilization: number;
  /** By how much turns of the event loop came late. */
  readonly delay: Percentiles;
  /** Processor time of the process between two turns of the event loop: the delay without what others on the machine do. */
  readonly work: Percentiles;
  readonly complaints: readonly string[];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The built command line in a process of its own, with the probe in it; Flink's API and the control API on a port each. */
export class SoakedServer implements AsyncDisposable {
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly atMs: number }>;
  #output = '';
  readonly #waiting = new Map<number, (sample: Sample) => void>();

  private constructor(
    readonly child: ChildProcess,
    readonly url: string,
    readonly controlUrl: string,
    private readonly folder: string,
  ) {
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data: Buffer) => (this.#output = (this.#output + data.toString()).slice(-KEPT_OUTPUT)));
    this.ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal, atMs: performance.now() })));
    child.on('message', ({ id, sample }: { id: number; sample: Sample }) => {
      this.#waiting.get(id)?.(sample);
      this.#waiting.delete(id);
    });
  }

  static async start(speed: number, seed: number): Promise<SoakedServer> {
    const [port, controlPort] = [await freePort(), await freePort()];
    const folder = mkdtempSync(path.join(tmpdir(), 'mock-flink-soak-'));
    mkdirSync(path.join(folder, 'tmp'));
    const args = ['--scenario', here('./scenario.yaml'), '--port', String(port), '--control-port', String(controlPort), '--speed', String(speed), '--seed', String(seed), '--snapshots', path.join(folder, 'snapshots'), '--log-level', 'error'];
    const child = spawn(process.execPath, ['--expose-gc', '--require', here('./probe.cjs'), here('../../dist/mock-flink.cjs'), 'serve', ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, TMPDIR: path.join(folder, 'tmp') } });
    const server = new SoakedServer(child, `http://127.0.0.1:${port}`, `http://127.0.0.1:${controlPort}`, folder);
    for (const until = performance.now() + START_MS; ; ) {
      if (await fetch(`${server.url}/config`).then((response) => response.ok, () => false)) return server;
      if (child.exitCode !== null || performance.now() > until) throw new Error(`the server did not start:\n${server.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** What it printed, the end of it. */
  get output(): string {
    return this.#output;
  }

  /** Lines of its log at level `error`: defects, as answers that are errors are not logged. */
  get logged(): string[] {
    return this.#output.split('\n').filter((line) => line.startsWith('{'));
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Collects the server's garbage and looks. */
  sample(): Promise<Sample> {
    const id = Math.trunc(performance.now() * 1000);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server does not tell how it is')), SAMPLE_MS);
      this.#waiting.set(id, (sample) => (clearTimeout(timer), resolve(sample)));
      this.child.send(id);
    });
  }

  /** Names of what it left in its temporary folder. */
  leftBehind(): string[] {
    return readdirSync(path.join(this.folder, 'tmp'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isAlive) this.child.kill('SIGKILL');
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
