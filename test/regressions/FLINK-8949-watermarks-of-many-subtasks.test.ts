import { expect, it } from 'vitest';
import { bpJob, BP_VERTICES, taskManager, twoTaskManagers } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

const wide = bpJob({ p: 170, rate: 5, us: 10 });
const slots = (version: string) => ({ cluster: { ...twoTaskManagers(version).cluster, taskManagers: [taskManager(0, { slots: 170 })] } });

it('a request line over 4096 bytes is not understood: watermarks of 170 subtasks cannot be asked for one by one', async () => {
  await using cluster = await startJobs('1.9.3', [wide], 20, slots('1.9.3'));
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.parse}/metrics?get=${Array.from({ length: 170 }, (_, i) => `${i}.currentInputWatermark`).join(',')}`;
  expect(path.length).toBeGreaterThan(4096);
  const answer = await cluster.client.ask('GET', path);
  expect([answer.status, JSON.stringify(answer.json)]).toEqual([404, expect.stringContaining('/bad-request') as string]);
});

it('the answer is an endpoint for the watermarks of all subtasks (1.10)', async () => {
  await using cluster = await startJobs('1.10.3', [wide], 20, slots('1.10.3'));
  const path = `/jobs/${cluster.jobIds[0]!}/vertices/${BP_VERTICES.parse}/watermarks`;
  await cluster.get(path);
  await cluster.advance(12);
  expect(await cluster.get(path)).toHaveLength(170);
});
