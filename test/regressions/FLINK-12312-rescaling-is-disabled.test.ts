import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '2.3.0'])('rescaling is 503 in every version since 1.9 (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()]);
  const { status, json } = await cluster.ask('PATCH', `/jobs/${cluster.jobIds[0]!}/rescaling?parallelism=3`);
  expect([status, json['errors'][0]]).toEqual([503, expect.stringContaining('Rescaling is temporarily disabled. See FLINK-12312.') as string]);
});
