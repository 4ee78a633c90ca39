import { describe, expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../../simulation/fixture.js';
import { startJobs, ZERO, type JobCluster } from './job-cluster.js';

const { source, enrich } = BP_VERTICES;

async function backPressure(cluster: JobCluster, vertex: string) {
  return cluster.get(`/jobs/${cluster.jobIds[0]!}/vertices/${vertex}/backpressure`);
}

describe('back pressure', () => {
  it('is sampled when asked for until 1.12', async () => {
    await using cluster = await startJobs('1.12.5', [bpJob()], 30);
    expect(await backPressure(cluster, source)).toEqual({ status: 'deprecated' });
    await cluster.advance(2);
    // No sample yet, the first one takes 100 × 50 ms.
    expect(await backPressure(cluster, source)).toEqual({ status: 'deprecated' });
    await cluster.advance(5);
    const sampled = await backPressure(cluster, source);
    expect(sampled).toMatchObject({ status: 'ok', 'backpressure-level': 'high' });
    expect(sampled['subtasks']).toHaveLength(2);
    expect(Object.keys(sampled['subtasks'][0])).toEqual(['subtask', 'backpressure-level', 'ratio']);
    expect(sampled['subtasks'][0].ratio).toBeGreaterThan(0.5);
  });

  it('is what the time gauges last told, later', async () => {
    await using cluster = await startJobs('1.20.5', [bpJob()], 40);
    expect(await backPressure(cluster, source)).toEqual({ status: 'deprecated' });
    // What was asked for comes home when time goes on.
    await cluster.advance(0.01);
    const first = await backPressure(cluster, source);
    expect(first).toMatchObject({ status: 'ok', backpressureLevel: 'high', 'backpressure-level': 'high' });
    // A legacy source does not know when it is busy.
    expect(first['subtasks'][0].busyRatio).toBe('NaN');
    const slow = (await backPressure(cluster, enrich))['subtasks'][0];
    expect(slow).toMatchObject({ backpressureLevel: 'ok', ratio: 0 });
    expect(slow.busyRatio).toBeGreaterThan(0.9);
    expect(slow.busyRatio + slow.idleRatio + slow.ratio).toBeCloseTo(1, 1);
  });

  it.each([
    ['1.9.3', 500],
    ['1.13.6', 200],
    ['2.3.0', 200],
  ])('of an unknown vertex is answered by %s with %i', async (version, status) => {
    await using cluster = await startJobs(version, [bpJob({ rate: 100, us: 10 })], 5);
    expect((await cluster.ask('GET', `/jobs/${cluster.jobIds[0]!}/vertices/${ZERO}/backpressure`)).status).toBe(status);
  });
});

describe('things that are not there', () => {
  it('are 404', async () => {
    await using cluster = await startJobs('1.20.5', [bpJob({ rate: 100, us: 10, iv: 1000 })], 5);
    const job = `/jobs/${cluster.jobIds[0]!}`;
    const paths = [
      `/jobs/${ZERO}`, `/jobs/${ZERO}/plan`, `/jobs/${ZERO}/config`, `/jobs/${ZERO}/exceptions`, `/jobs/${ZERO}/checkpoints`, `/jobs/${ZERO}/accumulators`,
      `${job}/vertices/${ZERO}`, `${job}/vertices/${ZERO}/taskmanagers`, `${job}/vertices/${ZERO}/watermarks`,
      `${job}/vertices/${source}/subtasks/9`, `${job}/vertices/${source}/subtasks/0/attempts/9`, `${job}/checkpoints/details/999`,
    ];
    expect(Object.fromEntries(await Promise.all(paths.map(async (path) => [path, (await cluster.ask('GET', path)).status])))).toEqual(Object.fromEntries(paths.map((path) => [path, 404])));
  });
});

describe('a job that waits for slots', () => {
  it('has vertices without times', async () => {
    await using cluster = await startJobs('1.20.5', [bpJob({ p: 9, rate: 100, us: 10 })], 5);
    const job = `/jobs/${cluster.jobIds[0]!}`;
    const details = await cluster.get(job);
    expect(details['state']).toBe('RUNNING');
    const [first] = details['vertices'];
    expect(first).toMatchObject({ 'start-time': -1, 'end-time': -1, duration: -1 });
    // Whatever is neither running nor at an end counts as created.
    expect(first.status).toBe('CREATED');
    const subtask = await cluster.get(`${job}/vertices/${source}/subtasks/0`);
    expect(subtask).toMatchObject({ status: 'SCHEDULED', host: '(unassigned)', 'taskmanager-id': '(unassigned)', 'start-time': -1 });
    expect((await cluster.get('/jobs/overview'))['jobs'][0].tasks).toMatchObject({ total: 36, scheduled: 36, running: 0 });
  });
});
