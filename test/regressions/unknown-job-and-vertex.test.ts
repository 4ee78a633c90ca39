import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it('an unknown job or vertex is 404 in Flink\'s words, an id that is none 400', async () => {
  await using cluster = await startJobs('1.20.5', [bpJob()]);
  const failure = async (path: string) => {
    const { status, json } = await cluster.ask('GET', path);
    return [status, (json['errors'][0] as string).split('\n')[0]];
  };
  expect(await failure(`/jobs/${ZERO}`)).toEqual([404, `org.apache.flink.runtime.rest.NotFoundException: Job ${ZERO} not found`]);
  expect((await failure('/jobs/xyz'))[0]).toBe(400);
  expect(await failure(`/jobs/${cluster.jobIds[0]!}/vertices/${ZERO}`)).toEqual([404, expect.stringContaining(`JobVertex ${ZERO} not found`) as string]);
});
