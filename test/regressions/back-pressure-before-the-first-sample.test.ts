import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '1.13.6', '2.3.0'])('the first question about back pressure is answered by the word deprecated alone, and starts the measuring (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob()]);
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.parse}/backpressure`;
  expect(await cluster.get(path)).toEqual({ status: 'deprecated' });
  await cluster.advance(12);
  expect(await cluster.get(path)).toMatchObject({ status: 'ok', subtasks: [{ subtask: 0 }, { subtask: 1 }] });
});
