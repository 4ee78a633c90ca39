import { expect, it } from 'vitest';
import { startJobs } from '../rest/jobs/job-cluster.js';

it.each(['1.9.3', '1.20.5'])('a field that must be given is named when it is not; files are taken by uploads only (%s)', async (version) => {
  await using cluster = await startJobs(version, []);
  const nothing = await cluster.ask('POST', '/jobs', {});
  expect([nothing.status, nothing.json['errors'][0]]).toEqual([400, expect.stringContaining('The jobGraphFileName field must not be omitted or be null.') as string]);
  const disposal = await cluster.ask('POST', '/savepoint-disposal', {});
  expect([disposal.status, disposal.json['errors'][0]]).toEqual([400, expect.stringContaining('Field savepoint-path must not be omitted or be null.') as string]);
});
