import type { MockFlink } from '../library/mock-flink.js';
import type { Answer, RestClient } from './rest-client.js';

/** Asks a mock-flink in this process whose clock is held: waiting moves it. */
export class InProcessClient implements RestClient {
  constructor(private readonly flink: MockFlink) {}

  async get(path: string): Promise<Answer> {
    const answer = await this.flink.fetch(path);
    return { path, atMs: this.now(), status: answer.status, contentType: answer.headers.get('content-type'), body: await answer.text() };
  }

  async sleep(ms: number): Promise<void> {
    if (ms > 0) await this.flink.advanceBy(ms);
  }

  now(): number {
    return this.flink.clock.view().nowMs;
  }
}
