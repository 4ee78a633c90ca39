import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each([
  ['1.9.3', { 'root-exception': null, timestamp: null, 'all-exceptions': [], truncated: false }],
  ['1.13.6', { 'root-exception': null, timestamp: null, 'all-exceptions': [], truncated: false, exceptionHistory: { entries: [], truncated: false } }],
  ['2.0.2', { exceptionHistory: { entries: [], truncated: false } }],
])('exceptions of a healthy job of %s', async (version, expected) => {
  await using cluster = await startJobs(version, [bpJob()]);
  expect(await cluster.get(`/jobs/${cluster.jobIds[0]!}/exceptions`)).toEqual(expected);
});
