import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

const path = (job: string) => `/jobs/${job}/vertices/${BP_VERTICES.enrich}/flamegraph`;


it('waiting is -3, a vertex that has ended -1', async () => {
  await using cluster = await startJobs('2.3.0', [bpJob()]);
  const [job] = cluster.jobIds;
  expect(await cluster.get(path(job!))).toEqual({ endTimestamp: -3 });
  await cluster.ask('PATCH', `/jobs/${job!}`);
  await cluster.advance(10);
  expect(await cluster.get(path(job!))).toEqual({ endTimestamp: -1 });
});
