import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '1.13.6', '2.3.0'])('a checkpoint that expired stays failed, whatever comes in later (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob({ rate: 20_000, us: 20_000, p: 1, iv: 2000, timeoutMs: 2000 })], 15);
  const path = `/jobs/${cluster.jobIds[0]!}/checkpoints`;
  const failed = async (): Promise<Record<string, unknown>[]> => ((await cluster.get(path))['history'] as Record<string, unknown>[]).filter(({ status }) => status === 'FAILED');
  const [newest] = await failed();
  expect(newest!['failure_message']).toBe('Checkpoint expired before completing.');
  await cluster.advance(8);
  expect((await failed()).find(({ id }) => id === newest!['id'])).toMatchObject({ status: 'FAILED', failure_message: 'Checkpoint expired before completing.' });
});
