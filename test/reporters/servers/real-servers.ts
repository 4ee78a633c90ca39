import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/running-server.js';

export interface RealServer {
  readonly url: string;
  readonly directory: string;
  readonly output: () => string;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Runs a command to its end; what it printed, and its exit code. */
export async function run(command: string, args: readonly string[], cwd?: string): Promise<{ readonly code: number; readonly output: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number | string; stdout: string; stderr: string };
    if (typeof code !== 'number') throw new Error(`${command} cannot be run (${code}); it is in Debian's packages prometheus, prometheus-pushgateway, influxdb and influxdb-client`);
    return { code, output: stdout + stderr };
  }
}

export async function temporaryDirectory() {
  const directory = await mkdtemp(path.join(tmpdir(), 'mock-flink-servers-'));
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

async function start(directory: string, url: string, readyPath: string, command: string, args: readonly string[]): Promise<RealServer> {
  let output = '';
  const child: ChildProcess = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data: Buffer) => (output += data.toString()));
  let problem = '';
  child.once('error', (error) => (problem = error.message));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 300; tries++) {
    if (problem !== '' || child.exitCode !== null) throw new Error(`${command} does not run: ${problem}\n${output}`);
    if ((await fetch(url + readyPath).catch(() => null))?.ok) return { url, directory, output: () => output, [Symbol.asyncDispose]: stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`${command} did not get ready:\n${output}`);
}

/** Debian's Prometheus with a configuration and further files beside it; `prepare` may put blocks into its folder `data` first. */
export async function startPrometheus(config: string, files: Readonly<Record<string, string>> = {}, prepare: (directory: string) => Promise<void> = async () => undefined): Promise<RealServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'mock-flink-prometheus-'));
  for (const [name, text] of Object.entries({ ...files, 'prometheus.yml': config })) await writeFile(path.join(directory, name), text);
  await prepare(directory);
  const port = await freePort();
  return start(directory, `http://127.0.0.1:${port}`, '/-/ready', 'prometheus', ['--config.file=prometheus.yml', '--storage.tsdb.path=data', '--storage.tsdb.retention.time=100y', `--web.listen-address=127.0.0.1:${port}`]);
}

/** Debian's PushGateway. */
export async function startPushGateway(): Promise<RealServer> {
  const directory = await mkdtemp(path.join(tmpdir(), 'mock-flink-pushgateway-'));
  const port = await freePort();
  return start(directory, `http://127.0.0.1:${port}`, '/-/ready', 'prometheus-pushgateway', [`--web.listen-address=127.0.0.1:${port}`]);
}

/** Debian's InfluxDB 1.x. */
export async function startInfluxDb(): Promise<RealServer & { readonly port: number; query(text: string): Promise<InfluxSeries[]> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'mock-flink-influxdb-'));
  const [port, rpcPort] = [await freePort(), await freePort()];
  const config = `reporting-disabled = true\nbind-address = "127.0.0.1:${rpcPort}"\n[meta]\ndir = "${directory}/meta"\n[data]\ndir = "${directory}/data"\nwal-dir = "${directory}/wal"\n[monitor]\nstore-enabled = false\n[http]\nbind-address = "127.0.0.1:${port}"\n`;
  await writeFile(path.join(directory, 'influxdb.conf'), config);
  const server = await start(directory, `http://127.0.0.1:${port}`, '/ping', 'influxd', ['-config', 'influxdb.conf']);
  return {
    ...server,
    port,
    query: async (text) => {
      const response = await fetch(`${server.url}/query`, { method: 'POST', body: new URLSearchParams({ db: 'flink', q: text }) });
      const { results } = (await response.json()) as { results: { series?: InfluxSeries[]; error?: string }[] };
      if (results[0]?.error !== undefined) throw new Error(results[0].error);
      return results[0]?.series ?? [];
    },
  };
}

export interface InfluxSeries {
  readonly name: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly columns: readonly string[];
  readonly values: readonly (readonly (string | number | boolean | null)[])[];
}

export interface PrometheusResult {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** An instant query; one that Prometheus refuses is an error. */
export async function query(server: RealServer, expr: string, time?: number): Promise<PrometheusResult[]> {
  const response = await fetch(`${server.url}/api/v1/query?${new URLSearchParams({ query: expr, ...(time === undefined ? {} : { time: String(time) }) })}`);
  const body = (await response.json()) as { status: string; error?: string; data: { result: PrometheusResult[] } };
  if (body.status !== 'success') throw new Error(`${expr}: ${body.error}`);
  return body.data.result;
}

/** Tries until something is so, at most so many seconds. */
export async function eventually(check: () => Promise<void>, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
