import { describe, expect, it } from 'vitest';
import { bpJob } from '../../simulation/fixture.js';
import { startJobs, type JobCluster } from './job-cluster.js';

/** Number of checkpoints that an answer about the job tells of, asked once a second of virtual time. */
async function totals(cluster: JobCluster, seconds: number): Promise<number[]> {
  const found: number[] = [];
  for (let second = 0; second < seconds; second++) {
    found.push((await cluster.get(`/jobs/${cluster.jobIds[0]!}/checkpoints`))['counts'].total);
    await cluster.advance(1);
  }
  return found;
}

describe('the execution graph cache', () => {
  it('keeps a job as it was for 3 s of virtual time', async () => {
    await using cluster = await startJobs('1.20.5', [bpJob({ rate: 100, us: 10, iv: 60_000 })], 10);
    const [job] = cluster.jobIds;
    expect((await cluster.get(`/jobs/${job!}`))['state']).toBe('RUNNING');
    await cluster.ask('PATCH', `/jobs/${job!}`);
    await cluster.advance(2.9);
    expect((await cluster.get(`/jobs/${job!}`))['state']).toBe('RUNNING');
    // Lists and the status alone are always fresh.
    expect((await cluster.get('/jobs/overview'))['jobs'][0].state).toBe('CANCELED');
    expect((await cluster.get(`/jobs/${job!}/status`))['status']).toBe('CANCELED');
    await cluster.advance(0.2);
    const { state, duration, 'end-time': end, 'start-time': start } = await cluster.get(`/jobs/${job!}`);
    expect({ state, duration }).toEqual({ state: 'CANCELED', duration: end - start });
  });

  it('tells the time of the answer, not of the copy', async () => {
    await using cluster = await startJobs('1.20.5', [bpJob({ rate: 100, us: 10 })], 10);
    const [job] = cluster.jobIds;
    const before = await cluster.get(`/jobs/${job!}`);
    await cluster.advance(1);
    const after = await cluster.get(`/jobs/${job!}`);
    expect(after['now'] - before['now']).toBe(1000);
    expect(after['duration'] - before['duration']).toBe(1000);
    expect(after['timestamps']).toEqual(before['timestamps']);
  });

  it('answers alike as long as the clock stands still', async () => {
    await using cluster = await startJobs('2.3.0', [bpJob()], 10);
    const [job] = cluster.jobIds;
    for (const path of [`/jobs/${job!}`, `/jobs/${job!}/checkpoints`, '/jobs/overview', `/jobs/${job!}/exceptions`]) {
      // Asking fetches the metrics for the answers to come.
      await cluster.get(path);
      expect(await cluster.get(path)).toEqual(await cluster.get(path));
    }
  });

  it('has web.refresh-interval as the time that copies are kept', async () => {
    const options = { 'web.refresh-interval': '1' };
    await using cluster = await startJobs('1.13.6', [bpJob({ rate: 100, us: 10, iv: 1000 })], 10, { options });
    const counted = await totals(cluster, 5);
    expect(new Set(counted).size).toBe(5);
  });

  it('keeps checkpoint statistics beside the graph since 1.18', async () => {
    const options = { 'web.refresh-interval': '60000', 'rest.cache.checkpoint-statistics.timeout': '1 ms' };
    const job = bpJob({ rate: 100, us: 10, iv: 1000 });
    await using old = await startJobs('1.17.2', [job], 10, { options });
    expect(new Set(await totals(old, 5)).size).toBe(1);
    await using recent = await startJobs('1.18.1', [job], 10, { options });
    expect(new Set(await totals(recent, 5)).size).toBe(5);
  });
});
