import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it('cancelling: 409 for a finished job, 404 for an unknown one, 308 for the old mode stop, 400 for no mode at all', async () => {
  await using cluster = await startJobs('1.20.5', [bpJob({ rate: 100, us: 10, recordLimit: 200 })], 20);
  const [job] = cluster.jobIds;
  const cancel = async (id: string, mode: string) => {
    const { status, json } = await cluster.ask('PATCH', `/jobs/${id}?mode=${mode}`);
    return [status, (json['errors'][0] as string).split('\n')[0]!.replace(/^\S+: /, '')];
  };
  expect(await cancel(job!, 'cancel')).toEqual([409, 'Job cancellation failed because the job has already reached another terminal state (FINISHED).']);
  expect(await cancel(ZERO, 'cancel')).toEqual([404, 'Job could not be found.']);
  expect((await cancel(job!, 'stop'))[0]).toBe(308);
  expect((await cancel(job!, 'x'))[0]).toBe(400);
});
