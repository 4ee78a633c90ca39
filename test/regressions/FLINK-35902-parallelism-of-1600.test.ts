import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES, taskManager, twoTaskManagers } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('a job of 1600 subtasks a vertex is told whole', async () => {
  const wide = { ...bpJob({ p: 1600, rate: 1, us: 10 }), maxParallelism: 2048 };
  const vertices = wide.vertices.map((vertex) => ({ ...vertex, maxParallelism: 2048 }));
  const cluster = { ...twoTaskManagers('1.20.5').cluster, taskManagers: [taskManager(0, { slots: 1600 })] };
  await using server = await startJobs('1.20.5', [{ ...wide, vertices }], 5, { cluster });
  const [job] = server.jobIds;
  expect((await server.get(`/jobs/${job!}/vertices/${BP_VERTICES.enrich}`))['subtasks']).toHaveLength(1600);
  expect((await server.get('/jobs/overview'))['jobs'][0].tasks.total).toBe(6400);
});
