import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';


it.each(['1.15.4', '2.0.2'])('before the first checkpoint the percentiles are the text NaN, and stay equal from answer to answer (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob({ iv: 600_000 })]);
  const path = `/jobs/${cluster.jobIds[0]!}/checkpoints`;
  const answer = await cluster.get(path);
  expect(answer['summary'].checkpointed_size).toEqual({ min: 0, max: 0, avg: 0, p50: 'NaN', p90: 'NaN', p95: 'NaN', p99: 'NaN', p999: 'NaN' });
  await cluster.advance(4);
  expect(await cluster.get(path)).toEqual(answer);
});
