import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '2.3.0'])('the first question about metrics is answered by an empty list, filled at the next (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()]);
  expect(await cluster.get('/jobmanager/metrics')).toEqual([]);
  await cluster.advance(12);
  const list = (await cluster.get('/jobmanager/metrics')) as unknown as { id: string }[];
  expect(list.map(({ id }) => id)).toContain('numRunningJobs');
});
