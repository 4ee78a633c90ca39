import { expect, it } from 'vitest';
import { submitJob } from '../../src/simulation/commands.js';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '1.18.1', '2.3.0'])('a job is RUNNING while its tasks are not yet (%s)', async (version) => {
  await using cluster = await startJobs(version, []);
  submitJob(cluster.server.simulation.state, bpJob());
  let seen: Record<string, number> | undefined;
  for (let i = 0; i < 200 && !seen; i++) {
    await cluster.advance(0.05);
    const [job] = (await cluster.get('/jobs/overview'))['jobs'];
    if (job.state === 'RUNNING') seen = job.tasks;
  }
  expect(seen!['running']).toBeLessThan(seen!['total']!);
  await cluster.advance(5);
  const [job] = (await cluster.get('/jobs/overview'))['jobs'];
  expect(job.tasks.running).toBe(job.tasks.total);
});
