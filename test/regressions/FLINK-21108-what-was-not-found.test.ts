import { expect, it } from 'vitest';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each([['1.13.6', 'Not found.'], ['1.14.6', 'Not found: /nope']])('an unknown target of another method than GET is %s: %s', async (version, text) => {
  await using cluster = await startJobs(version, []);
  expect(await cluster.ask('DELETE', '/nope')).toEqual({ status: 404, json: { errors: [text] } });
});
