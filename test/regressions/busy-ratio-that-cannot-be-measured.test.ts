import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

// https://github.com/apache/flink/pull/14526
it.each(['1.13.6', '1.20.5', '2.3.0'])('a legacy source has the text NaN as its busy ratio, and a level all the same (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()]);
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.source}/backpressure`;
  await cluster.get(path);
  await cluster.advance(12);
  const { subtasks } = await cluster.get(path);
  expect(subtasks[0]).toMatchObject({ busyRatio: 'NaN', ratio: expect.any(Number) as number });
  expect(subtasks[0]['backpressureLevel'] ?? subtasks[0]['backpressure-level']).toMatch(/^(ok|low|high)$/);
});
