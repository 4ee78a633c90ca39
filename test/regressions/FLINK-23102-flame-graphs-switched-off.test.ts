import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

const path = (job: string) => `/jobs/${job}/vertices/${BP_VERTICES.enrich}/flamegraph`;


it.each(['1.13.6', '2.3.0'])('flame graphs that are switched off say so by a time stamp of -2 (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()], 10, { options: {} });
  expect(await cluster.get(path(cluster.jobIds[0]!))).toEqual({ endTimestamp: -2 });
});
