import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each([['1.9.3', '@class'], ['1.20.5', 'className']])('a checkpoint under way is told as in_progress, in the list and by itself (%s)', async (version, key) => {
  await using cluster = await startJobs(version, [bpJob({ rate: 20_000, us: 20_000, p: 1, iv: 2000, timeoutMs: 600_000 })], 12);
  const path = `/jobs/${cluster.jobIds[0]!}/checkpoints`;
  const { history, counts } = await cluster.get(path);
  expect(counts.in_progress).toBe(1);
  expect(history[0]).toMatchObject({ [key]: 'in_progress', status: 'IN_PROGRESS' });
  expect(await cluster.get(`${path}/details/${history[0].id as number}`)).toMatchObject({ [key]: 'in_progress', num_subtasks: 4 });
});
