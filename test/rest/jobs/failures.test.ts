import { describe, expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../../simulation/fixture.js';
import { startJobs } from './job-cluster.js';

const failing = (restarts: boolean) => bpJob({ name: 'D fails', rate: 500, us: 10, p: 1, iv: 0, fail: 200, ...(restarts ? {} : { restartStrategy: { kind: 'none' } as const }) });

describe('exceptions', () => {
  it.each(['1.9.3', '1.12.5'])('of %s are a root cause and those of the tasks', async (version) => {
    await using cluster = await startJobs(version, [failing(false)]);
    const answer = await cluster.get(`/jobs/${cluster.jobIds[0]!}/exceptions`);
    expect(answer).not.toHaveProperty('exceptionHistory');
    expect(answer['root-exception']).toContain('java.lang.RuntimeException: synthetic failure');
    expect(answer['all-exceptions']).toHaveLength(1);
    expect(answer['all-exceptions'][0].task).toBe('Enrich (1/1)');
    expect(answer['truncated']).toBe(false);
  });

  it('are a history, newest first, since 1.13', async () => {
    await using cluster = await startJobs('1.20.5', [failing(true)], 25);
    const [job] = cluster.jobIds;
    const { exceptionHistory: history } = await cluster.get(`/jobs/${job!}/exceptions`);
    const times = history.entries.map((entry: { timestamp: number }) => entry.timestamp);
    expect(times).toHaveLength(4);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    const [last, ...earlier] = history.entries;
    expect(earlier.map((entry: { taskName: string }) => entry.taskName)).toEqual([2, 1, 0].map((attempt) => `Enrich (1/1) - execution #${attempt}`));
    // The end of the job is a failure of its own, with that of the task beside it.
    expect(last.exceptionName).toBe('org.apache.flink.runtime.JobException');
    expect(last).not.toHaveProperty('taskName');
    expect(last.concurrentExceptions).toMatchObject([{ exceptionName: 'java.lang.RuntimeException', taskName: 'Enrich (1/1) - execution #3' }]);
    const { exceptionHistory: limited } = await cluster.get(`/jobs/${job!}/exceptions?maxExceptions=2`);
    expect(limited).toEqual({ entries: history.entries.slice(0, 2), truncated: true });
  });

  it('have labels, by which they are filtered, since 1.18', async () => {
    await using cluster = await startJobs('1.20.5', [failing(true)], 25);
    const path = `/jobs/${cluster.jobIds[0]!}/exceptions`;
    expect((await cluster.get(`${path}?failureLabelFilter=type:user`))['exceptionHistory'].entries).toEqual([]);
    expect((await cluster.get(path))['exceptionHistory'].entries[0].failureLabels).toEqual({});
  });

  it.each([
    ['1.9.3', 200],
    ['1.13.6', 200],
    ['1.14.6', 500],
    ['2.3.0', 500],
  ])('at most -1 of them are answered by %s with %i', async (version, status) => {
    await using cluster = await startJobs(version, [bpJob({ rate: 100, us: 10 })], 5);
    const answer = await cluster.ask('GET', `/jobs/${cluster.jobIds[0]!}/exceptions?maxExceptions=-1`);
    expect(answer.status).toBe(status);
  });
});

describe('a failed job', () => {
  it('has a result with its serialized cause', async () => {
    await using cluster = await startJobs('1.20.5', [failing(false)]);
    const { status, 'job-execution-result': result } = await cluster.get(`/jobs/${cluster.jobIds[0]!}/execution-result`);
    expect(status).toEqual({ id: 'COMPLETED' });
    expect(result['application-status']).toBe('FAILED');
    const cause = result['failure-cause'];
    expect(cause.class).toBe('org.apache.flink.runtime.JobException');
    expect(cause['stack-trace']).toContain('Caused by: java.lang.RuntimeException: synthetic failure');
    // A Java object stream.
    expect(Buffer.from(cause['serialized-throwable'], 'base64').subarray(0, 4).toString('hex')).toBe('aced0005');
  });

  it('keeps the attempts of its tasks', async () => {
    await using cluster = await startJobs('1.20.5', [failing(true)], 25);
    const [job] = cluster.jobIds;
    const subtask = `/jobs/${job!}/vertices/${BP_VERTICES.enrich}/subtasks/0`;
    const current = await cluster.get(subtask);
    expect([current['attempt'], current['status']]).toEqual([3, 'FAILED']);
    const first = await cluster.get(`${subtask}/attempts/0`);
    expect([first['attempt'], first['status']]).toEqual([0, 'FAILED']);
    expect(first['start-time']).toBeLessThan(current['start-time']);
    expect(await cluster.ask('GET', `${subtask}/attempts/4`)).toMatchObject({ status: 404 });
  });
});
