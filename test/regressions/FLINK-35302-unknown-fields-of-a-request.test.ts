import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each([['1.19.3', 400], ['1.20.5', 202]])('%s answers a body with an unknown field with %i', async (version, status) => {
  await using cluster = await startJobs(version, [bpJob()]);
  const answer = await cluster.ask('POST', `/jobs/${cluster.jobIds[0]!}/savepoints`, { 'cancel-job': false, bogus: 1 });
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.json['errors'][0]).toContain('Request did not match expected format SavepointTriggerRequestBody.');
});
