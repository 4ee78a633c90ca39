import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('a savepoint needs a directory from the request or the configuration', async () => {
  await using cluster = await startJobs('1.20.5', [bpJob()], 10, { options: {} });
  const { status, json } = await cluster.ask('POST', `/jobs/${cluster.jobIds[0]!}/savepoints`, { 'cancel-job': false });
  expect(status).toBe(400);
  expect(json['errors'][0]).toContain('is not set. Property [target-directory] must be provided.');
});
