import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES, taskManager, twoTaskManagers } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('names of metrics of a wide vertex are listed once a subtask, those over all subtasks once', async () => {
  const cluster = { ...twoTaskManagers('1.13.6').cluster, taskManagers: [taskManager(0, { slots: 60 })] };
  await using server = await startJobs('1.13.6', [bpJob({ p: 60, rate: 10, us: 10 })], 10, { cluster });
  const vertex = `/jobs/${server.jobIds[0]!}/vertices/${BP_VERTICES.parse}`;
  await server.get(`${vertex}/metrics`);
  await server.advance(12);
  const single = (await server.get(`${vertex}/metrics`)) as unknown as { id: string }[];
  const summed = (await server.get(`${vertex}/subtasks/metrics`)) as unknown as { id: string }[];
  expect(single.filter(({ id }) => id.endsWith('.numRecordsIn') && /^\d+\.numRecordsIn$/.test(id))).toHaveLength(60);
  expect(summed.filter(({ id }) => id === 'numRecordsIn')).toHaveLength(1);
});
