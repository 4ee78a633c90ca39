import { describe, expect, it } from 'vitest';
import { metricStoreOf } from '../../../src/rest/metrics/metric-store.js';
import type { ExecutionStateName, JobState } from '../../../src/simulation/state/job-state.js';
import { createSubtaskColumns } from '../../../src/simulation/state/subtask-columns.js';
import { BP_VERTICES, bpJob } from '../../simulation/fixture.js';
import { chainJob, kafka, runFor, runningCluster } from '../../simulation/metrics/running-cluster.js';
import { ask, contextOf, fetched } from './asking.js';

const SUBTASK = '/jobs/:jobid/vertices/:vertexid/subtasks/:subtaskindex/metrics';

function enrichOf(job: JobState, subtask = 0): Readonly<Record<string, string>> {
  return { jobid: job.id, vertexid: BP_VERTICES.enrich, subtaskindex: String(subtask) };
}

function setStates(job: JobState, state: ExecutionStateName, only?: number): void {
  for (const { subtasks } of job.vertices) for (const { index, current } of subtasks) if (only === undefined || only === index) current.state = state;
}

describe('the metric fetcher', () => {
  it('answers the first question from an empty store', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    const context = contextOf(state);
    expect(await ask(context, SUBTASK, enrichOf(job))).toEqual([]);
    expect((await ask(context, SUBTASK, enrichOf(job))).length).toBe(83);
  });

  it('fetches at most once an interval, and only when asked', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob(), { 'metrics.fetcher.update-interval': '10 s' });
    const context = await fetched(state);
    const records = async (): Promise<string | undefined> => (await ask(context, SUBTASK, enrichOf(job), { get: ['numRecordsIn'] }))[0]?.value;
    runFor(state, 10, { numRecordsIn: 100 });
    expect(await records()).toBe('0');
    runFor(state, 1, { numRecordsIn: 100 });
    expect(await records()).toBe('0');
    expect(await records()).toBe('1100');
    runFor(state, 3600, { numRecordsIn: 100 });
    expect(await records()).toBe('1100');
    expect(await records()).toBe('361100');
  });

  it('has rates, gauges and times of the instant of the fetch', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    runFor(state, 60, { numRecordsIn: 100, idleMs: 1000 });
    const context = await fetched(state);
    runFor(state, 2, { numRecordsIn: 5000, busyMs: 1000 });
    const values = await ask(context, SUBTASK, enrichOf(job), { get: ['numRecordsInPerSecond', 'idleTimeMsPerSecond', 'numRecordsIn'] });
    expect(Object.fromEntries(values.map(({ id, value }) => [id, value]))).toEqual({ numRecordsInPerSecond: '100.0', idleTimeMsPerSecond: '1000', numRecordsIn: '6000' });
    expect(metricStoreOf(context).lastUpdateMs).toBe(state.nowMs - 2000);
  });

  it('marks the state as changed for caches when metrics came home', async () => {
    const { state } = runningCluster('1.20.5', bpJob());
    const before = state.revision;
    await fetched(state);
    expect(state.revision).toBe(before + 1);
  });

  it('keeps the metrics of a job that has ended until the job is forgotten', async () => {
    const { state, job } = runningCluster('1.13.6', bpJob());
    runFor(state, 5, { numRecordsIn: 100 });
    const context = await fetched(state);
    setStates(job, 'FINISHED');
    job.status = 'FINISHED';
    job.endMs = state.nowMs;
    runFor(state, 30, {});
    for (let i = 0; i < 2; i++) expect(await ask(context, SUBTASK, enrichOf(job), { get: ['numRecordsIn', 'idleTimeMsPerSecond'] })).toHaveLength(2);
    expect((await ask(context, '/jobs/:jobid/metrics', { jobid: job.id }, { get: ['uptime'] }))[0]!.value).toBe('5250');
    state.jobs.delete(job.id);
    runFor(state, 30, {});
    await ask(context, '/jobs/:jobid/metrics', { jobid: job.id });
    expect(await ask(context, '/jobs/:jobid/metrics', { jobid: job.id })).toEqual([]);
    expect(await ask(context, SUBTASK, enrichOf(job))).toEqual([]);
  });

  it('knows nothing of a job that ended before anybody asked', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    setStates(job, 'FAILED');
    job.endMs = state.nowMs;
    const context = await fetched(state);
    expect(await ask(context, '/jobs/:jobid/metrics', { jobid: job.id })).toEqual([]);
    expect(await ask(context, '/jobs/:jobid/vertices/:vertexid/metrics', enrichOf(job))).toEqual([]);
  });

  it('keeps what a task had while its next attempt is on the way, and then shows that one', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    runFor(state, 5, { numRecordsIn: 100 });
    const context = await fetched(state);
    setStates(job, 'SCHEDULED', 0);
    runFor(state, 5, { numRecordsIn: 100 });
    await ask(context, SUBTASK, enrichOf(job));
    const records = async (subtask: number): Promise<string | undefined> => (await ask(context, SUBTASK, enrichOf(job, subtask), { get: ['numRecordsIn'] }))[0]?.value;
    expect([await records(0), await records(1)]).toEqual(['500', '1000']);
    setStates(job, 'DEPLOYING', 0);
    job.vertices[2]!.columns.numRecordsIn[0] = 0;
    runFor(state, 5, {});
    await records(0);
    expect([await records(0), await records(1)]).toEqual(['0', '1000']);
  });

  it('keeps the metrics of a dead task manager until it is given up', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    const context = await fetched(state);
    state.taskManagers.get('tm-0')!.status = 'LOST';
    state.taskManagers.get('tm-0')!.jvm.threads = 9999;
    runFor(state, 30, { numRecordsIn: 100 });
    await ask(context, '/jobmanager/metrics');
    const threads = { get: ['Status.JVM.Threads.Count'] };
    expect((await ask(context, '/taskmanagers/:taskmanagerid/metrics', { taskmanagerid: 'tm-0' }, threads))[0]!.value).not.toBe('9999');
    expect((await ask(context, SUBTASK, enrichOf(job), { get: ['numRecordsIn'] }))[0]!.value).toBe('0');
    state.taskManagers.delete('tm-0');
    runFor(state, 30, {});
    await ask(context, '/jobmanager/metrics');
    expect(await ask(context, '/taskmanagers/:taskmanagerid/metrics', { taskmanagerid: 'tm-0' })).toEqual([]);
  });

  it('follows a change of parallelism', async () => {
    const { state, job } = runningCluster('1.20.5', bpJob());
    const context = await fetched(state);
    const vertex = job.vertices[2]!;
    vertex.parallelism = 1;
    vertex.subtasks.length = 1;
    vertex.columns = createSubtaskColumns(1);
    runFor(state, 30, {});
    await ask(context, '/jobmanager/metrics');
    expect(metricStoreOf(context).task(job.id, BP_VERTICES.enrich)!.known()).toHaveLength(1);
  });

  it('keeps the offsets of a Kafka source as they were', async () => {
    const { state, job } = runningCluster('1.20.5', chainJob([[kafka('Source: Kafka nlp')]]));
    const context = await fetched(state);
    const { id } = job.vertices[0]!;
    const names = [...metricStoreOf(context).subtask(job.id, id, 0)!.names()].filter((name) => name.endsWith('.currentOffset'));
    expect(names).toHaveLength(2);
    state.kafka.sources.get(`${job.id}/0`)!.emitted.fill(100);
    expect(names.map((name) => metricStoreOf(context).subtask(job.id, id, 0)!.get(name))).toEqual(['-1', '-1']);
    runFor(state, 30, {});
    await ask(context, '/jobmanager/metrics');
    expect(names.map((name) => metricStoreOf(context).subtask(job.id, id, 0)!.get(name))).toEqual(['99', '99']);
  });
});

describe('FLINK-31650: time gauges of tasks that have ended', () => {
  it.each([
    ['1.17.2', true],
    ['1.18.1', false],
    ['1.20.5', false],
  ])('%s: stay: %s', async (version, stay) => {
    const { state, job } = runningCluster(version, bpJob());
    const context = await fetched(state);
    setStates(job, 'CANCELED', 0);
    runFor(state, 30, {});
    await ask(context, '/jobmanager/metrics');
    const gauges = { get: ['busyTimeMsPerSecond', 'idleTimeMsPerSecond', 'backPressuredTimeMsPerSecond'] };
    expect(await ask(context, SUBTASK, enrichOf(job, 0), gauges)).toHaveLength(stay ? 3 : 0);
    expect(await ask(context, SUBTASK, enrichOf(job, 1), gauges)).toHaveLength(3);
    const names = (await ask(context, SUBTASK, enrichOf(job, 0))).map(({ id }) => id);
    expect(names.includes('busyTimeMsPerSecond')).toBe(stay);
    expect(names).toContain('numRecordsIn');
  });
});
