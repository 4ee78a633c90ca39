import { expect, it } from 'vitest';
import { applyAction } from '../../src/simulation/commands.js';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('failures that come while everything is already failing are told beside the first one', async () => {
  await using cluster = await startJobs('1.20.5', [bpJob({ rate: 100, us: 10 })]);
  const [job] = cluster.jobIds;
  const { state } = cluster.server.simulation;
  for (const taskManager of [...state.taskManagers.keys()]) applyAction(state, { kind: 'kill-task-manager', taskManager });
  for (let waited = 0; waited < 120; waited += 5) {
    await cluster.advance(5);
    expect((await cluster.ask('GET', `/jobs/${job!}/exceptions`)).status).toBe(200);
  }
  const { exceptionHistory } = await cluster.get(`/jobs/${job!}/exceptions`);
  expect(exceptionHistory.entries.length).toBeGreaterThan(0);
});
