import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('metrics of a job that is forgotten between two fetches are empty, not an error', async () => {
  await using cluster = await startJobs('1.17.2', [bpJob()], 10, { options: { 'jobstore.expiration-time': '20' } });
  const [job] = cluster.jobIds;
  const paths = [`/jobs/${job!}/metrics?get=uptime`, `/jobs/${job!}/vertices/${BP_VERTICES.parse}/metrics`, `/jobs/${job!}/vertices/${BP_VERTICES.parse}/subtasks/metrics`];
  for (const path of paths) await cluster.get(path);
  await cluster.ask('PATCH', `/jobs/${job!}`);
  await cluster.advance(60);
  expect((await cluster.ask('GET', `/jobs/${job!}`)).status).toBe(404);
  for (const path of paths) await cluster.get(path);
  await cluster.advance(12);
  for (const path of paths) expect(await cluster.ask('GET', path)).toEqual({ status: 200, json: [] });
  expect(await cluster.get('/jobs/metrics?get=uptime')).toEqual([]);
});
