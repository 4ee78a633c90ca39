import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

const path = (job: string) => `/jobs/${job}/vertices/${BP_VERTICES.enrich}/flamegraph`;


it('a flame graph of one subtask comes, and of one that does not exist is 404', async () => {
  await using cluster = await startJobs('1.17.2', [bpJob()]);
  const [job] = cluster.jobIds;
  await cluster.get(`${path(job!)}?subtaskindex=1`);
  await cluster.advance(12);
  const answer = await cluster.get(`${path(job!)}?subtaskindex=1`);
  expect(answer['data']).toMatchObject({ name: 'root', value: expect.any(Number) as number });
  const unknown = await cluster.ask('GET', `${path(job!)}?subtaskindex=99`);
  expect([unknown.status, unknown.json['errors'][0]]).toEqual([404, expect.stringContaining('Invalid subtask index for vertex') as string]);
});
