import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('one unknown name empties the whole aggregated answer; plain metrics leave just that one out (autoscalers depend on it)', async () => {
  await using cluster = await startJobs('1.20.5', [bpJob()]);
  const vertex = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.enrich}`;
  await cluster.get(`${vertex}/subtasks/metrics`);
  await cluster.advance(12);
  await cluster.get(`${vertex}/subtasks/metrics`);
  await cluster.advance(1);
  expect(await cluster.get(`${vertex}/subtasks/metrics?get=numRecordsIn,nope`)).toEqual([]);
  expect(await cluster.get(`${vertex}/subtasks/metrics?get=numRecordsIn`)).toHaveLength(1);
  expect(await cluster.get(`${vertex}/metrics?get=0.numRecordsIn,0.nope`)).toEqual([{ id: '0.numRecordsIn', value: expect.any(String) as string }]);
});
