import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '2.3.0'])('the result of a running job is in progress, that of an unknown one 404 (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()]);
  expect(await cluster.get(`/jobs/${cluster.jobIds[0]!}/execution-result`)).toEqual({ status: { id: 'IN_PROGRESS' } });
  expect((await cluster.ask('GET', `/jobs/${ZERO}/execution-result`)).status).toBe(404);
});
