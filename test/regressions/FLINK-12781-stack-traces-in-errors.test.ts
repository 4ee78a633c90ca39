import { expect, it } from 'vitest';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it.each([['1.9.3', `Job ${ZERO} not found`], ['1.10.3', `org.apache.flink.runtime.rest.NotFoundException: Job ${ZERO} not found`]])('an error of %s begins with its message or with its class', async (version, first) => {
  await using cluster = await startJobs(version, []);
  const { json } = await cluster.ask('GET', `/jobs/${ZERO}`);
  expect((json['errors'][0] as string).split('\n')[0]).toBe(first);
});
