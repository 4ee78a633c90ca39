import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../src/scenario/load-scenario.js';
import { ask, serve } from './rest-alone.js';

const CLUSTER = (flink: string, event: string, options: string): string => `
title: what can go wrong
flink: ${flink}
cluster:
  taskManagers: { count: 2, slots: 2 }
options:
  cluster.evenly-spread-out-slots: true
  taskmanager.numberOfTaskSlots: 2
  state.checkpoints.dir: file:///data/checkpoints
  state.savepoints.dir: file:///data/savepoints
  ${options}
kafka:
  brokers: [{ id: 1, host: kafka-1 }]
  topics: [{ name: orders, partitions: 2, rate: 200/s, recordSize: 400 }]
jobs:
  - name: orders
    parallelism: 2
    checkpointing: { interval: 5 s, tolerableFailures: 0, timeout: 60 s }
    restartStrategy: { kind: fixed-delay, attempts: 100, delay: 1 s }
    vertices:
      - operators: [{ name: 'Source: orders', recordSize: 400, source: { topic: orders, group: g, startFrom: latest } }]
      - operators: [{ name: Enrich, serviceTime: 2 ms, recordSize: 400 }]
      - operators: [{ name: 'Database: Writer', sink: {} }]
    edges:
      - { from: 'Source: orders', to: Enrich, ship: HASH }
      - { from: Enrich, to: 'Database: Writer', ship: REBALANCE }
timeline:
  - at: 60 s
    ${event}
`;

const EVENT_MS = 60_000;

type Json = Record<string, any>;

/** The cluster above, at the moment before the event. */
class Stage implements AsyncDisposable {
  private constructor(
    private readonly server: Awaited<ReturnType<typeof serve>>,
    readonly job: string,
  ) {}

  static async open(event: string, { flink = '1.20', options = '' } = {}): Promise<Stage> {
    const server = await serve(parseScenario(CLUSTER(flink, event, options), 'faults.yaml').model);
    server.advanceTo(server.simulation.state.model.startMs + EVENT_MS - 1);
    return new Stage(server, [...server.simulation.state.jobs.keys()][0]!);
  }

  /** Goes to so many seconds after the event. */
  after(seconds: number): void {
    this.server.advanceTo(this.server.simulation.state.model.startMs + EVENT_MS + seconds * 1000);
  }

  async status(path: string): Promise<number | null> {
    return (await ask(this.server.url + path)).status;
  }

  async get(path: string): Promise<any> {
    return (await ask(this.server.url + path.replace(':job', this.job))).body;
  }

  async state(): Promise<string> {
    return ((await this.get('/jobs/overview')) as Json)['jobs'][0].state;
  }

  /** Number of the first metric that the vertex or process has by that name, summed over its subtasks. */
  records(vertex: string): number[] {
    const { vertices } = this.server.simulation.state.jobs.get(this.job)!;
    const { columns } = vertices.find(({ model }) => model.name === vertex)!;
    return [...columns.numRecordsIn];
  }

  backPressured(vertex: string): number {
    const { columns, parallelism } = this.server.simulation.state.jobs.get(this.job)!.vertices.find(({ model }) => model.name === vertex)!;
    return (columns.softBackPressuredMs.reduce((sum, ms) => sum + ms, 0) + columns.hardBackPressuredMs.reduce((sum, ms) => sum + ms, 0)) / parallelism;
  }

  lag(): number {
    const { topics, sources } = this.server.simulation.state.kafka;
    const end = topics.get('orders')!.endOffsets.reduce((sum, offset) => sum + offset, 0);
    return end - [...sources.values()][0]!.emitted.reduce((sum, offset) => sum + offset, 0);
  }

  async taskManagers(): Promise<string[]> {
    return ((await this.get('/taskmanagers')) as Json)['taskmanagers'].map(({ id }: Json) => id as string);
  }

  async restarts(): Promise<number> {
    return this.server.simulation.state.jobs.get(this.job)!.numRestarts;
  }

  log(place: number | 'jobmanager'): string {
    const { jobManager, taskManagers, absentTaskManagers } = this.server.simulation.state;
    const process = place === 'jobmanager' ? jobManager : [...taskManagers.values(), ...(absentTaskManagers?.values() ?? [])][place]!;
    return process.log.entries.map(({ message }) => message).join('\n');
  }

  get simulation() {
    return this.server.simulation;
  }

  async checkpoint(find: (one: Json) => boolean): Promise<Json | undefined> {
    return ((await this.get('/jobs/:job/checkpoints')) as Json)['history'].find(find);
  }

  async exceptions(): Promise<string> {
    return JSON.stringify(await this.get('/jobs/:job/exceptions'));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.server[Symbol.asyncDispose]();
  }
}

async function stoodStill(stage: Stage, seconds: number): Promise<void> {
  stage.after(1);
  const before = stage.records('Enrich');
  stage.after(seconds - 1);
  const after = stage.records('Enrich');
  // What was in flight a moment before may still arrive.
  expect(Math.min(...after.map((count, s) => count - before[s]!))).toBeLessThan(2);
}

/** What the table's row says, by the row's event. */
const EFFECTS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'killTaskManager: { taskManager: 0 }': async (stage) => {
    const [lost] = await stage.taskManagers();
    stage.after(0.8);
    expect(await stage.state()).toBe('RESTARTING');
    expect(await stage.taskManagers()).toContain(lost);
    stage.after(30);
    expect(await stage.taskManagers()).not.toContain(lost);
    expect(await stage.status(`/taskmanagers/${lost}`)).toBe(500);
    expect(((await stage.get('/overview')) as Json)['slots-total']).toBe(2);
    expect(await stage.exceptions()).toContain('RemoteTransportException');
  },
  'addTaskManagers: { count: 1 }': async (stage) => {
    stage.after(10);
    expect(((await stage.get('/overview')) as Json)['taskmanagers']).toBe(3);
  },
  'pauseTaskManager: { taskManager: 0, for: 20 s }': async (stage) => {
    await stoodStill(stage, 20);
    const before = stage.records('Enrich');
    stage.after(40);
    expect(stage.records('Enrich').every((count, s) => count > before[s]!)).toBe(true);
    expect(await stage.restarts()).toBe(0);
  },
  'partitionTaskManager: { taskManager: 0, for: 90 s }': async (stage) => {
    const [lost] = await stage.taskManagers();
    stage.after(52);
    expect(await stage.taskManagers()).not.toContain(lost);
    expect(await stage.exceptions()).toContain(`Heartbeat of TaskManager with id ${lost} timed out.`);
    stage.after(95);
    expect(await stage.taskManagers()).toContain(lost);
    stage.after(120);
    expect(await stage.state()).toBe('RUNNING');
  },
  'collectGarbage: { taskManager: 0, for: 8 s }': async (stage) => {
    const [id] = await stage.taskManagers();
    const collector = () => stage.simulation.state.taskManagers.get(id!)!.jvm.collectors.find(({ name }) => name === 'G1_Old_Generation')!;
    const before = { ...collector() };
    await stoodStill(stage, 8);
    expect(collector().count).toBe(before.count + 1);
    expect(collector().timeMs).toBe(before.timeMs + 8000);
    stage.after(9);
    expect(stage.log(0)).toContain('Garbage collection paused the process for 8000 ms.');
  },
  'disconnectTaskManagers: { first: 0, second: 1, for: 10 s }': async (stage) => {
    stage.after(9.9);
    expect(await stage.restarts()).toBeGreaterThan(1);
    expect(await stage.exceptions()).toContain('Connection timed out');
    stage.after(30);
    expect(await stage.state()).toBe('RUNNING');
  },
  'outOfMemory: { taskManager: 0 }': async (stage) => {
    stage.after(0.3);
    expect(await stage.state()).toBe('RESTARTING');
    expect(await stage.exceptions()).toContain('java.lang.OutOfMemoryError: Java heap space');
    stage.after(20);
    expect(await stage.state()).toBe('RUNNING');
    expect(await stage.taskManagers()).toHaveLength(2);
  },
  'outOfMemory: { taskManager: 0, memory: metaspace }': async (stage) => {
    stage.after(1);
    expect(stage.log(0)).toContain('java.lang.OutOfMemoryError: Metaspace');
    stage.after(30);
    expect(await stage.taskManagers()).toHaveLength(1);
  },
  'failSubtask: { operator: Enrich, subtask: 1 }': async (stage) => {
    stage.after(0.3);
    expect(await stage.state()).toBe('RESTARTING');
    expect(await stage.exceptions()).toContain('synthetic failure');
  },
  'setFailure: { operator: Enrich, afterRecords: 500, message: poisoned record }': async (stage) => {
    stage.after(60);
    expect(await stage.restarts()).toBeGreaterThan(4);
    expect(await stage.exceptions()).toContain('poisoned record');
    expect(stage.log('jobmanager')).toContain('poisoned record');
  },
  "setSinkCapacity: { operator: 'Database: Writer', capacity: 20/s }": async (stage) => {
    const before = [stage.lag(), stage.backPressured('Enrich')];
    stage.after(55);
    expect(stage.lag()).toBeGreaterThan(before[0]! + 1000);
    expect(stage.backPressured('Enrich')).toBeGreaterThan(before[1]! + 20_000);
  },
  'setServiceTime: { operator: Enrich, serviceTime: 40 ms }': async (stage) => {
    const before = stage.backPressured('Source: orders');
    stage.after(90);
    expect(stage.backPressured('Source: orders')).toBeGreaterThan(before + 20_000);
  },
  'setSkew: { operator: Enrich, skew: { hotKeys: [{ key: de, share: 0.95 }] } }': async (stage) => {
    const before = stage.records('Enrich');
    stage.after(20);
    const taken = stage.records('Enrich').map((count, s) => count - before[s]!);
    expect(Math.max(...taken) / (taken[0]! + taken[1]!)).toBeGreaterThan(0.9);
  },
  'setTopicRate: { topic: orders, rate: 900/s }': async (stage) => {
    const before = stage.records('Enrich');
    stage.after(10);
    const taken = stage.records('Enrich').map((count, s) => count - before[s]!);
    expect(taken[0]! + taken[1]!).toBeGreaterThan(7000);
  },
  'burst: { topic: orders, rate: 2000/s, for: 20 s }': async (stage) => {
    const before = stage.lag();
    stage.after(20);
    expect(stage.lag()).toBeGreaterThan(before + 10_000);
    stage.after(80);
    expect(stage.lag()).toBeLessThan(1000);
  },
  'setKafkaBroker: { state: down }': async (stage) => {
    await stoodStill(stage, 10);
    expect(await stage.state()).toBe('RUNNING');
    expect(stage.log(0) + stage.log(1)).toContain('could not be established');
  },
  'setKafkaBroker: { state: stalled }': async (stage) => {
    await stoodStill(stage, 10);
    stage.after(45);
    expect(stage.log(0) + stage.log(1)).toContain('due to request timeout');
  },
  'setKafkaFlakiness: { meanTimeBetweenDisconnects: 5 s }': async (stage) => {
    const before = (stage.log(0) + stage.log(1)).length;
    stage.after(60);
    expect((stage.log(0) + stage.log(1)).slice(before)).toMatch(/disconnect/i);
  },
  'setCheckpointStorage: { latency: 4 s }': async (stage) => {
    stage.after(30);
    expect((await stage.checkpoint(({ status }) => status === 'COMPLETED'))?.['end_to_end_duration']).toBeGreaterThan(4000);
  },
  'setCheckpointStorage: { failing: true }': async (stage) => {
    stage.after(20);
    expect((await stage.checkpoint(({ status }) => status === 'FAILED'))?.['failure_message'] ?? (await stage.exceptions())).toContain('Asynchronous task checkpoint failed.');
    expect(await stage.restarts()).toBeGreaterThan(0);
  },
  'declineCheckpoint: {}': async (stage) => {
    stage.after(8);
    const failed = await stage.checkpoint(({ status }) => status === 'FAILED');
    expect(((await stage.get(`/jobs/:job/checkpoints/details/${failed?.['id']}`)) as Json)['failure_message']).toBe('Checkpoint was declined.');
  },
  'failCheckpoint: {}': async (stage) => {
    stage.after(8);
    const failed = await stage.checkpoint(({ status }) => status === 'FAILED');
    expect(((await stage.get(`/jobs/:job/checkpoints/details/${failed?.['id']}`)) as Json)['failure_message']).toBe('Failure to finalize checkpoint.');
  },
  'delayCheckpoint: { by: 3 s }': async (stage) => {
    stage.after(12);
    expect((await stage.checkpoint(({ end_to_end_duration: ms }) => ms > 3000))?.['status']).toBe('COMPLETED');
  },
  'expireCheckpoints: {}': async (stage) => {
    stage.after(0.1);
    const underWay = [...stage.simulation.state.jobs.values()][0]!.checkpoints!;
    expect(underWay.pending).toHaveLength(0);
  },
  'crashJobManager: { restartAfter: 10 s }': async (stage) => {
    stage.after(5);
    expect(await stage.status('/overview')).toBeNull();
    stage.after(20);
    expect(await stage.status('/overview')).toBe(200);
    expect(await stage.status(`/jobs/${stage.job}`)).toBe(404);
    stage.after(75);
    expect(((await stage.get('/overview')) as Json)['slots-available']).toBe(4);
  },
  'failOverJobManager: {}': async (stage) => {
    stage.after(10);
    expect(await stage.status('/overview')).toBe(500);
    expect(await stage.status('/config')).toBe(200);
    stage.after(60.1);
    expect(await stage.status('/overview')).toBe(503);
    stage.after(70);
    expect(await stage.state()).toBe('RUNNING');
    expect(((await stage.get('/jobs/:job/checkpoints')) as Json)['counts'].restored).toBe(1);
  },
  'jumpClock: { by: 10 min }': async (stage) => {
    const before = ((await stage.get('/jobs/overview')) as Json)['jobs'][0].duration as number;
    stage.after(1);
    expect(((await stage.get('/jobs/overview')) as Json)['jobs'][0].duration).toBeGreaterThan(before + 600_000);
    expect(await stage.restarts()).toBe(0);
  },
  'rescaleJob: { parallelism: 1 }': async (stage) => {
    stage.after(15);
    expect(await stage.state()).toBe('RUNNING');
    expect(((await stage.get('/jobs/:job')) as Json)['vertices'].map(({ parallelism }: Json) => parallelism as number)).toEqual([1, 1, 1]);
  },
  'cancelJob: {}': async (stage) => {
    stage.after(5);
    expect(await stage.state()).toBe('CANCELED');
    expect(((await stage.get('/overview')) as Json)['slots-available']).toBe(4);
  },
  'triggerSavepoint: {}': async (stage) => {
    stage.after(5);
    expect(await stage.checkpoint(({ is_savepoint: is }) => is === true)).toBeDefined();
  },
};

const rows = [...readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8').matchAll(/^\| `([a-zA-Z]+: .*?)` \|/gm)].map((match) => match[1]!);

describe('a fault of docs/faults.md', () => {
  it('is tested, each of them', () => {
    expect(Object.keys(EFFECTS).sort()).toEqual([...rows].sort());
  });

  it.each(rows)('%s is seen as the table says', async (event) => {
    await using stage = await Stage.open(event);
    await EFFECTS[event]!(stage);
  });
});
