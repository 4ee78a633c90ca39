import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('what was measured of a job that has ended is kept for a while from 1.13 on; the samples of 1.9 end with the job', async () => {
  for (const [version, status] of [['1.9.3', 500], ['2.3.0', 200]] as const) {
    await using cluster = await startJobs(version, [bpJob()]);
    const [job] = cluster.jobIds;
    const path = `/jobs/${job!}/vertices/${BP_VERTICES.parse}/backpressure`;
    await cluster.get(path);
    await cluster.advance(12);
    expect((await cluster.get(path))['status']).toBe('ok');
    await cluster.ask('PATCH', `/jobs/${job!}`);
    await cluster.advance(5);
    expect((await cluster.ask('GET', path)).status).toBe(status);
  }
});
