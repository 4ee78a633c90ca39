import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startMockFlink, type MockFlink } from '../../src/index.js';
import { runCurlLine } from '../support/curl-line.js';

const SCENARIO = fileURLToPath(new URL('../../examples/faults.yaml', import.meta.url));

export type Json = Record<string, any>;

/** The cluster of docs/faults.md, its control API on a port of its own, and one line of the document to run. */
export class FaultStage implements AsyncDisposable {
  #faultMs = 0;

  private constructor(
    readonly flink: MockFlink,
    private readonly line: string,
    readonly job: string,
  ) {}

  static async open(line: string): Promise<FaultStage> {
    const flink = await startMockFlink({ scenario: SCENARIO, control: { port: 0 } });
    return new FaultStage(flink, line, flink.summary().jobs[0]!.id);
  }

  /** Runs the line. */
  async inject(): Promise<void> {
    const { status, text } = await runCurlLine(this.line, this.flink.controlUrl!);
    expect(status, text).toBe(201);
    this.#faultMs = this.flink.clock.nowMs;
  }

  /** Goes to so many seconds after the fault. */
  async after(seconds: number): Promise<void> {
    await this.flink.clock.advanceTo(this.#faultMs + seconds * 1000);
  }

  /** Status of an answer, or the code of what happened to the connection. */
  async status(path: string): Promise<number | string> {
    try {
      return (await fetch(this.#url(path))).status;
    } catch (error) {
      return (error as { cause?: { code?: string } }).cause?.code ?? 'none';
    }
  }

  async get(path: string): Promise<any> {
    return (await fetch(this.#url(path))).json();
  }

  async state(): Promise<string> {
    return ((await this.get('/jobs/overview')) as Json)['jobs'][0].state;
  }

  async taskManagers(): Promise<string[]> {
    return ((await this.get('/taskmanagers')) as Json)['taskmanagers'].map(({ id }: Json) => id as string);
  }

  async exceptions(): Promise<string> {
    return JSON.stringify(await this.get('/jobs/:job/exceptions'));
  }

  async checkpoint(find: (one: Json) => boolean): Promise<Json | undefined> {
    return ((await this.get('/jobs/:job/checkpoints')) as Json)['history'].find(find);
  }

  /** What `/jobs/:job/checkpoints/details` says of the first failed one. */
  async failureOfCheckpoint(): Promise<string | undefined> {
    const failed = await this.checkpoint(({ status }) => status === 'FAILED');
    return failed && ((await this.get(`/jobs/:job/checkpoints/details/${failed['id']}`)) as Json)['failure_message'];
  }

  /** Values of a metric of Flink's name, over all processes, where the labels contain a text. */
  async metrics(name: string, label = ''): Promise<number[]> {
    const family = `_${name.replace(/[^a-zA-Z0-9]/g, '_')}{`;
    const targets = (await (await fetch(`${this.flink.controlUrl}/metrics`)).json()) as { labels: Record<string, string> }[];
    const found: number[] = [];
    for (const { labels } of targets) {
      if (labels['job'] !== 'flink') continue;
      const text = await (await fetch(new URL(labels['__metrics_path__']!, this.flink.controlUrl!))).text();
      for (const line of text.split('\n')) if (!line.startsWith('#') && line.includes(family) && line.includes(label)) found.push(Number(line.slice(line.lastIndexOf(' '))));
    }
    return found;
  }

  /** Their sum. */
  async metric(name: string, label = ''): Promise<number> {
    return (await this.metrics(name, label)).reduce((sum, value) => sum + value, 0);
  }

  /** Records that the groups have not committed, as kafka_exporter says it. */
  async lag(): Promise<number> {
    const text = await (await fetch(`${this.flink.controlUrl}/kafka/metrics`)).text();
    return [...text.matchAll(/^kafka_consumergroup_lag\{.*\} (\d+)$/gm)].reduce((sum, [, lag]) => sum + Number(lag), 0);
  }

  /** All logs: over REST where a process answers, else what its file would hold. */
  async logs(): Promise<string> {
    const { jobManager, taskManagers, absentTaskManagers } = this.flink.state;
    const processes = [['/jobmanager/log', jobManager], ...[...taskManagers, ...(absentTaskManagers ?? [])].map(([id, each]) => [`/taskmanagers/${encodeURIComponent(id)}/log`, each])] as [string, typeof jobManager][];
    const texts = await Promise.all(
      processes.map(async ([path, { log }]) => {
        const answer = await fetch(this.#url(path)).catch(() => null);
        return answer?.ok ? await answer.text() : log.entries.map(({ message }) => message).join('\n');
      }),
    );
    return texts.join('\n');
  }

  #url(path: string): string {
    return this.flink.url + path.replace(':job', this.job);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flink.close();
  }
}
