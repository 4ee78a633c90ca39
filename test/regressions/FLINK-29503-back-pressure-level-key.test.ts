import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';
import { isSince, SPECS } from '../rest/every-endpoint/spec.js';

it.each(Object.keys(SPECS))('the level is told under both keys since 1.15, under the old one before, for the vertex and its subtasks alike (%s)', async (release) => {
  await using cluster = await startJobs(release, [bpJob()]);
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.parse}/backpressure`;
  await cluster.get(path);
  await cluster.advance(12);
  const answer = await cluster.get(path);
  for (const part of [answer, answer['subtasks'][0] as Record<string, unknown>]) {
    expect(part['backpressure-level']).toMatch(/^(ok|low|high)$/);
    expect(part['backpressureLevel']).toBe(isSince(release, '1.15') ? part['backpressure-level'] : undefined);
  }
});
