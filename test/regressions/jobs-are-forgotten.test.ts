import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '2.3.0'])('an ended job is forgotten after jobstore.expiration-time, an hour unless set (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob({ rate: 100, us: 10, recordLimit: 200 })], 20);
  const [job] = cluster.jobIds;
  await cluster.advance(3400);
  expect((await cluster.get('/jobs/overview'))['jobs']).toHaveLength(1);
  await cluster.advance(300);
  expect((await cluster.get('/jobs/overview'))['jobs']).toEqual([]);
  expect((await cluster.ask('GET', `/jobs/${job!}`)).status).toBe(404);
});
