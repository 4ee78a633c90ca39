import { expect, it } from 'vitest';
import { applyAction } from '../../src/simulation/commands.js';
import { bpJob } from '../simulation/fixture.js';
import { startJobs } from '../rest/jobs/job-cluster.js';

it('an unknown task manager is a server error; a lost one stays listed until the heartbeat time-out; a heartbeat is told as an instant', async () => {
  await using cluster = await startJobs('1.9.3', [bpJob({ rate: 100, us: 10 })]);
  const unknown = await cluster.ask('GET', '/taskmanagers/nope');
  expect([unknown.status, unknown.json['errors'][1]]).toEqual([500, expect.stringContaining('UnknownTaskExecutorException: No TaskExecutor registered under nope.') as string]);
  const { state } = cluster.server.simulation;
  const listed = async () => (await cluster.get('/taskmanagers'))['taskmanagers'] as { id: string; timeSinceLastHeartbeat: number }[];
  await cluster.advance(15);
  const [first] = await listed();
  expect(Math.abs(first!.timeSinceLastHeartbeat - state.nowMs)).toBeLessThan(20_000);
  applyAction(state, { kind: 'kill-task-manager', taskManager: first!.id });
  await cluster.advance(20);
  expect((await listed()).map(({ id }) => id)).toContain(first!.id);
  await cluster.advance(50);
  expect((await listed()).map(({ id }) => id)).not.toContain(first!.id);
});
