import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

const batch = { ...bpJob({ iv: 0, recordLimit: 100_000 }), jobType: 'BATCH' as const };

it('a batch job has no checkpoint statistics, each endpoint in its own words', async () => {
  await using cluster = await startJobs('1.20.5', [batch]);
  const [job] = cluster.jobIds;
  const first = async (path: string) => {
    const { status, json } = await cluster.ask('GET', `/jobs/${job!}${path}`);
    return [status, (json['errors'][0] as string).split('\n')[0]!.replace(/^\S+: /, '')];
  };
  expect(await first('/checkpoints')).toEqual([404, 'Checkpointing has not been enabled.']);
  expect(await first('/checkpoints/config')).toEqual([404, `Checkpointing is not enabled for this job (${job!}).`]);
  expect(await first('/checkpoints/details/1')).toEqual([404, `Checkpointing was not enabled for job ${job!}.`]);
});
