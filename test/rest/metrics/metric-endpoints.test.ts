import { describe, expect, it } from 'vitest';
import { BP_VERTICES, bpJob } from '../../simulation/fixture.js';
import { chainJob, generator, operator, recordedMetrics, runningCluster } from '../../simulation/metrics/running-cluster.js';
import { ask, fetched } from './asking.js';

const VERTEX = '/jobs/:jobid/vertices/:vertexid/metrics';
const SUBTASKS = '/jobs/:jobid/vertices/:vertexid/subtasks/metrics';

async function running(version: string, parallelism = 2) {
  const { state, job } = runningCluster(version, bpJob({ p: parallelism }));
  job.vertices[2]!.columns.numRecordsIn.set([9579, 9607, 100, 200].slice(0, parallelism));
  const context = await fetched(state);
  return { context, state, job, params: { jobid: job.id, vertexid: BP_VERTICES.enrich } };
}

describe('plain metric endpoints', () => {
  it.each(['1.9.3', '1.13.6', '1.20.5', '2.3.0'])('%s: list a vertex by subtask', async (version) => {
    const { context, params } = await running(version);
    const names = (await ask(context, VERTEX, params)).map(({ id }) => id).sort();
    expect(names).toEqual(recordedMetrics()[version]![`names ${BP_VERTICES.enrich}`]);
  });

  it('give values as text and pass over unknown names', async () => {
    const { context, params } = await running('1.20.5');
    expect(await ask(context, VERTEX, params, { get: ['0.numRecordsIn', 'nope', '1.numRecordsIn', '7.numRecordsIn', 'x.numRecordsIn', '0.nope'] })).toEqual([
      { id: '0.numRecordsIn', value: '9579' },
      { id: '1.numRecordsIn', value: '9607' },
    ]);
    expect(await ask(context, VERTEX, params, { get: ['nope'] })).toEqual([]);
  });

  it('tell a name that is asked for twice once', async () => {
    const { context } = await running('1.20.5');
    expect(await ask(context, '/jobmanager/metrics', {}, { get: ['taskSlotsTotal', 'taskSlotsTotal'] })).toEqual([{ id: 'taskSlotsTotal', value: '8' }]);
  });

  it.each([
    ['/taskmanagers/:taskmanagerid/metrics', { taskmanagerid: 'nope' }],
    ['/jobs/:jobid/metrics', { jobid: '0'.repeat(32) }],
    [VERTEX, { jobid: '0'.repeat(32), vertexid: BP_VERTICES.enrich }],
    ['/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/metrics', { jobid: 'a'.repeat(32), vertexid: BP_VERTICES.enrich, subtaskindex: '99' }],
    ['/jobs/:jobid/vertices/:vertexid/jm-operator-metrics', { jobid: 'a'.repeat(32), vertexid: BP_VERTICES.enrich }],
    [SUBTASKS, { jobid: 'a'.repeat(32), vertexid: '0'.repeat(32) }],
  ])('%s is empty for what is not there', async (url, params) => {
    const { context } = await running('1.20.5');
    expect(await ask(context, url, params)).toEqual([]);
    expect(await ask(context, url, params, { get: ['x'] })).toEqual([]);
  });

  it('show the enumerator of a source', async () => {
    const { state, job } = runningCluster('1.20.5', chainJob([[generator('Source: documents'), operator('Lookup')]]));
    const context = await fetched(state);
    const params = { jobid: job.id, vertexid: job.vertices[0]!.id };
    expect(await ask(context, '/jobs/:jobid/vertices/:vertexid/jm-operator-metrics', params, { get: ['Source__documents_->_Lookup.coordinator.enumerator.unassignedSplits'] })).toEqual([
      { id: 'Source__documents_->_Lookup.coordinator.enumerator.unassignedSplits', value: '0' },
    ]);
  });
});

describe('aggregating metric endpoints', () => {
  it('give minimum, maximum, average, sum and, from 1.20 on, skew', async () => {
    const now = await running('2.3.0');
    expect(await ask(now.context, SUBTASKS, now.params, { get: ['numRecordsIn'] })).toEqual([{ id: 'numRecordsIn', min: 9579, max: 9607, avg: 9593, sum: 19186, skew: 0.14593974773272178 }]);
    const before = await running('1.9.3');
    expect(await ask(before.context, SUBTASKS, before.params, { get: ['numRecordsIn'] })).toEqual([{ id: 'numRecordsIn', min: 9579, max: 9607, avg: 9593, sum: 19186 }]);
  });

  it('take aggregations in any case and in any order', async () => {
    const { context, params } = await running('1.20.5');
    const [answer] = await ask(context, SUBTASKS, params, { get: ['numRecordsIn'], agg: ['SUM', 'min'] });
    expect(Object.entries(answer!)).toEqual([['id', 'numRecordsIn'], ['min', 9579], ['sum', 19186]]);
  });

  it('are empty when one name of several is in no store', async () => {
    const { context, params } = await running('1.20.5');
    expect(await ask(context, SUBTASKS, params, { get: ['numRecordsIn', 'doesNotExist'] })).toEqual([]);
  });

  it('leave out what is not numeric, and keep NaN', async () => {
    const { context, params } = await running('1.20.5');
    expect((await ask(context, SUBTASKS, params, { get: ['isBackPressured', 'numRecordsIn'] })).map(({ id }) => id)).toEqual(['numRecordsIn']);
    expect((await ask(context, '/jobs/metrics', {}, { get: ['lastCheckpointExternalPath', 'numRestarts'] })).map(({ id }) => id)).toEqual(['numRestarts']);
    const source = { ...params, vertexid: BP_VERTICES.source };
    expect(await ask(context, SUBTASKS, source, { get: ['busyTimeMsPerSecond'] })).toEqual([{ id: 'busyTimeMsPerSecond', min: NaN, max: NaN, avg: NaN, sum: NaN, skew: NaN }]);
  });

  it('select subtasks by number and range', async () => {
    const { context, params } = await running('1.20.5', 4);
    const sum = async (...subtasks: string[]): Promise<unknown> => (await ask(context, SUBTASKS, params, { get: ['numRecordsIn'], agg: ['sum'], subtasks }))[0]?.['sum'];
    expect(await sum('0', '2-3')).toBe(9879);
    expect(await sum('1-99')).toBe(9907);
    expect(await sum('3', '3', '2-3')).toBe(300);
    expect(await sum('abc')).toBeUndefined();
    expect(await ask(context, SUBTASKS, params, { subtasks: ['abc'] })).toEqual([]);
  });

  it('select jobs and task managers, and pass over unknown ones', async () => {
    const { context, job } = await running('1.20.5');
    const slots = { get: ['Status.Shuffle.Netty.TotalMemorySegments'], agg: ['sum'] };
    expect(await ask(context, '/taskmanagers/metrics', {}, slots)).toEqual([{ id: 'Status.Shuffle.Netty.TotalMemorySegments', sum: 4096 }]);
    expect(await ask(context, '/taskmanagers/metrics', {}, { ...slots, taskmanagers: ['tm-1', 'nope'] })).toEqual([{ id: 'Status.Shuffle.Netty.TotalMemorySegments', sum: 2048 }]);
    expect(await ask(context, '/jobs/metrics', {}, { get: ['numRestarts'], agg: ['max'], jobs: [job.id] })).toEqual([{ id: 'numRestarts', max: 0 }]);
    expect(await ask(context, '/jobs/metrics', {}, { jobs: ['0'.repeat(32)] })).toEqual([]);
  });

  it('list each name once without any value', async () => {
    const { context, params } = await running('1.20.5');
    const names = await ask(context, SUBTASKS, params, { agg: ['sum'] });
    expect(names).toHaveLength(83);
    expect(names[0]).toEqual({ id: 'numRecordsIn' });
    expect(await ask(context, '/taskmanagers/metrics')).toHaveLength(40);
  });
});
