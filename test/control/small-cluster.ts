import { startMockFlink, type MockFlink, type MockFlinkOptions } from '../../src/index.js';

/** A cluster with a generator job, a Kafka job, and a template; nothing of it is history. */
export const SMALL_SCENARIO = `
flink: 1.20
start: 2024-03-04T09:00:00Z
cluster:
  jobManager: { host: jobmanager }
  taskManagers:
    - { host: taskmanager-1, dataPort: 40001, slots: 3 }
    - { host: taskmanager-2, dataPort: 40002, slots: 3 }
options:
  state.checkpoints.dir: file:///data/checkpoints
  state.savepoints.dir: file:///data/savepoints
  heartbeat.timeout: 10 s
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.delay: 1 s
  restart-strategy.fixed-delay.attempts: 1000
kafka:
  brokers: [{ id: 1, host: kafka-1 }]
  topics:
    - { name: orders, partitions: 2, rate: 200/s, recordSize: 300 }
jobs:
  - name: numbers
    parallelism: 1
    checkpointing: { interval: 5 s, timeout: 1 min, tolerableFailures: 100 }
    vertices:
      - operators: [{ name: 'Source: Numbers', serviceTime: 50 us, recordSize: 100, source: { rate: 300/s } }]
      - operators: [{ name: Square, serviceTime: 100 us, recordSize: 100 }]
      - operators: [{ name: 'Sink: Out', serviceTime: 100 us, sink: {} }]
    edges:
      - { from: 'Source: Numbers', to: Square, ship: REBALANCE }
      - { from: Square, to: 'Sink: Out', ship: REBALANCE }
  - name: orders
    parallelism: 2
    checkpointing: { interval: 7 s, timeout: 1 min, tolerableFailures: 100 }
    vertices:
      - operators: [{ name: 'Source: Orders', serviceTime: 50 us, recordSize: 300, source: { topic: orders, group: orders-reader, startFrom: earliest, maxOutOfOrderness: 1 s } }]
      - operators: [{ name: Count, serviceTime: 200 us, recordSize: 60, state: { perRecord: 20, max: 4 MiB } }, { name: 'Sink: Counts', serviceTime: 50 us, sink: {} }]
    edges:
      - { from: 'Source: Orders', to: Count, ship: HASH }
jars:
  - entryClass: org.example.Numbers
    parameters: { --rate: { type: number, default: 10 } }
    job:
      name: more numbers
      parallelism: 1
      vertices:
        - operators: [{ name: 'Source: More', serviceTime: 50 us, source: { rate: '\${rate}/s' } }]
        - operators: [{ name: 'Sink: More', serviceTime: 50 us, sink: {} }]
      edges: [{ from: 'Source: More', to: 'Sink: More', ship: REBALANCE }]
`;

export function smallCluster(options: MockFlinkOptions = {}): Promise<MockFlink> {
  return startMockFlink({ scenario: { yaml: SMALL_SCENARIO }, ...options });
}

/** Asks a control API; gives status and body. */
export async function ask(controlUrl: string | null, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<{ status: number; type: string | null; body: any }> {
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Not JSON: as it is.
  }
  return { status: response.status, type: response.headers.get('content-type'), body: parsed };
}
