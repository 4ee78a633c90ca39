import { startMockFlink, type MockFlink } from '../../../src/index.js';

export const START_MS = Date.UTC(2024, 0, 1);

export interface Topic {
  readonly rate: number;
  /** Shares of the partitions. */
  readonly shares: readonly number[];
  readonly backlog?: number;
  readonly source?: string;
  /** Time of the source's thread for a record, us. */
  readonly serviceUs?: number;
}

/** A job that reads topics a, b, … on one cluster and unites them, and what REST says of its watermarks. */
export class WatermarkCluster implements AsyncDisposable {
  private constructor(
    readonly flink: MockFlink,
    readonly jobId: string,
    readonly vertexIds: readonly string[],
  ) {}

  static async start(flinkVersion: string, parallelism: number, topics: readonly Topic[], more = ''): Promise<WatermarkCluster> {
    const name = (i: number): string => 'abcdef'[i]!;
    const yaml = `
title: t
start: 2024-01-01T00:00:00Z
openAt: 0 s
cluster: { taskManagers: { count: 2, slots: 8 } }
kafka:
  topics:
${topics.map((topic, i) => `    - { name: ${name(i)}, partitions: ${topic.shares.length}, shares: [${topic.shares.join(', ')}], rate: ${topic.rate}/s, backlog: ${topic.backlog ?? 0} }`).join('\n')}
jobs:
  - name: j
    parallelism: ${parallelism}
    vertices:
${topics.map((topic, i) => `      - operators: [{ name: Read ${name(i)}, serviceTime: ${topic.serviceUs ?? 10} us, source: { topic: ${name(i)}, group: g, startFrom: earliest, maxOutOfOrderness: 1 s${topic.source ?? ''} } }]`).join('\n')}
      - operators: [{ name: Sink, serviceTime: 10 us, sink: {} }]
    edges:
${topics.map((_, i) => `      - { from: Read ${name(i)}, to: Sink, ship: REBALANCE }`).join('\n')}
${more}`;
    const flink = await startMockFlink({ scenario: { yaml }, flinkVersion });
    await flink.advanceBy('3 s');
    const { id } = flink.summary().jobs[0]!;
    const job = (await (await fetch(`${flink.url}/jobs/${id}`)).json()) as { vertices: { id: string }[] };
    return new WatermarkCluster(flink, id, job.vertices.map((vertex) => vertex.id));
  }

  get nowMs(): number {
    return this.flink.clock.nowMs;
  }

  async metrics(vertex: number, get: string): Promise<Record<string, number>> {
    const url = `${this.flink.url}/jobs/${this.jobId}/vertices/${this.vertexIds[vertex]!}/metrics?get=${get}`;
    const read = async () => (await (await fetch(url)).json()) as { id: string; value: string }[];
    await read();
    // What the first question makes REST fetch is there a while later.
    await this.flink.advanceBy('11 s');
    return Object.fromEntries((await read()).map(({ id, value }) => [id, Number(value)]));
  }

  /** How far the sink's watermark, or a source's, is behind now, s; Infinity = there is none. */
  async behind(vertex: number, name: string): Promise<number> {
    const value = (await this.metrics(vertex, name))[name]!;
    return value < 0 ? Infinity : (this.nowMs - value) / 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flink.close();
  }
}
