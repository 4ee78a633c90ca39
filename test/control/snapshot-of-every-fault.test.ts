import { afterAll, describe, expect, it } from 'vitest';
import type { EventInput, HttpFaultInput, MockFlink } from '../../src/index.js';
import { FAULT_EFFECT_NAMES, type FaultEffectName } from '../../src/scenario/schema/http-fault-schema.js';
import { ACTION_NAMES, type ActionName } from '../../src/scenario/schema/timeline-schema.js';
import { smallCluster } from './small-cluster.js';

/** A case for each event of the schema: one without does not compile. */
const EVENTS: Readonly<Record<ActionName, readonly EventInput[]>> = {
  setTopicRate: [{ setTopicRate: { topic: 'orders', rate: '600/s', ramp: '5 min' } }],
  setSourceRate: [{ setSourceRate: { job: 'numbers', operator: 'Source: Numbers', rate: '900/s', ramp: '5 min' } }],
  setServiceTime: [{ setServiceTime: { job: 'numbers', operator: 'Square', serviceTime: '20 ms' } }],
  setSelectivity: [{ setSelectivity: { job: 'numbers', operator: 'Square', selectivity: 2.5 } }],
  setRecordSize: [{ setRecordSize: { job: 'numbers', operator: 'Square', recordSize: '5 KiB' } }],
  setSinkCapacity: [{ setSinkCapacity: { job: 'numbers', operator: 'Sink: Out', capacity: '50/s' } }],
  setSkew: [{ setSkew: { job: 'orders', operator: 'Count', skew: { hotKeys: [{ key: 'de', share: 0.9 }] } } }],
  setKafkaFlakiness: [{ setKafkaFlakiness: { meanTimeBetweenDisconnects: '5 s' } }],
  setKafkaBroker: [{ setKafkaBroker: { state: 'stalled' } }, { at: '4 min', setKafkaBroker: { state: 'down' } }, { at: '7 min', setKafkaBroker: { state: 'up' } }],
  setCheckpointStorage: [{ setCheckpointStorage: { latency: '3 s', bytesPerSecond: '1 MiB' } }, { at: '5 min', setCheckpointStorage: { failing: true } }],
  failSubtask: [{ failSubtask: { job: 'orders', operator: 'Count', subtask: 1 } }],
  killTaskManager: [{ killTaskManager: { taskManager: 1 } }],
  addTaskManagers: [{ addTaskManagers: { count: 2 } }],
  pauseTaskManager: [{ pauseTaskManager: { taskManager: 0, for: '2 min' } }],
  partitionTaskManager: [{ partitionTaskManager: { taskManager: 0, for: '3 min' } }],
  collectGarbage: [{ collectGarbage: { taskManager: 0, for: '8 s' } }],
  disconnectTaskManagers: [{ disconnectTaskManagers: { first: 0, second: 1, for: '90 s' } }],
  outOfMemory: [{ outOfMemory: { taskManager: 0 } }, { at: '3 min', outOfMemory: { taskManager: 1, memory: 'metaspace' } }],
  setFailure: [{ setFailure: { job: 'numbers', operator: 'Square', afterRecords: 5_000 } }],
  burst: [{ burst: { topic: 'orders', rate: '9000/s', for: '1 min' } }],
  declineCheckpoint: [{ declineCheckpoint: { job: 'numbers' } }],
  failCheckpoint: [{ failCheckpoint: { job: 'numbers' } }],
  delayCheckpoint: [{ delayCheckpoint: { job: 'numbers', by: '20 s' } }],
  expireCheckpoints: [{ delayCheckpoint: { job: 'numbers', by: '20 s' } }, { at: '52 s', expireCheckpoints: { job: 'numbers' } }],
  jumpClock: [{ jumpClock: { by: '10 min' } }],
  crashJobManager: [{ crashJobManager: { restartAfter: '40 s' } }],
  failOverJobManager: [{ failOverJobManager: {} }],
  revokeLeadership: [{ revokeLeadership: { for: '40 s' } }],
  failJob: [{ failJob: { job: 'numbers', labels: { type: 'USER' } } }],
  submitJob: [{ submitJob: { template: { entryClass: 'org.example.Numbers', parallelism: 1 } } }],
  cancelJob: [{ cancelJob: { job: 'numbers' } }],
  triggerSavepoint: [{ triggerSavepoint: { job: 'numbers' } }],
  rescaleJob: [{ rescaleJob: { job: 'orders', parallelism: 1 } }],
};

/** A case for each effect of an HTTP fault. Delays are short: they are of the wall. */
const HTTP: Readonly<Record<FaultEffectName, readonly HttpFaultInput[]>> = {
  latency: [{ path: '/overview', latency: { mean: '2 ms', jitter: '2 ms' } }, { path: '/jobs', latency: { median: '1 ms', spread: 1, max: '5 ms' } }],
  error: [{ path: '/jobs/**', probability: 0.3, error: { status: 502 } }, { path: '/overview', skip: 7, times: 9, error: { status: 500 } }],
  unavailable: [{ path: '/jobs/**', from: '2 min', until: '5 min', unavailable: true }],
  rateLimit: [{ path: '/overview', rateLimit: { requests: 5, per: '1 h', retryAfter: '7 s' } }],
  connection: [
    { path: '/overview', probability: 0.5, connection: 'reset' },
    { path: '/taskmanagers', times: 3, connection: 'close' },
    { path: '/jobs/overview', skip: 4, times: 5, connection: 'close-mid-body' },
  ],
  body: [{ path: '/jobs/**', probability: 0.5, body: 'truncated' }, { path: '/overview', times: 8, body: 'malformed' }, { path: '/taskmanagers', skip: 3, body: 'html' }],
  contentType: [{ path: '/jobs/**', probability: 0.5, contentType: 'text/html' }],
  stale: [{ path: '/overview', stale: true }, { path: '/jobs/**', from: '3 min', stale: true }],
  drip: [{ path: '/overview', probability: 0.4, drip: { over: '4 ms', chunks: 3 } }],
  answers: [{ path: '/jobs/overview', answers: Array.from({ length: 15 }, (_, i) => ({ status: 200 + (i % 3), json: { i } })) }, { path: '/overview', skip: 3, times: 4, answers: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] }],
  override: [{ path: '/jobs/overview', probability: 0.6, override: { '/jobs/0/state': 'FAILED', '/jobs/*/tasks/running': 0 } }],
};

const STEPS = 6;
const STEP_MS = 100_017;
const TIMEOUT_MS = 240_000;

/** What clients can see at this instant, as bytes: answers with status and content type, logs, metrics over REST and as reporters tell them. */
async function look(flink: MockFlink): Promise<string[]> {
  const targets = ['/overview', '/config', '/jobs', '/jobs/overview', '/taskmanagers', '/jobmanager/config', '/jobmanager/log', '/jobmanager/metrics', '/jobmanager/metrics?get=numRunningJobs,taskSlotsAvailable,Status.JVM.Memory.Heap.Used', '/_mock/metrics/jobmanager', '/_mock/kafka/metrics', '/_mock/kafka/v3/kafka/mock/consumer/orders-reader/lag', '/_mock/state', '/_mock/events'];
  const { jobs, taskManagers } = flink.state;
  for (const { id, vertices } of jobs.values()) {
    for (const target of ['', '/config', '/plan', '/checkpoints', '/checkpoints/config', '/exceptions', '/accumulators', '/metrics?get=numRestarts,lastCheckpointDuration,uptime']) targets.push(`/jobs/${id}${target}`);
    for (const vertex of vertices) for (const target of ['', '/backpressure', '/watermarks', '/taskmanagers', '/subtasktimes', '/subtasks/metrics?get=numRecordsIn,busyTimeMsPerSecond']) targets.push(`/jobs/${id}/vertices/${vertex.id}${target}`);
  }
  for (const id of taskManagers.keys()) for (const target of ['', '/log', '/thread-dump', '/metrics?get=Status.JVM.Memory.Heap.Used,Status.JVM.CPU.Load']) targets.push(`/taskmanagers/${encodeURIComponent(id)}${target}`);
  for (const id of taskManagers.keys()) targets.push(`/_mock/metrics/${encodeURIComponent(id)}`);
  const answers: string[] = [];
  for (const target of targets) {
    try {
      const response = await flink.fetch(target);
      answers.push(`${target} ${response.status} ${response.headers.get('content-type')} ${await response.text()}`);
    } catch (error) {
      answers.push(`${target} ${(error as { code?: string }).code}`);
    }
  }
  return answers;
}

let compared = 0;

async function goesOn(events: readonly EventInput[], faults: readonly HttpFaultInput[]): Promise<void> {
  await using flink = await smallCluster({ listen: false, control: true });
  await flink.advanceBy('45 s');
  for (const event of events) flink.events.apply(event);
  for (const fault of faults) flink.faults.add(fault);
  await look(flink);
  // In the middle of things: between two ticks, copies of jobs and metrics half-way to their renewal.
  await flink.advanceBy(1_234);
  await look(flink);
  const startMs = flink.clock.nowMs;

  await using other = await smallCluster({ listen: false, control: true, seed: 4_711, snapshot: await flink.snapshot() });
  for (let step = 0; step <= STEPS; step++) {
    const [a, b] = [await look(flink), await look(other)];
    expect(b).toEqual(a);
    compared += a.length;
    await flink.advanceBy(STEP_MS);
    await other.advanceBy(STEP_MS);
  }
  expect(other.clock.nowMs).toBeGreaterThanOrEqual(startMs + 600_000);
  expect(other.faults.list()).toEqual(flink.faults.list());
  for (const { matched } of flink.faults.list()) expect(matched).toBeGreaterThan(0);
}

describe('a snapshot goes on byte for byte for ten minutes', () => {
  it.each(ACTION_NAMES)('with %s', async (name) => {
    const events = EVENTS[name];
    expect(events.some((event) => name in event)).toBe(true);
    await goesOn(events, []);
  }, TIMEOUT_MS);

  it.each(FAULT_EFFECT_NAMES)('with the HTTP fault %s', async (name) => {
    const faults = HTTP[name];
    expect(faults.every((fault) => name in fault)).toBe(true);
    await goesOn([], faults);
  }, TIMEOUT_MS);

  afterAll(() => expect(compared).toBeGreaterThan((ACTION_NAMES.length + FAULT_EFFECT_NAMES.length) * STEPS * 30));
});
