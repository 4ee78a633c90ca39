import { expect, it } from 'vitest';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('a jar that is not there cannot be run, planned or deleted, and is named', async () => {
  await using cluster = await startJobs('1.20.5', []);
  for (const [method, path, status] of [['POST', '/jars/nope.jar/run', 500], ['GET', '/jars/nope.jar/plan', 500], ['DELETE', '/jars/nope.jar', 400]] as const) {
    const answer = await cluster.ask(method, path);
    expect([answer.status, answer.json['errors'].at(-1)]).toEqual([status, expect.stringMatching(/nope\.jar.* does not exist/) as string]);
  }
});
