import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';


it.each(['1.9.3', '1.13.6', '2.0.2'])('before the first checkpoint all four latest ones are there and null (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob({ iv: 600_000 })]);
  const answer = await cluster.get(`/jobs/${cluster.jobIds[0]!}/checkpoints`);
  expect(answer['counts']).toEqual({ restored: 0, total: 0, in_progress: 0, completed: 0, failed: 0 });
  expect(answer['latest']).toEqual({ completed: null, savepoint: null, failed: null, restored: null });
  expect(answer['history']).toEqual([]);
});
