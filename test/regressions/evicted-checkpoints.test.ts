import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '2.3.0'])('the history keeps ten checkpoints; details of one that fell out of it, or of an unknown vertex, are 404 (%s)', async (version) => {
  await using cluster = await startJobs(version, [bpJob({ rate: 100, us: 10, iv: 1000 })], 30);
  const path = `/jobs/${cluster.jobIds[0]!}/checkpoints`;
  const { history } = await cluster.get(path);
  expect(history).toHaveLength(10);
  const failure = async (rest: string) => {
    const { status, json } = await cluster.ask('GET', `${path}/details/${rest}`);
    return [status, (json['errors'][0] as string).split('\n')[0]!.replace(/^org\S+: /, '')];
  };
  expect(await failure('1')).toEqual([404, 'Could not find checkpointing statistics for checkpoint 1.']);
  expect(await failure(`${history[0].id as number}/subtasks/${ZERO}`)).toEqual([404, `There is no checkpoint statistics for task ${ZERO}.`]);
});
