import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventInput, HttpFaultInput, MockFlink } from '../../src/index.js';
import { ask, smallCluster } from './small-cluster.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'mock-flink-snapshots-'))));
afterAll(() => rm(folder, { recursive: true }));

/** Everything that a dashboard looks at, as bytes. */
async function look(flink: MockFlink): Promise<string[]> {
  const get = async (target: string) => {
    const response = await flink.fetch(target);
    return `${target} ${response.status} ${await response.text()}`;
  };
  const answers: string[] = [];
  for (const target of ['/overview', '/jobs/overview', '/taskmanagers', '/jobmanager/log', '/jobmanager/metrics?get=Status.JVM.CPU.Load,numRunningJobs']) answers.push(await get(target));
  for (const { id, vertices } of flink.summary().jobs) {
    for (const target of ['', '/checkpoints', '/exceptions', '/metrics?get=numRestarts,lastCheckpointDuration']) answers.push(await get(`/jobs/${id}${target}`));
    for (const vertex of vertices) for (const target of ['', '/backpressure', '/watermarks', '/subtasks/metrics?get=numRecordsIn,busyTimeMsPerSecond']) answers.push(await get(`/jobs/${id}/vertices/${vertex.id}${target}`));
  }
  for (const id of flink.state.taskManagers.keys()) answers.push(await get(`/taskmanagers/${encodeURIComponent(id)}/metrics?get=Status.JVM.Memory.Heap.Used`));
  return answers;
}

const FAULTS: readonly (readonly [string, readonly EventInput[], readonly HttpFaultInput[]])[] = [
  ['none', [], []],
  ['a broker that stalls', [{ setKafkaBroker: { state: 'stalled' } }], []],
  ['brokers that lose connections', [{ setKafkaFlakiness: { meanTimeBetweenDisconnects: '5 s' } }], []],
  ['storage that fails, and a task that failed', [{ setCheckpointStorage: { failing: true } }, { failSubtask: { job: 'orders', operator: 'Count', subtask: 1 } }], []],
  ['a dead task manager', [{ killTaskManager: { taskManager: '1' } }], []],
  ['a slow sink, and events to come', [{ setSinkCapacity: { job: 'numbers', operator: 'Sink: Out', capacity: '50/s' } }, { at: '3 min', setSinkCapacity: { job: 'numbers', operator: 'Sink: Out', capacity: null } }, { at: '4 min', addTaskManagers: { count: 1 } }], []],
  [
    'HTTP faults',
    [],
    [
      { path: '/jobs/**', probability: 0.3, error: { status: 502 } },
      { path: '/overview', stale: true },
      { path: '/taskmanagers', times: 20, body: 'truncated' },
      { path: '/jobs/overview', answers: Array.from({ length: 15 }, (_, i) => ({ json: { i } })) },
    ],
  ],
];

describe('a snapshot', () => {
  it.each(FAULTS)('goes on byte for byte for ten minutes, with %s', async (_name, events, faults) => {
    await using flink = await smallCluster({ listen: false });
    await flink.advanceBy('30 s');
    for (const event of events) flink.events.apply(event);
    for (const fault of faults) flink.faults.add(fault);
    await look(flink);
    // In the middle of things: between two ticks, copies of jobs and metrics half-way to their renewal.
    await flink.advanceBy(1_234);
    await look(flink);

    await using other = await smallCluster({ listen: false, seed: 4_711, snapshot: await flink.snapshot() });
    let compared = 0;
    for (let step = 0; step < 20; step++) {
      const [a, b] = [await look(flink), await look(other)];
      expect(b).toEqual(a);
      compared += a.length;
      await flink.advanceBy(30_017);
      await other.advanceBy(30_017);
    }
    expect(compared).toBeGreaterThan(500);
    expect(other.clock.nowMs - other.simulation.state.model.startMs).toBe(31_234 + 20 * 30_017);
  });

  it.each(['1.9', '1.12', '2.3'])('goes on byte for byte in Flink %s', async (flinkVersion) => {
    await using flink = await smallCluster({ listen: false, flinkVersion });
    await flink.advanceBy('40 s');
    flink.events.apply({ setSinkCapacity: { job: 'numbers', operator: 'Sink: Out', capacity: '50/s' } });
    await look(flink);
    await flink.advanceBy(2_345);
    await using other = await smallCluster({ listen: false, flinkVersion, snapshot: await flink.snapshot() });
    for (let step = 0; step < 12; step++) {
      expect(await look(other)).toEqual(await look(flink));
      await flink.advanceBy(4_321);
      await other.advanceBy(4_321);
    }
  });

  it('is not disturbed by being taken', async () => {
    await using a = await smallCluster({ listen: false });
    await using b = await smallCluster({ listen: false });
    for (let step = 0; step < 10; step++) {
      expect(await look(b)).toEqual(await look(a));
      await a.snapshot();
      await a.advanceBy(3_333);
      await b.advanceBy(3_333);
    }
  });

  it('stays as it is, however often it is restored', async () => {
    await using flink = await smallCluster({ listen: false });
    await flink.advanceBy('20 s');
    const bytes = await flink.snapshot();
    const before = Buffer.from(bytes);
    const lives: string[][] = [];
    for (let life = 0; life < 3; life++) {
      await flink.restore(bytes);
      await flink.advanceBy('30 s');
      lives.push(await look(flink));
    }
    expect(bytes.equals(before)).toBe(true);
    expect(lives[1]).toEqual(lives[0]);
    expect(lives[2]).toEqual(lives[0]);
  });

  it('is written to a file and read again', async () => {
    await using flink = await smallCluster({ listen: false });
    await flink.advanceBy('20 s');
    const file = path.join(folder, 'a.snapshot');
    await flink.saveSnapshot(file);
    await flink.advanceBy('20 s');
    await flink.saveSnapshot(file);
    expect(await readdir(folder)).toContain('a.snapshot');
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
    await using other = await smallCluster({ listen: false, snapshot: file });
    expect(other.clock.nowMs).toBe(flink.clock.nowMs);
  });

  it('says what is wrong with it, and changes nothing', async () => {
    await using flink = await smallCluster({ control: true, snapshotDirectory: path.join(folder, 'saved') });
    await flink.advanceBy('20 s');
    const whole = await flink.snapshot();
    const damaged = Buffer.from(whole);
    damaged[whole.length - 100]! ^= 1;
    const otherFormat = Buffer.from(whole.toString('latin1').replace('"format":3', '"format":9'), 'latin1');
    // Flink's metrics come home behind the first answer.
    await look(flink);
    const before = await look(flink);
    for (const [bytes, message] of [
      [Buffer.from('hello'), /no snapshot of mock-flink/],
      [Buffer.alloc(0), /no snapshot of mock-flink/],
      [whole.subarray(0, whole.length - 1), /not whole.*take it again/],
      [whole.subarray(0, 40), /not whole: its header/],
      [damaged, /damaged.*checksum/],
      [otherFormat, /format 9; this version of mock-flink reads format 3/],
    ] as const) {
      await expect(flink.restore(bytes)).rejects.toThrow(message);
      const { status, body } = await put(flink, bytes);
      expect([status, body.detail]).toEqual([400, expect.stringMatching(message)]);
      await expect(smallCluster({ snapshot: bytes })).rejects.toThrow(message);
    }
    await using older = await smallCluster({ listen: false, flinkVersion: '1.9' });
    await expect(older.restore(whole)).rejects.toThrow(/is of Flink 1\.20\.\d+, this server plays 1\.9\.\d+; start one with --flink-version/);
    expect(await look(flink)).toEqual(before);
    expect((await put(flink, whole)).status).toBe(200);
  });

  it('is saved, listed, restored and removed by name', async () => {
    const snapshotDirectory = path.join(folder, 'named');
    await using flink = await smallCluster({ control: true, snapshotDirectory });
    const at = flink.clock.nowMs;
    const written = await ask(flink.controlUrl, 'POST', '/snapshots', { name: 'one' });
    expect(written).toMatchObject({ status: 201, body: { name: 'one', writtenMs: expect.any(Number) } });
    await flink.advanceBy('10 s');
    expect((await ask(flink.controlUrl, 'GET', '/snapshots')).body.snapshots).toEqual([written.body]);
    expect(await ask(flink.controlUrl, 'POST', '/snapshots/one/restore')).toMatchObject({ status: 200, body: { nowMs: at } });
    for (const name of ['..', '../one', '.hidden', 'a/b', '']) expect((await ask(flink.controlUrl, 'POST', '/snapshots', { name })).status).toBe(400);
    expect(await ask(flink.controlUrl, 'POST', '/snapshots/two/restore')).toMatchObject({ status: 404, body: { detail: 'there is no snapshot two; allowed: one' } });
    await writeFile(path.join(snapshotDirectory, 'bad.snapshot'), (await readFile(path.join(snapshotDirectory, 'one.snapshot'))).subarray(0, 1_000));
    expect(await ask(flink.controlUrl, 'POST', '/snapshots/bad/restore')).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/not whole/) } });
    expect((await ask(flink.controlUrl, 'DELETE', '/snapshots/one')).status).toBe(204);
    expect(await readdir(snapshotDirectory)).toEqual(['bad.snapshot']);
  });

  it('says why it cannot be written', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    await using flink = await smallCluster({ control: true, snapshotDirectory: path.join(file, 'below') });
    expect(await ask(flink.controlUrl, 'POST', '/snapshots', { name: 'one' })).toMatchObject({ status: 507, body: { detail: expect.stringMatching(/cannot be written: its folder is/) } });
  });
});

async function put(flink: MockFlink, bytes: Buffer): Promise<{ status: number; body: any }> {
  const response = await fetch(`${flink.controlUrl}/snapshot`, { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: new Uint8Array(bytes) });
  return { status: response.status, body: await response.json() };
}
