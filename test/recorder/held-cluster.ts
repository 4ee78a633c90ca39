import { HttpRestClient } from '../../src/recorder/rest-client.js';
import type { MockFlink } from '../../src/library/mock-flink.js';

/** Asks over sockets; waiting moves the held clock of the cluster. */
export class HeldCluster extends HttpRestClient {
  constructor(private readonly flink: MockFlink) {
    super(flink.url);
  }

  override async sleep(ms: number): Promise<void> {
    if (ms > 0) await this.flink.advanceBy(ms);
  }

  override now(): number {
    return this.flink.clock.view().nowMs;
  }
}
