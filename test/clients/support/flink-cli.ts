import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { FlinkJava } from '../install/flink-java.js';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with Flink's configuration of a client of a cluster on this machine. */
export function flinkConf(flink: FlinkJava, port: number, options: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'flink-conf-'));
  const all = { 'jobmanager.rpc.address': '127.0.0.1', 'rest.address': '127.0.0.1', 'rest.port': String(port), ...options };
  const text = Object.entries(all).map(([name, value]) => `${name}: ${value}\n`).join('');
  writeFileSync(path.join(folder, flink.version.startsWith('2.') ? 'config.yaml' : 'flink-conf.yaml'), text);
  return folder;
}

/** Flink's own command line, pointed at a cluster on this machine. */
export class FlinkCli {
  private readonly answers: AsyncIterator<string>;

  private constructor(
    private readonly process: ChildProcessWithoutNullStreams,
    private readonly configuration: string,
  ) {
    this.answers = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  }

  static start(flink: FlinkJava, port: number, options: Readonly<Record<string, string>> = {}): FlinkCli {
    const configuration = flinkConf(flink, port, options);
    const child = spawn('java', flink.command('CommandLine', []), { env: { ...process.env, FLINK_CONF_DIR: configuration } });
    child.stderr.resume();
    return new FlinkCli(child, configuration);
  }

  /** `flink <words>` */
  async run(...words: string[]): Promise<CommandResult> {
    this.process.stdin.write(`${words.map((word) => Buffer.from(word).toString('base64')).join(' ')}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error('the command line has ended');
    const [code, stdout, stderr] = value.split(' ') as [string, string, string];
    const decode = (text: string) => Buffer.from(text.slice(1), 'base64').toString('utf8');
    return { code: Number(code), stdout: decode(stdout), stderr: decode(stderr) };
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin.end();
    await ended;
    rmSync(this.configuration, { recursive: true, force: true });
  }
}
