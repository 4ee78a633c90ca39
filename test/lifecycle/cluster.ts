import { startMockFlink, type MockFlink } from '../../src/index.js';

export type Json = Record<string, any>;

/** A cluster on a held clock that is asked over its sockets. */
export class Cluster implements AsyncDisposable {
  private constructor(readonly flink: MockFlink) {}

  static async start(yaml: string, flinkVersion: string): Promise<Cluster> {
    return new Cluster(await startMockFlink({ scenario: { yaml }, flinkVersion, config: { 'web.refresh-interval': '1' }, control: true }));
  }

  async get(path: string): Promise<Json> {
    return (await (await fetch(this.flink.url + path)).json()) as Json;
  }

  /** Status of an answer; null = nobody answers. */
  async status(path: string, method = 'GET'): Promise<number | null> {
    try {
      return (await fetch(this.flink.url + path, { method })).status;
    } catch {
      return null;
    }
  }

  async text(path: string): Promise<string> {
    return (await fetch(this.flink.url + path)).text();
  }

  /** Jobs as /jobs/overview lists them. */
  async jobs(): Promise<Json[]> {
    return (await this.get('/jobs/overview'))['jobs'] as Json[];
  }

  /** The only job, as /jobs/:jobid has it. */
  async job(): Promise<Json> {
    return this.get(`/jobs/${(await this.jobs())[0]!['jid'] as string}`);
  }

  async advance(duration: string): Promise<void> {
    await this.flink.advanceBy(duration);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.flink.close();
  }
}
