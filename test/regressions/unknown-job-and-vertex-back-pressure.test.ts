import { expect, it } from 'vitest';
import { bpJob } from '../simulation/fixture.js';
import { startJobs, ZERO } from '../rest/jobs/job-cluster.js';

it('back pressure of an unknown job or vertex is an error until 1.12 and nothing special later', async () => {
  await using old = await startJobs('1.12.5', [bpJob()]);
  const [job] = old.jobIds;
  const unknownVertex = await old.ask('GET', `/jobs/${job!}/vertices/${ZERO}/backpressure`);
  expect([unknownVertex.status, unknownVertex.json['errors'][1]]).toEqual([500, expect.stringContaining(`JobVertexID not found ${ZERO}`) as string]);
  expect((await old.ask('GET', `/jobs/${ZERO}/vertices/${ZERO}/backpressure`)).status).toBe(500);
  await using later = await startJobs('1.13.6', [bpJob()]);
  for (const id of [later.jobIds[0]!, ZERO]) expect(await later.ask('GET', `/jobs/${id}/vertices/${ZERO}/backpressure`)).toEqual({ status: 200, json: { status: 'deprecated' } });
});
