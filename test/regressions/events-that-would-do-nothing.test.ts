import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MockFlink } from '../../src/index.js';
import { smallCluster } from '../control/small-cluster.js';

let flink: MockFlink;
beforeAll(async () => {
  flink = await smallCluster({ control: true });
  await flink.advanceUntil({ checkpointCompleted: { job: 'numbers', id: 2 } });
});
afterAll(() => flink.close());

const post = (path: string, body: object): Promise<Response> => fetch(`${flink.controlUrl}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

// Each of these was answered with 201 and then had no effect, or another one than was asked for.
it.each<[string, object, RegExp]>([
  ['/events', { pauseTaskManager: { taskManager: 9, for: '1 s' } }, /^pauseTaskManager\.taskManager: found "9"; allowed: taskmanager-1.*or a position from 0 to 1/],
  ['/events', { partitionTaskManager: { taskManager: 'x', for: '1 s' } }, /^partitionTaskManager\.taskManager: found "x"; allowed: taskmanager-1/],
  ['/events', { collectGarbage: { taskManager: 9, for: '1 s' } }, /^collectGarbage\.taskManager: found "9"/],
  ['/events', { outOfMemory: { taskManager: 9 } }, /^outOfMemory\.taskManager: found "9"/],
  ['/events', { disconnectTaskManagers: { first: 0, second: 9, for: '1 s' } }, /^disconnectTaskManagers\.second: found "9"/],
  ['/events', { disconnectTaskManagers: { first: 0, second: 0, for: '1 s' } }, /^disconnectTaskManagers\.second: is the same task manager as `first`; allowed: another one/],
  ['/events', { declineCheckpoint: { job: 'numbers', checkpoint: 1 } }, /^declineCheckpoint\.checkpoint: found 1; allowed: \d+ or a later one/],
  ['/events', { setSkew: { job: 'numbers', operator: 'Square', skew: { hotKeys: [{ key: 'a', share: 0.7 }, { key: 'b', share: 0.7 }] } } }, /^setSkew\.skew\.hotKeys: .*allowed: shares that add up to at most 1/],
  ['/events', { burst: { topic: 'orders', rate: '9000/s', for: '0 s' } }, /^burst\.for: found "0 s"; allowed: a duration of more than 0/],
  ['/events', { burst: { topic: 'orders', rate: '9000/s', for: 0 } }, /^burst\.for: found 0; allowed: a duration of more than 0/],
  ['/events', { pauseTaskManager: { taskManager: 0, for: '0 s' } }, /^pauseTaskManager\.for: found "0 s"; allowed: a duration of more than 0/],
  ['/events', { disconnectTaskManagers: { first: 0, second: 1, for: 0 } }, /^disconnectTaskManagers\.for: found 0; allowed: a duration of more than 0/],
  ['/events', { delayCheckpoint: { job: 'numbers', by: '0 ms' } }, /^delayCheckpoint\.by: found "0 ms"; allowed: a duration of more than 0/],
  ['/events', { jumpClock: { by: 0 } }, /^jumpClock\.by: found 0; allowed: a duration of more than 0/],
  ['/events', { jumpClock: { by: '99 ms' } }, /^jumpClock\.by: found 99 ms; allowed: at least the scenario's tick, 100 ms/],
  ['/faults', { latency: '2 h' }, /^latency: found "2 h"; allowed: at most 1 h/],
])('%s %j is refused with what is allowed', async (path, body, message) => {
  const before = JSON.stringify(flink.summary());
  const answer = await post(path, body);
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { detail: string }).detail).toMatch(message);
  expect(JSON.stringify(flink.summary())).toBe(before);
});

it('says which of several methods of a fault is wrong', async () => {
  const answer = await post('/faults', { method: ['GET', 'TRACE'], error: { status: 500 } });
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { detail: string }).detail).toMatch(/^method.*"TRACE"; allowed: GET, HEAD, POST, PUT, PATCH, DELETE/);
});

it('takes no job while the job manager is down, as nobody is there to take it', async () => {
  flink.events.apply({ crashJobManager: { restartAfter: '10 s' } });
  await flink.advanceBy(1_000);
  const answer = await post('/jobs', { template: { entryClass: 'org.example.Numbers' } });
  expect(answer.status).toBe(409);
  expect(((await answer.json()) as { detail: string }).detail).toMatch(/the job manager is down; allowed: .*after/);
  await flink.advanceBy('1 min');
  expect(await (await fetch(`${flink.url}/jobs`)).json()).toEqual({ jobs: [] });
});

it('begins no outage of the job manager where there is one already', async () => {
  const crash = { crashJobManager: { restartAfter: '10 s' } };
  const fails = { failOverJobManager: {} };
  const revoke = { revokeLeadership: { for: '20 s' } };
  const back = /; allowed: once it leads again; let time go on first, or give an instant with `at`$/;
  const refused = async (event: object, message: RegExp): Promise<void> => {
    const { predecessors, availability } = flink.simulation.state.jobManager;
    const answer = await post('/events', event);
    const { detail } = (await answer.json()) as { detail: string };
    expect([answer.status, detail]).toEqual([400, expect.stringMatching(message)]);
    expect(detail).toMatch(back);
    expect(flink.simulation.state.jobManager).toMatchObject({ predecessors, availability });
  };
  expect((await post('/events', crash)).status).toBe(201);
  await refused(crash, /^crashJobManager: there is no process to crash, the job manager is down/);
  await refused(fails, /^failOverJobManager: nobody leads, the job manager is DOWN/);
  await refused(revoke, /^revokeLeadership: nobody leads, the job manager is DOWN/);
  expect((await post('/events', { at: '30 min', ...crash })).status).toBe(201);
  await flink.advanceUntil(({ jobManager }) => jobManager.availability === 'LEADING', '2 min');
  expect((await post('/events', revoke)).status).toBe(201);
  await refused(revoke, /^revokeLeadership: nobody leads, the job manager is ELECTING/);
  await refused(fails, /^failOverJobManager: nobody leads, the job manager is ELECTING/);
  await flink.advanceUntil(({ jobManager }) => jobManager.availability === 'LEADING', '2 min');
  expect((await post('/events', fails)).status).toBe(201);
  await refused(fails, /^failOverJobManager: nobody leads, the job manager is LEADER_LOST/);
  // A process that stands by can crash, too.
  expect((await post('/events', crash)).status).toBe(201);
});
