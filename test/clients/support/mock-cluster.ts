import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCli, type RunningServer } from '../../support/running-server.js';

export type Json = Record<string, any>;

/**
 * The built mock-flink as a process of its own, and what a test does to it beside the client under test. With CLIENT_TESTS_URL in the environment, a cluster that is running
 * already (a real one, to record what it answers: `CLIENT_TESTS_URL=… npm run test:clients -- <test> -t <version> -u`).
 */
export class MockCluster {
  private constructor(
    readonly version: string,
    private readonly server: RunningServer,
  ) {}

  static async start(version: string, args: readonly string[]): Promise<MockCluster> {
    const url = process.env['CLIENT_TESTS_URL'];
    if (url) return MockCluster.of(version, url, async () => undefined);
    return new MockCluster(version, await startCli(['--flink-version', version, ...args]));
  }

  /** A cluster that is there already. */
  static of(version: string, url: string, stop: () => Promise<void>): MockCluster {
    return new MockCluster(version, { url, output: () => '', stop });
  }

  get url(): string {
    return this.server.url;
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  /** Folder of the cluster's data, as its configuration has it. */
  get data(): string {
    return process.env['CLIENT_TESTS_DATA'] ?? '/data/flink';
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  output(): string {
    return this.server.output();
  }

  /** Status and parsed body. */
  async ask(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }> {
    const init: RequestInit = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(this.url + path, init);
    return { status: answer.status, json: await answer.json() };
  }

  async get(path: string): Promise<any> {
    return (await this.ask('GET', path)).json;
  }

  /** The body of a request that has to go well. */
  async send(method: string, path: string, body?: unknown): Promise<any> {
    const { status, json } = await this.ask(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  async advance(seconds: number): Promise<void> {
    await this.send('POST', '/_mock/clock', { advanceMs: seconds * 1000 });
  }

  /** Waits on a clock that runs by itself. */
  async reaches(job: string, state: string): Promise<void> {
    await until(`${job} is ${state}`, async () => (await this.get(`/jobs/${job}`))['state'] === state, () => sleep(100), 600);
  }

  async hasCheckpoint(job: string): Promise<void> {
    await until(`${job} has a checkpoint`, async () => (await this.get(`/jobs/${job}/checkpoints`))['counts']?.completed > 0, () => sleep(100), 600);
  }

  /** Path of the test job's jar for this version. */
  get jar(): URL {
    return new URL(`../../golden/jars/bp-${this.version.startsWith('2.') ? 2 : 1}.jar`, import.meta.url);
  }

  /** Id of the uploaded jar. */
  async upload(): Promise<string> {
    const form = new FormData();
    form.append('jarfile', new Blob([readFileSync(this.jar)], { type: 'application/x-java-archive' }), 'bp.jar');
    const answer = await fetch(`${this.url}/jars/upload`, { method: 'POST', body: form });
    return String(((await answer.json()) as Json)['filename']).split('/').pop()!;
  }

  /** Id of a job of the entry class `Bp`. */
  async runBp(jar: string, name: string, args: Record<string, string | number> = {}): Promise<string> {
    const words = ['--name', name, ...Object.entries(args).flatMap(([key, value]) => [`--${key}`, String(value)])];
    return (await this.send('POST', `/jars/${jar}/run`, { entryClass: 'Bp', programArgsList: words }))['jobid'];
  }
}

/** Asks until it says yes; with a held clock, `step` lets it go on. */
export async function until(what: string, holds: () => Promise<boolean>, step: () => Promise<unknown>, tries = 200): Promise<void> {
  for (let i = 0; i < tries; i++) {
    if (await holds()) return;
    await step();
  }
  throw new Error(`in vain: ${what}`);
}
