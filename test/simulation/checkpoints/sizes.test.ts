import { describe, expect, it } from 'vitest';
import { startMockFlink, type MockFlink } from '../../../src/index.js';

interface Checkpoint {
  readonly id: number;
  readonly status: string;
  readonly is_savepoint: boolean;
  readonly state_size: number;
  readonly checkpointed_size?: number;
  readonly end_to_end_duration: number;
}

const MB = 1_000_000;

/** A job whose one stateful task writes 4 MB of state a second, new keys for the first 25 s, and its checkpoints every 5 s. */
async function start(flinkVersion: string, backend: string, options: Readonly<Record<string, string>> = {}): Promise<MockFlink> {
  const yaml = `
title: t
start: 2024-01-01T00:00:00Z
openAt: 0 s
options: { state.savepoints.dir: 's3://bucket/savepoints', state.checkpoints.dir: 's3://bucket/checkpoints' }
cluster: { taskManagers: { count: 1, slots: 4 } }
jobs:
  - name: j
    checkpointing: { interval: 5 s, ${backend} }
    vertices:
      - operators: [{ name: Read, source: { rate: 1000/s } }]
      - operators: [{ name: Count, serviceTime: 50 us, state: { perRecord: 4 kB, max: 100 MB } }]
      - operators: [{ name: Sink, sink: {} }]
    edges: [{ from: Read, to: Count, ship: HASH }, { from: Count, to: Sink, ship: FORWARD }]
`;
  return startMockFlink({ scenario: { yaml }, flinkVersion, config: options });
}

async function get<T>(flink: MockFlink, path: string): Promise<T> {
  return (await (await fetch(`${flink.url}/jobs/${flink.summary().jobs[0]!.id}${path}`)).json()) as T;
}

async function checkpoints(flink: MockFlink): Promise<Checkpoint[]> {
  const { history } = await get<{ history: Checkpoint[] }>(flink, '/checkpoints');
  return history.filter(({ status }) => status === 'COMPLETED').reverse();
}

const written = (checkpoint: Checkpoint): number => checkpoint.checkpointed_size ?? checkpoint.state_size;

describe('the size of a checkpoint', () => {
  it('is all of the state when it is full', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb');
    await flink.advanceBy('60 s');
    const last = (await checkpoints(flink)).at(-1)!;
    expect(last.state_size / MB).toBeCloseTo(100, 0);
    expect(written(last)).toBe(last.state_size);
  });

  it('is what has changed when it is incremental, also when no key is new', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb, incremental: true');
    await flink.advanceBy('12 s');
    const [first] = await checkpoints(flink);
    expect(first!.id).toBe(1);
    expect(written(first!)).toBe(first!.state_size);
    await flink.advanceBy('48 s');
    const all = await checkpoints(flink);
    expect(all.at(-1)!.state_size / MB).toBeCloseTo(100, 0);
    expect(written(all.at(-1)!) / MB).toBeGreaterThan(18);
    expect(written(all.at(-1)!) / MB).toBeLessThan(22);
  });

  it('of the heap backend is full whatever was asked for', async () => {
    await using flink = await start('1.20', 'stateBackend: hashmap, incremental: true');
    await flink.advanceBy('60 s');
    const last = (await checkpoints(flink)).at(-1)!;
    expect(written(last)).toBe(last.state_size);
  });

  it('of a savepoint is all of the state, in both formats, and the next checkpoint builds on the one before', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb, incremental: true');
    await flink.advanceBy('60 s');
    for (const formatType of ['CANONICAL', 'NATIVE']) {
      const { id } = flink.summary().jobs[0]!;
      const answer = await fetch(`${flink.url}/jobs/${id}/savepoints`, { method: 'POST', body: JSON.stringify({ formatType, 'cancel-job': false }) });
      expect(answer.status).toBe(202);
      await flink.advanceBy('6 s');
    }
    const all = await checkpoints(flink);
    const savepoints = all.filter((checkpoint) => checkpoint.is_savepoint);
    expect(savepoints.map((savepoint) => Math.round(written(savepoint) / MB))).toEqual([100, 100]);
    expect(written(all.at(-1)!) / MB).toBeLessThan(26);
  });

  it('of the first incremental checkpoint after a restart is what has changed since the one that was restored', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb, incremental: true');
    await flink.advanceBy('60 s');
    const { id } = flink.summary().jobs[0]!;
    flink.events.apply({ failJob: { job: id } });
    await flink.advanceBy('20 s');
    const last = (await checkpoints(flink)).at(-1)!;
    expect(last.state_size / MB).toBeCloseTo(100, 0);
    expect(written(last) / MB).toBeLessThan(30);
  });
});

describe('checkpoint files that are merged', () => {
  const merging = { 'execution.checkpointing.file-merging.enabled': 'true', 'execution.checkpointing.file-merging.max-file-size': '16mb' };
  const read = async (flink: MockFlink): Promise<Record<string, number>> => {
    const names = ['logicalFileCount', 'physicalFileCount', 'physicalFileSize'].map((name) => `fileMerging.${name}`);
    const ask = async () => Object.fromEntries((await get<{ id: string; value: string }[]>(flink, `/metrics?get=${names.join()}`)).map(({ id, value }) => [id.replace('fileMerging.', ''), Number(value)]));
    await ask();
    await flink.advanceBy('11 s');
    return ask();
  };

  it('show in the configuration, the log and the metrics of 1.20 and later', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb', merging);
    await flink.advanceBy('60 s');
    const files = await read(flink);
    // One task has state: 100 MB in files of 16 MiB.
    expect(files).toMatchObject({ logicalFileCount: 1, physicalFileCount: 6 });
    expect(files['physicalFileSize']! / MB).toBeCloseTo(100, 0);
    const config = (await (await fetch(`${flink.url}/jobmanager/config`)).json()) as { key: string; value: string }[];
    expect(config).toContainEqual({ key: 'execution.checkpointing.file-merging.enabled', value: 'true' });
    const { taskmanagers } = (await (await fetch(`${flink.url}/taskmanagers`)).json()) as { taskmanagers: { id: string }[] };
    const log = await (await fetch(`${flink.url}/taskmanagers/${taskmanagers[0]!.id}/log`)).text();
    expect(log.match(/Registered new file merging snapshot manager for job/g)).toHaveLength(1);
  });

  it('are nothing that older versions, or clusters that do not ask for it, know', async () => {
    for (const [version, options] of [['1.19', merging], ['2.3', {}]] as const) {
      await using flink = await start(version, 'stateBackend: rocksdb', options);
      await flink.advanceBy('30 s');
      expect(await read(flink)).toEqual({});
    }
  });
});

describe('a state changelog', () => {
  const changelog = { 'state.changelog.enabled': 'true', 'state.backend.changelog.enabled': 'true', 'state.changelog.storage': 'filesystem', 'state.changelog.periodic-materialize.interval': '20 s', 'state.backend.changelog.periodic-materialize.interval': '20 s' };

  it('makes a checkpoint what was logged since the last one, and its state the log since the last materialization on top of that', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb', changelog);
    await flink.advanceBy('60 s');
    const late = (await checkpoints(flink)).slice(-5);
    for (const checkpoint of late) expect(written(checkpoint) / MB).toBeLessThan(22);
    // What is behind the materialization goes up and down, 4 MB a second over 20 s.
    for (const checkpoint of late) expect(checkpoint.state_size / MB).toBeGreaterThan(70);
    expect(new Set(late.map(({ state_size }) => Math.round(state_size / MB))).size).toBeGreaterThan(2);
    expect(Math.max(...late.map(({ state_size }) => state_size)) / MB).toBeLessThan(190);
  });

  it('shortens the asynchronous part where storage is slow', async () => {
    const durations = await Promise.all([{}, changelog].map(async (options) => {
      await using flink = await start('1.20', 'stateBackend: rocksdb', options);
      flink.events.apply({ setCheckpointStorage: { bytesPerSecond: '50 MB' } });
      await flink.advanceBy('60 s');
      return (await checkpoints(flink)).at(-1)!.end_to_end_duration;
    }));
    expect(durations[0]).toBeGreaterThan(1_500);
    expect(durations[1]).toBeLessThan(durations[0]! / 5);
  });

  it('shows in the configuration and in the operator\'s metrics', async () => {
    await using flink = await start('1.20', 'stateBackend: rocksdb', changelog);
    await flink.advanceBy('40 s');
    expect(await get(flink, '/checkpoints/config')).toMatchObject({ state_changelog_enabled: true, changelog_storage: 'filesystem', changelog_periodic_materialization_interval: 20_000 });
    const { vertices } = await get<{ vertices: { id: string; name: string }[] }>(flink, '');
    const vertex = vertices.find(({ name }) => name === 'Count')!.id;
    const names = ['ChangelogMaterialization.completedMaterialization', 'ChangelogMaterialization.failedMaterialization', 'ChangelogStateBackend.lastFullSizeOfMaterialization', 'ChangelogStateBackend.lastIncSizeOfNonMaterialization'].map((name) => `0.Count.${name}`);
    const read = async () => Object.fromEntries((await get<{ id: string; value: string }[]>(flink, `/vertices/${vertex}/metrics?get=${names.join()}`)).map(({ id, value }) => [id, Number(value)]));
    await read();
    await flink.advanceBy('11 s');
    const values = await read();
    expect(values[names[0]!]).toBeGreaterThanOrEqual(2);
    expect(values[names[1]!]).toBe(0);
    expect(values[names[2]!]! / MB).toBeGreaterThan(50);
    expect(values[names[3]!]! / MB).toBeLessThan(22);
  });

  it('is not there before 1.15', async () => {
    await using flink = await start('1.14', 'stateBackend: rocksdb', changelog);
    await flink.advanceBy('60 s');
    const last = (await checkpoints(flink)).at(-1)!;
    expect(written(last)).toBe(last.state_size);
  });
});
