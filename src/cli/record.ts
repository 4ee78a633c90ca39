import { existsSync, writeFileSync } from 'node:fs';
import { record } from '../recorder/record.js';
import { RecorderError } from '../recorder/recorder-error.js';
import { HttpRestClient, readBaseUrl, type RestClient } from '../recorder/rest-client.js';
import { TrafficKeeper, writeTraffic } from '../recorder/traffic.js';
import { CliError } from './cli-error.js';

/** How a cluster is asked that wants to know who asks. */
export interface ConnectionFlags {
  readonly token?: string;
  readonly header?: readonly string[];
}

export interface RecordFlags extends ConnectionFlags {
  readonly output?: string;
  readonly for: number;
  readonly every: number;
  readonly job?: string;
  readonly force?: boolean;
  readonly keepTraffic?: string;
}

/** The environment variable with the token, which other users do not see. */
export const TOKEN_VARIABLE = 'MOCK_FLINK_TOKEN';

function headersOf({ token = process.env[TOKEN_VARIABLE], header = [] }: ConnectionFlags): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const text of header) {
    const match = /^([\w-]+):\s*([\x20-\x7e]*)$/.exec(text);
    if (!match) throw new CliError(`option --header: found ${JSON.stringify(text.split(':')[0])}…; allowed: a name and a value, such as 'X-Api-Key: abc'`);
    headers[match[1]!] = match[2]!;
  }
  return token ? { Authorization: `Bearer ${token}`, ...headers } : headers;
}

/** The cluster at an address; a wrong one is a CliError. */
export function connect(address: string, flags: ConnectionFlags): HttpRestClient {
  try {
    const baseUrl = readBaseUrl(address);
    const { username, password } = new URL(/^https?:/.test(address) ? address : baseUrl);
    const basic = username ? { Authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}` } : {};
    return new HttpRestClient(baseUrl, { ...basic, ...headersOf(flags) });
  } catch (error) {
    throw error instanceof RecorderError ? new CliError(`the cluster's address: ${error.message}`) : error;
  }
}

function refuseExisting(file: string | undefined, flags: RecordFlags): void {
  if (file !== undefined && !flags.force && existsSync(file)) throw new CliError(`${file} exists already; give another file, or --force to write over it`);
}

function write(file: string, content: string | Buffer): void {
  try {
    writeFileSync(file, content);
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${(error as Error).message}; give another file`, 1);
  }
}

/** Runs with a signal that SIGINT and SIGTERM give; a second one ends the process as usual. */
export async function untilStopped<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await run(stopping.signal);
  } catch (error) {
    throw error instanceof RecorderError ? new CliError(error.message, 1) : error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** `mock-flink record`. */
export async function recordCommand(address: string, flags: RecordFlags): Promise<void> {
  const client = connect(address, flags);
  refuseExisting(flags.output, flags);
  refuseExisting(flags.keepTraffic, flags);
  if (flags.every > flags.for) throw new CliError('option --every: longer than --for; allowed: at most the time that is watched');
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  await untilStopped(async (signal) => {
    const keeper = flags.keepTraffic === undefined ? null : new TrafficKeeper(client);
    const asked: RestClient = keeper ?? client;
    tell(`Watching ${client.baseUrl} for ${Math.round(flags.for / 1_000)} s; Ctrl-C ends it and writes what was seen.`);
    const progress = process.stderr.isTTY ? (done: number, of: number) => void process.stderr.write(`\r${done} of ${of} looks${done === of ? '\n' : ''}`) : undefined;
    const recorded = await record(asked, { forMs: flags.for, everyMs: flags.every, jobs: flags.job === undefined ? 'all' : { job: flags.job }, signal, ...(progress ? { onShot: progress } : {}) });
    if (keeper) write(flags.keepTraffic!, writeTraffic(keeper.traffic()));
    if (flags.output === undefined) process.stdout.write(recorded.yaml);
    else write(flags.output, recorded.yaml);
    for (const warning of recorded.warnings) tell(`mock-flink: ${warning}`);
    tell(`${recorded.jobs === 1 ? 'A job' : `${recorded.jobs} jobs`} recorded${signal.aborted ? ', stopped early' : ''}${flags.output === undefined ? '' : ` → ${flags.output}; play it with: mock-flink serve --scenario ${flags.output}`}`);
  });
}
