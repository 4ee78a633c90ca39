import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it.each([
  ['1.14.6', /^org\.apache\.flink\.runtime\.rest\.NotFoundException: Operation not found under key: /],
  ['1.15.4', new RegExp(`There is no savepoint operation with triggerId=${ZERO} for job [0-9a-f]{32}\\.$`)],
])('a trigger id that nobody gave is 404, in the words of %s', async (version, words) => {
  await using cluster = await startJobs(version, [bpJob()]);
  const { status, json } = await cluster.ask('GET', `/jobs/${cluster.jobIds[0]!}/savepoints/${ZERO}`);
  expect([status, (json['errors'][0] as string).split('\n')[0]]).toEqual([404, expect.stringMatching(words) as string]);
});
