import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('a sample older than the refresh interval is told once more while the next one is taken (1.9)', async () => {
  await using cluster = await startJobs('1.9.3', [bpJob()]);
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.parse}/backpressure`;
  await cluster.get(path);
  await cluster.advance(12);
  const { 'end-timestamp': first } = await cluster.get(path);
  await cluster.advance(90);
  const old = await cluster.get(path);
  expect([old['status'], old['end-timestamp']]).toEqual(['ok', first]);
  await cluster.advance(12);
  expect((await cluster.get(path))['end-timestamp']).toBeGreaterThan(first as number);
});
