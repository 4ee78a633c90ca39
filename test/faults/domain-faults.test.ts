import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACTION_NAMES } from '../../src/scenario/schema/timeline-schema.js';
import { FaultStage, type Json } from './fault-stage.js';

async function taken(stage: FaultStage): Promise<number[]> {
  return stage.metrics('job_task_numRecordsIn', 'task_name="Enrich"');
}

async function stoodStill(stage: FaultStage, seconds: number): Promise<void> {
  await stage.after(1);
  const before = await taken(stage);
  await stage.after(seconds - 1);
  const after = await taken(stage);
  // What was in flight a moment before may still arrive.
  expect(Math.min(...after.map((count, s) => count - before[s]!))).toBeLessThan(2);
}

const overview = async (stage: FaultStage): Promise<Json> => (await stage.get('/overview')) as Json;

/** Runs the row's line by `inject` and looks at what the row says. */
const EFFECTS: Readonly<Record<string, (stage: FaultStage) => Promise<void>>> = {
  'task manager dies': async (stage) => {
    const [lost] = await stage.taskManagers();
    await stage.inject();
    await stage.after(0.8);
    expect(await stage.state()).toBe('RESTARTING');
    expect(await stage.taskManagers()).toContain(lost);
    await stage.after(30);
    expect(await stage.taskManagers()).not.toContain(lost);
    expect(await stage.status(`/taskmanagers/${lost}`)).toBe(500);
    expect((await overview(stage))['slots-total']).toBe(2);
    expect(await stage.exceptions()).toContain('RemoteTransportException');
    expect(await stage.metric('jobmanager_numRegisteredTaskManagers')).toBe(1);
    expect(await stage.metric('jobmanager_taskSlotsTotal')).toBe(2);
    expect(await stage.metric('job_numRestarts')).toBeGreaterThan(0);
  },
  'task managers come': async (stage) => {
    await stage.inject();
    await stage.after(10);
    expect((await overview(stage))['taskmanagers']).toBe(3);
    expect(await stage.metric('jobmanager_numRegisteredTaskManagers')).toBe(3);
    expect(await stage.metric('jobmanager_taskSlotsAvailable')).toBe(4);
  },
  'frozen process': async (stage) => {
    await stage.inject();
    await stoodStill(stage, 20);
    const [first] = ((await stage.get('/taskmanagers')) as Json)['taskmanagers'];
    expect(stage.flink.clock.nowMs - first.timeSinceLastHeartbeat).toBeGreaterThan(10_000);
    const before = await taken(stage);
    await stage.after(40);
    expect((await taken(stage)).every((count, s) => count > before[s]!)).toBe(true);
    expect(await stage.metric('job_numRestarts')).toBe(0);
    expect(await stage.state()).toBe('RUNNING');
  },
  'cut off from everybody': async (stage) => {
    const [lost] = await stage.taskManagers();
    await stage.inject();
    await stage.after(52);
    expect(await stage.taskManagers()).not.toContain(lost);
    expect(await stage.exceptions()).toContain(`Heartbeat of TaskManager with id ${lost} timed out.`);
    expect(await stage.metric('jobmanager_numRegisteredTaskManagers')).toBe(1);
    await stage.after(95);
    expect(await stage.taskManagers()).toContain(lost);
    await stage.after(120);
    expect(await stage.state()).toBe('RUNNING');
    expect(await stage.metric('jobmanager_numRegisteredTaskManagers')).toBe(2);
  },
  'long collection': async (stage) => {
    const [id] = await stage.taskManagers();
    const collector = async (what: string): Promise<number> => stage.metric(`JVM_GarbageCollector_G1_Old_Generation_${what}`, `tm_id="${id!.replace(/[^a-zA-Z0-9:_]/g, '_')}"`);
    const before = [await collector('Count'), await collector('Time')];
    await stage.inject();
    await stoodStill(stage, 8);
    expect([await collector('Count'), await collector('Time')]).toEqual([before[0]! + 1, before[1]! + 8000]);
    await stage.after(9);
    expect(await stage.state()).toBe('RUNNING');
  },
  'network between two is gone': async (stage) => {
    await stage.inject();
    await stage.after(9.9);
    expect(await stage.metric('job_numRestarts')).toBeGreaterThan(1);
    expect(await stage.exceptions()).toMatch(/LocalTransportException.*Connection timed out/);
    await stage.after(30);
    expect(await stage.state()).toBe('RUNNING');
  },
  'out of heap': async (stage) => {
    await stage.inject();
    const [used, max] = [await stage.metrics('taskmanager_Status_JVM_Memory_Heap_Used'), await stage.metrics('taskmanager_Status_JVM_Memory_Heap_Max')];
    expect(used[0]! / max[0]!).toBeGreaterThan(0.99);
    await stage.after(0.3);
    expect(await stage.state()).toBe('RESTARTING');
    expect(await stage.exceptions()).toContain('java.lang.OutOfMemoryError: Java heap space');
    await stage.after(20);
    expect(await stage.state()).toBe('RUNNING');
    expect(await stage.taskManagers()).toHaveLength(2);
    expect(await stage.metric('job_numRestarts')).toBe(1);
  },
  'out of metaspace': async (stage) => {
    await stage.inject();
    await stage.after(1);
    // It is gone from the list later; its file stays on the disk.
    expect(await stage.logs()).toContain('Fatal error occurred while executing the TaskManager. Shutting it down...\njava.lang.OutOfMemoryError: Metaspace');
    expect(await stage.state()).toBe('RESTARTING');
    await stage.after(30);
    expect(await stage.taskManagers()).toHaveLength(1);
    expect(await stage.metric('jobmanager_numRegisteredTaskManagers')).toBe(1);
  },
  'task fails': async (stage) => {
    await stage.inject();
    await stage.after(0.3);
    expect(await stage.state()).toBe('RESTARTING');
    expect(await stage.exceptions()).toContain('synthetic failure');
    await stage.after(20);
    expect(await stage.state()).toBe('RUNNING');
    expect(await stage.metric('job_numRestarts')).toBe(1);
  },
  'the job as a whole fails': async (stage) => {
    await stage.inject();
    await stage.after(20);
    expect(await stage.state()).toBe('RUNNING');
    const { exceptionHistory } = (await stage.get('/jobs/:job/exceptions')) as Json;
    expect(exceptionHistory.entries).toMatchObject([{ exceptionName: 'org.apache.flink.util.FlinkException', failureLabels: { type: 'SYSTEM' } }]);
    expect(exceptionHistory.entries[0]).not.toHaveProperty('taskName');
    expect(await stage.metric('job_numRestarts')).toBe(1);
  },
  'poisoned record': async (stage) => {
    await stage.inject();
    await stage.after(60);
    expect(await stage.metric('job_numRestarts')).toBeGreaterThan(4);
    expect(await stage.exceptions()).toContain('poisoned record');
  },
  'slow sink': async (stage) => {
    const lag = await stage.lag();
    await stage.inject();
    await stage.after(60);
    expect(await stage.lag()).toBeGreaterThan(lag + 1000);
    expect(Math.max(...(await stage.metrics('task_backPressuredTimeMsPerSecond', 'task_name="Enrich"')))).toBeGreaterThan(500);
    const { vertices } = (await stage.get('/jobs/:job')) as Json;
    const enrich = vertices.find(({ name }: Json) => name === 'Enrich').id as string;
    await stage.get(`/jobs/:job/vertices/${enrich}/backpressure`);
    await stage.after(75);
    await stage.get(`/jobs/:job/vertices/${enrich}/backpressure`);
    expect(((await stage.get(`/jobs/:job/vertices/${enrich}/backpressure`)) as Json)['backpressureLevel']).toBe('high');
  },
  'slow operator': async (stage) => {
    await stage.inject();
    await stage.after(90);
    expect(Math.max(...(await stage.metrics('task_busyTimeMsPerSecond', 'task_name="Enrich"')))).toBeGreaterThan(900);
    expect(Math.max(...(await stage.metrics('task_backPressuredTimeMsPerSecond', 'task_name="Source:_orders"')))).toBeGreaterThan(500);
    const busy = async (): Promise<number> => ((await stage.get('/jobs/:job')) as Json)['vertices'].find(({ name }: Json) => name === 'Enrich').metrics['accumulated-busy-time'] as number;
    // Metrics are fetched when somebody asks, and copies of jobs are 3 s old at most.
    await busy();
    await stage.after(95);
    expect(await busy()).toBeGreaterThan(20_000);
  },
  'more results': async (stage) => {
    const rate = async (): Promise<number> => {
      const before = [await stage.metric('task_numRecordsIn', 'task_name="Enrich"'), await stage.metric('task_numRecordsOut', 'task_name="Enrich"')];
      await stage.flink.advanceBy('10 s');
      return ((await stage.metric('task_numRecordsOut', 'task_name="Enrich"')) - before[1]!) / ((await stage.metric('task_numRecordsIn', 'task_name="Enrich"')) - before[0]!);
    };
    expect(await rate()).toBeCloseTo(1, 1);
    await stage.inject();
    expect(await rate()).toBeCloseTo(3, 1);
  },
  'greater records': async (stage) => {
    const bytes = async (): Promise<number> => {
      const before = await stage.metric('task_numBytesOut', 'task_name="Enrich"');
      await stage.flink.advanceBy('10 s');
      return (await stage.metric('task_numBytesOut', 'task_name="Enrich"')) - before;
    };
    const small = await bytes();
    await stage.inject();
    expect(await bytes()).toBeGreaterThan(5 * small);
  },
  'hot key': async (stage) => {
    const before = await taken(stage);
    await stage.inject();
    await stage.after(20);
    const more = (await taken(stage)).map((count, s) => count - before[s]!);
    expect(Math.max(...more) / (more[0]! + more[1]!)).toBeGreaterThan(0.9);
  },
  'more records': async (stage) => {
    const before = await stage.metric('task_numRecordsIn', 'task_name="Enrich"');
    await stage.inject();
    await stage.after(10);
    expect((await stage.metric('task_numRecordsIn', 'task_name="Enrich"')) - before).toBeGreaterThan(7000);
  },
  burst: async (stage) => {
    const before = await stage.metric('operator_pendingRecords');
    await stage.inject();
    await stage.after(20);
    expect(await stage.metric('operator_pendingRecords')).toBeGreaterThan(before + 5_000);
    await stage.after(90);
    expect(await stage.metric('operator_pendingRecords')).toBeLessThan(1000);
  },
  'faster generator': async (stage) => {
    const emitted = async (): Promise<number> => {
      const before = await stage.metric('operator_numRecordsOut', 'operator_name="Source:_ticks"');
      await stage.flink.advanceBy('10 s');
      return (await stage.metric('operator_numRecordsOut', 'operator_name="Source:_ticks"')) - before;
    };
    expect(await emitted()).toBeLessThan(250);
    await stage.inject();
    expect(await emitted()).toBeGreaterThan(4_500);
  },
  'broker down': async (stage) => {
    await stage.inject();
    await stoodStill(stage, 20);
    const pending = await stage.metric('operator_pendingRecords');
    await stage.after(30);
    expect(await stage.metric('operator_pendingRecords')).toBe(pending);
    expect(await stage.state()).toBe('RUNNING');
  },
  'broker hangs': async (stage) => {
    await stage.inject();
    await stoodStill(stage, 10);
    await stage.after(45);
    expect(await stage.state()).toBe('RUNNING');
  },
  'flaky network': async (stage) => {
    await stage.inject();
    await stage.after(60);
    expect(await stage.state()).toBe('RUNNING');
  },
  'slow storage': async (stage) => {
    await stage.inject();
    await stage.after(30);
    expect((await stage.checkpoint(({ status }) => status === 'COMPLETED'))?.['end_to_end_duration']).toBeGreaterThan(4000);
    expect(await stage.metric('job_lastCheckpointDuration')).toBeGreaterThan(4000);
  },
  'broken storage': async (stage) => {
    await stage.inject();
    await stage.after(20);
    expect(await stage.failureOfCheckpoint()).toBe('Asynchronous task checkpoint failed.');
    expect(await stage.metric('job_numberOfFailedCheckpoints')).toBeGreaterThan(0);
    expect(await stage.metric('job_numRestarts')).toBeGreaterThan(0);
  },
  'checkpoint declined': async (stage) => {
    await stage.inject();
    await stage.after(8);
    expect(await stage.failureOfCheckpoint()).toBe('Checkpoint was declined.');
    expect(await stage.metric('job_numberOfFailedCheckpoints')).toBe(1);
  },
  'checkpoint fails': async (stage) => {
    await stage.inject();
    await stage.after(8);
    expect(await stage.failureOfCheckpoint()).toBe('Failure to finalize checkpoint.');
    expect(await stage.metric('job_numberOfFailedCheckpoints')).toBe(1);
  },
  'checkpoint late': async (stage) => {
    await stage.inject();
    await stage.flink.advanceUntil({ checkpointCompleted: {} });
    expect((await stage.checkpoint(({ end_to_end_duration: ms }) => ms > 3000))?.['status']).toBe('COMPLETED');
    expect(await stage.metric('job_lastCheckpointDuration')).toBeGreaterThan(3000);
    await stage.flink.advanceUntil({ checkpointCompleted: {} });
    expect(await stage.metric('job_lastCheckpointDuration')).toBeLessThan(3000);
  },
  'checkpoints expire': async (stage) => {
    // One has to be under way: storage that takes 4 s makes it last.
    stage.flink.events.apply({ setCheckpointStorage: { latency: '4 s' } });
    const underWay = (): number[] => [...stage.flink.state.jobs.values()][0]!.checkpoints!.pending.map(({ id }) => id);
    await stage.flink.advanceUntil(() => underWay().length > 0);
    const [id] = underWay();
    expect(((await stage.get(`/jobs/:job/checkpoints/details/${id}`)) as Json)['status']).toBe('IN_PROGRESS');
    expect(await stage.metric('job_numberOfFailedCheckpoints')).toBe(0);
    await stage.inject();
    await stage.after(3.1);
    expect(await stage.get(`/jobs/:job/checkpoints/details/${id}`)).toMatchObject({ status: 'FAILED', failure_message: 'Checkpoint expired before completing.' });
    expect(((await stage.get('/jobs/:job/checkpoints')) as Json)['counts']).toMatchObject({ failed: 1, completed: id! - 1 });
    expect(await stage.metric('job_numberOfFailedCheckpoints')).toBe(1);
    expect(await stage.logs()).toMatch(new RegExp(`Checkpoint ${id} of job ${stage.job} expired before completing\\.`));
  },
  'job manager crashes': async (stage) => {
    await stage.inject();
    expect(await stage.status('/overview')).toBe('ECONNREFUSED');
    await stage.after(5);
    expect(await stage.status('/overview')).toBe('ECONNREFUSED');
    await stage.after(20);
    expect(await stage.status('/overview')).toBe(200);
    expect(await stage.status('/jobs/:job')).toBe(404);
    await stage.after(75);
    expect((await overview(stage))['slots-available']).toBe(4);
    expect(await stage.metric('jobmanager_numRunningJobs')).toBe(0);
  },
  'leader is lost': async (stage) => {
    await stage.inject();
    await stage.after(10);
    expect(await stage.status('/overview')).toBe(500);
    expect(await stage.status('/config')).toBe(200);
    await stage.after(60.1);
    expect(await stage.status('/overview')).toBe(503);
    await stage.after(75);
    expect(await stage.state()).toBe('RUNNING');
    expect(((await stage.get('/jobs/:job/checkpoints')) as Json)['counts'].restored).toBe(1);
    expect(await stage.metric('jobmanager_numRunningJobs')).toBe(1);
  },
  'leadership is revoked': async (stage) => {
    await stage.inject();
    await stage.after(2);
    expect(await stage.status('/overview')).toBe(503);
    expect([...stage.flink.state.jobs.values()].map(({ status }) => status)).toEqual(['SUSPENDED']);
    await stage.after(20);
    expect(await stage.state()).toBe('RUNNING');
    expect(((await stage.get('/jobs/:job/checkpoints')) as Json)['counts'].restored).toBe(1);
    expect(await stage.metric('jobmanager_numRunningJobs')).toBe(1);
  },
  'clock jumps': async (stage) => {
    const before = ((await stage.get('/jobs/overview')) as Json)['jobs'][0].duration as number;
    const uptime = await stage.metric('job_uptime');
    await stage.inject();
    await stage.flink.advanceBy('1 s');
    expect(((await stage.get('/jobs/overview')) as Json)['jobs'][0].duration).toBeGreaterThan(before + 600_000);
    expect(await stage.metric('job_uptime')).toBeGreaterThan(uptime + 600_000);
    expect(await stage.metric('job_numRestarts')).toBe(0);
  },
  'another parallelism': async (stage) => {
    await stage.inject();
    await stage.after(15);
    expect(await stage.state()).toBe('RUNNING');
    expect(((await stage.get('/jobs/:job')) as Json)['vertices'].map(({ parallelism }: Json) => parallelism as number)).toEqual([1, 1, 1, 1]);
    expect(await stage.metrics('task_numRecordsIn', 'task_name="Enrich"')).toHaveLength(1);
  },
  'job is cancelled': async (stage) => {
    await stage.inject();
    await stage.after(5);
    expect(await stage.state()).toBe('CANCELED');
    expect((await overview(stage))['slots-available']).toBe(4);
    expect(await stage.metric('jobmanager_numRunningJobs')).toBe(0);
  },
  savepoint: async (stage) => {
    await stage.inject();
    await stage.after(5);
    expect(await stage.checkpoint(({ is_savepoint: is }) => is === true)).toMatchObject({ status: 'COMPLETED' });
    expect(await stage.metric('job_numberOfCompletedCheckpoints')).toBeGreaterThan(12);
  },
  'job is submitted': async (stage) => {
    await stage.inject();
    await stage.after(10);
    expect(((await stage.get('/jobs/overview')) as Json)['jobs'].map(({ name, state }: Json) => [name, state])).toContainEqual(['ticks', 'RUNNING']);
    expect(await stage.metric('jobmanager_numRunningJobs')).toBe(2);
  },
};

interface Row {
  readonly name: string;
  readonly line: string;
  readonly metrics: string;
  readonly logs: string;
}

const ROWS: Row[] = [...readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8').matchAll(/^\| ([^|]+) \| `(curl \$M\/events [^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name, line, , metrics, logs]) => ({ name: name!, line: line!, metrics: metrics!, logs: logs! }));

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, inner]) => inner!);
/** `…` stands for anything. */
const pattern = (text: string): RegExp => new RegExp(text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'));

describe('a fault of docs/faults.md', () => {
  it('is tested, each of them', () => {
    expect(ROWS.map(({ name }) => name)).toEqual(Object.keys(EFFECTS));
  });

  it('is in the document, each that there is', () => {
    const named = new Set(ROWS.map(({ line }) => Object.keys(JSON.parse(/-d '(.*)'$/.exec(line)![1]!) as object)[0]));
    expect([...named].sort()).toEqual([...ACTION_NAMES].sort());
  });

  it.each(ROWS.map((row) => [row.name, row] as const))('%s is seen as the table says', async (name, { line, metrics, logs }) => {
    await using stage = await FaultStage.open(line);
    await EFFECTS[name]!(stage);
    const text = await stage.logs();
    for (const words of quoted(logs)) expect(text).toMatch(pattern(words));
    for (const metric of quoted(metrics).filter((name) => !name.startsWith('$'))) expect(await stage.metrics(metric), metric).not.toEqual([]);
  });
});
