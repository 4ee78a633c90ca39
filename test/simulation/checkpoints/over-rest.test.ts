import { describe, expect, it } from 'vitest';
import { startMockFlink, type MockFlink } from '../../../src/index.js';

type Json = Record<string, any>;

interface Setting {
  readonly checkpointing?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly limit?: number;
  readonly restart?: string;
}

/** A small job on one task manager; its checkpoints lie in a bucket. */
async function start(flinkVersion: string, { checkpointing = '', options = {}, limit, restart = '{ kind: fixed-delay, attempts: 100, delay: 5 s }' }: Setting = {}): Promise<MockFlink> {
  const yaml = `
title: t
start: 2024-01-01T00:00:00Z
openAt: 0 s
options: { state.savepoints.dir: 's3://bucket/savepoints', state.checkpoints.dir: 's3://bucket/checkpoints' }
cluster: { taskManagers: { count: 1, slots: 4 } }
jobs:
  - name: j
    checkpointing: { interval: 5 s, ${checkpointing} }
    restartStrategy: ${restart}
    vertices:
      - operators: [{ name: Short, source: { rate: 100/s${limit === undefined ? '' : `, limit: ${limit}`} } }]
      - operators: [{ name: Long, source: { rate: 100/s } }]
      - operators: [{ name: Sink, serviceTime: 10 us, sink: {} }]
    edges: [{ from: Short, to: Sink, ship: REBALANCE }, { from: Long, to: Sink, ship: REBALANCE }]
`;
  const flink = await startMockFlink({ scenario: { yaml }, flinkVersion, config: options });
  await flink.advanceBy('4 s');
  return flink;
}

const idOf = (flink: MockFlink): string => flink.summary().jobs[0]!.id;
const get = async (flink: MockFlink, path: string): Promise<Json> => (await (await fetch(`${flink.url}${path}`)).json()) as Json;
const checkpoints = (flink: MockFlink): Promise<Json> => get(flink, `/jobs/${idOf(flink)}/checkpoints`);
const jobState = async (flink: MockFlink): Promise<string> => (await get(flink, `/jobs/${idOf(flink)}`))['state'] as string;

/** Sends an asynchronous operation and waits for what comes of it. */
async function operate(flink: MockFlink, path: string, body: Json): Promise<Json> {
  const answer = await fetch(`${flink.url}/jobs/${idOf(flink)}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(answer.status).toBe(202);
  const trigger = ((await answer.json()) as Json)['request-id'] as string;
  for (let i = 0; i < 40; i++) {
    const status = await get(flink, `/jobs/${idOf(flink)}${path}/${trigger}`);
    if (status['status'].id === 'COMPLETED') return status['operation'] as Json;
    await flink.advanceBy('500 ms');
  }
  throw new Error('the operation does not end');
}

describe('while a job recovers', () => {
  it.each(['1.11', '1.17', '2.3'])('no checkpoint is taken (%s); what was under way has failed, and the restored one is told', async (version) => {
    await using flink = await start(version);
    await flink.advanceBy('21 s');
    flink.events.apply({ setCheckpointStorage: { latency: '3 s' } });
    await flink.advanceUntil(({ jobs }) => [...jobs.values()][0]!.checkpoints!.pending.length > 0);
    const before = await checkpoints(flink);
    const underWay = before['history'][0].id as number;
    flink.events.apply({ failSubtask: { operator: 'Sink' } });
    await flink.advanceBy('4 s');
    expect(await jobState(flink)).toBe('RESTARTING');
    const during = await checkpoints(flink);
    expect(during['history'].find(({ id }: Json) => id === underWay)['status']).toBe('FAILED');
    expect(Math.max(...during['history'].map(({ id }: Json) => id as number))).toBe(underWay);
    await flink.advanceBy('20 s');
    expect(await jobState(flink)).toBe('RUNNING');
    const after = await checkpoints(flink);
    expect(after['counts'].restored).toBe(1);
    expect(after['latest'].restored).toMatchObject({ id: underWay - 1, is_savepoint: false });
    expect(after['latest'].completed.id).toBeGreaterThan(underWay);
  });

  it('one that is asked for by hand fails, as not all tasks run', async () => {
    await using flink = await start('1.20');
    await flink.advanceBy('10 s');
    flink.events.apply({ failSubtask: { operator: 'Sink' } });
    await flink.advanceBy('1 s');
    const operation = await operate(flink, '/checkpoints', { checkpointType: 'CONFIGURED' });
    expect(JSON.stringify(operation)).toContain('Not all required tasks are currently running');
  });
});

describe('tasks that have finished', () => {
  const goesOn = async (version: string, setting: Setting = {}): Promise<boolean> => {
    await using flink = await start(version, { ...setting, limit: 300 });
    await flink.advanceBy('10 s');
    const { completed } = (await checkpoints(flink))['counts'] as Json;
    await flink.advanceBy('30 s');
    expect((await get(flink, `/jobs/${idOf(flink)}`))['status-counts']).toMatchObject({ RUNNING: 2, FINISHED: 1 });
    return ((await checkpoints(flink))['counts'].completed as number) > completed;
  };

  it.each([
    ['1.13', {}, false],
    ['1.14', {}, false],
    ['1.14', { options: { 'execution.checkpointing.checkpoints-after-tasks-finish.enabled': 'true' } }, true],
    ['1.15', {}, true],
    ['2.3', {}, true],
    ['2.3', { options: { 'execution.checkpointing.checkpoints-after-tasks-finish.enabled': 'false' } }, false],
    ['2.3', { checkpointing: 'afterTasksFinish: false' }, false],
  ] as const)('%s %j: checkpoints go on: %s', async (version, setting, expected) => {
    expect(await goesOn(version, setting)).toBe(expected);
  });
});

describe('a checkpoint that a newer one overtakes', () => {
  it('is FAILED as subsumed; an older completed one is discarded', async () => {
    await using flink = await start('1.20', { checkpointing: 'maxConcurrent: 2' });
    flink.events.apply({ delayCheckpoint: { checkpoint: 3, by: '8 s' } });
    await flink.advanceBy('40 s');
    const { history } = await checkpoints(flink);
    expect(history.find(({ id }: Json) => id === 3)).toMatchObject({ status: 'FAILED' });
    const details = await get(flink, `/jobs/${idOf(flink)}/checkpoints/details/3`);
    expect(details['failure_message']).toContain('Checkpoint has been subsumed');
    const completed = history.filter(({ status }: Json) => status === 'COMPLETED');
    expect(completed.map(({ discarded }: Json) => discarded)).toEqual(completed.map((_: Json, i: number) => i > 0));
  });

  it('stays as long as state.checkpoints.num-retained says', async () => {
    await using flink = await start('1.20', { options: { 'state.checkpoints.num-retained': '3' }, checkpointing: 'retention: RETAIN_ON_CANCELLATION' });
    await flink.advanceBy('40 s');
    const kept = async (): Promise<boolean[]> => (await checkpoints(flink))['history'].filter(({ status }: Json) => status === 'COMPLETED').slice(0, 5).map(({ discarded }: Json) => !discarded);
    expect(await kept()).toEqual([true, true, true, false, false]);
    await fetch(`${flink.url}/jobs/${idOf(flink)}`, { method: 'PATCH' });
    await flink.advanceBy('5 s');
    expect(await jobState(flink)).toBe('CANCELED');
    expect(await kept()).toEqual([true, true, true, false, false]);
  });
});

describe('savepoints', () => {
  it('have the format that was asked for, and lie in a directory of their own', async () => {
    await using flink = await start('1.20');
    await flink.advanceBy('10 s');
    for (const format of ['CANONICAL', 'NATIVE']) {
      const { location } = await operate(flink, '/savepoints', { formatType: format });
      expect(location).toMatch(new RegExp(`^s3://bucket/savepoints/savepoint-${idOf(flink).slice(0, 6)}-[0-9a-f]{12}$`));
      // REST tells statistics from a cache.
      await flink.advanceBy('4 s');
      const { savepoint } = (await checkpoints(flink))['latest'];
      expect(savepoint).toMatchObject({ is_savepoint: true, savepointFormat: format, external_path: location, status: 'COMPLETED' });
    }
  });

  it('have no format before there was one to choose', async () => {
    await using flink = await start('1.14');
    await flink.advanceBy('10 s');
    expect((await operate(flink, '/savepoints', {}))['location']).toMatch(/savepoint-/);
    expect((await checkpoints(flink))['latest'].savepoint).not.toHaveProperty('savepointFormat');
  });
});

describe('failing checkpoints', () => {
  const fails = async (version: string, tolerable: number): Promise<string> => {
    await using flink = await start(version, { checkpointing: `tolerableFailures: ${tolerable}`, restart: '{ kind: none }' });
    await flink.advanceBy('10 s');
    for (const checkpoint of [4, 5]) flink.events.apply({ declineCheckpoint: { checkpoint } });
    await flink.advanceBy('30 s');
    expect((await checkpoints(flink))['counts'].failed).toBeGreaterThanOrEqual(Math.min(2, tolerable + 1));
    return await jobState(flink);
  };

  it('are tolerated in a row as often as the job says, and fail it then', async () => {
    expect(await fails('1.20', 0)).toBe('FAILED');
    expect(await fails('1.20', 1)).toBe('FAILED');
    expect(await fails('1.20', 2)).toBe('RUNNING');
    expect(await fails('1.9', 1)).toBe('FAILED');
  });
});

describe('the last checkpoint of a job that fails', () => {
  it.each([
    ['RETAIN_ON_CANCELLATION', true],
    ['DELETE_ON_CANCELLATION', true],
    ['NO_EXTERNALIZED_CHECKPOINTS', false],
  ])('with %s stays: %s', async (retention, stays) => {
    await using flink = await start('1.20', { checkpointing: `retention: ${retention}`, restart: '{ kind: none }' });
    await flink.advanceBy('20 s');
    flink.events.apply({ failSubtask: { operator: 'Sink' } });
    await flink.advanceBy('5 s');
    expect(await jobState(flink)).toBe('FAILED');
    const { completed } = (await checkpoints(flink))['latest'];
    expect(completed['external_path']).toMatch(new RegExp(`^s3://bucket/checkpoints/${idOf(flink)}/chk-${completed.id}$`));
    expect(completed['discarded']).toBe(!stays);
    expect((await get(flink, `/jobs/${idOf(flink)}/checkpoints/config`))['externalization']).toEqual({ enabled: retention !== 'NO_EXTERNALIZED_CHECKPOINTS', delete_on_cancellation: retention !== 'RETAIN_ON_CANCELLATION' });
  });
});
