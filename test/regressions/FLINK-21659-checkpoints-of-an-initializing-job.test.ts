import { expect, it } from 'vitest';
import { submitJob } from '../../src/simulation/commands.js';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('a job that initializes has empty statistics, and a back end that is not known yet (1.13)', async () => {
  await using cluster = await startJobs('1.13.6', []);
  const id = submitJob(cluster.server.simulation.state, bpJob());
  expect((await cluster.get('/jobs'))['jobs']).toEqual([{ id, status: 'INITIALIZING' }]);
  expect(await cluster.get(`/jobs/${id}/checkpoints`)).toMatchObject({ counts: { total: 0 }, history: [] });
  expect(await cluster.get(`/jobs/${id}/checkpoints/config`)).toMatchObject({ state_backend: 'Unknown', checkpoint_storage: 'Unknown' });
});

it('until 1.12 it is said to have none', async () => {
  await using cluster = await startJobs('1.12.5', []);
  const id = submitJob(cluster.server.simulation.state, bpJob());
  expect((await cluster.ask('GET', `/jobs/${id}/checkpoints`)).status).toBe(404);
});
