import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('a task that no watermark has reached tells the least long', async () => {
  await using cluster = await startJobs('1.20.5', [bpJob({ rate: 0 })]);
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.parse}/watermarks`;
  await cluster.get(path);
  await cluster.advance(12);
  expect(await cluster.get(path)).toEqual([0, 1].map((subtask) => ({ id: `${subtask}.currentInputWatermark`, value: '-9223372036854775808' })));
});
