import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControlClient, ControlError, type FeedEvent, type MockFlink } from '../../src/index.js';
import { ask, smallCluster } from './small-cluster.js';

let flink: MockFlink;
beforeAll(async () => {
  flink = await smallCluster({ control: true });
  await flink.advanceUntil({ all: [{ allTasksRunning: { job: 'numbers' } }, { allTasksRunning: { job: 'orders' } }] });
  await flink.advanceBy('10 s');
  await flink.history.mark('running');
});
afterAll(() => flink.close());

const numbers = () => flink.jobs.get('numbers');

describe('wrong use', () => {
  it.each<[string, string, unknown, number, RegExp]>([
    ['POST', '/clock', '{', 400, /JSON/],
    ['POST', '/clock', { advanceMs: -1 }, 400, /advanceMs: found -1; allowed: at least 0/],
    ['POST', '/clock', { speed: -2 }, 400, /speed: found -2; allowed: at least 0/],
    ['POST', '/clock', { speed: 100_001 }, 400, /speed: found 100001; allowed: at most 100000/],
    ['POST', '/clock', { to: '2020-01-01T00:00:00Z' }, 409, /time does not go back: it is 2024/],
    ['POST', '/clock', { until: { lagOver: { records: 1 } } }, 400, /there is no condition lagOver; .*lagAbove/],
    ['POST', '/clock', { until: { lagAbove: { records: -1 } } }, 400, /lagAbove.records: found -1; allowed: at least 0/],
    ['POST', '/clock', { until: { vertexLevel: { vertex: 'Sqare', level: 'high' } } }, 404, /there is no vertex "Sqare"; did you mean "Square"/],
    ['POST', '/clock', { until: { jobStatus: { job: 'nope', status: 'RUNNING' } } }, 404, /there is no job "nope"; allowed: orders, numbers/],
    ['POST', '/wait', { until: {} }, 400, /a condition has one key, one of vertexLevel/],
    ['POST', '/events', {}, 400, /has no action; add one of setTopicRate/],
    ['POST', '/events', [], 400, /found a list of 0; allowed: a map/],
    ['POST', '/events', { setTopicRate: { topic: 'order', rate: '1/s' } }, 400, /setTopicRate\.topic: found "order".*did you mean `orders`/],
    ['POST', '/events', { setTopicRate: { topic: 'orders', rate: -1 } }, 400, /setTopicRate\.rate: found -1; allowed: a rate/],
    ['POST', '/events', { at: '1 s', setTopicRate: { topic: 'orders', rate: 1 } }, 400, /at: lies in the past.*allowed: an instant from now on/],
    ['POST', '/events', { cancelJob: { job: 'nope' } }, 400, /cancelJob\.job: found "nope".*allowed: "orders", "numbers"/],
    ['POST', '/events', { setSinkCapacity: { job: 'numbers', operator: 'Square', capacity: 1 } }, 400, /is no sink; allowed: "Sink: Out"/],
    ['POST', '/events', { setSourceRate: { job: 'orders', operator: 'Source: Orders', rate: 1 } }, 400, /is no generator; allowed: none in this job; a Kafka topic changes with setTopicRate/],
    ['POST', '/events', { failSubtask: { job: 'numbers', operator: 'Square', subtask: 5 } }, 400, /subtask: found 5; allowed: 0 to 0/],
    ['POST', '/events', { killTaskManager: { taskManager: '9' } }, 400, /taskManager: found "9"; allowed: taskmanager-1.*or a position from 0 to 1/],
    ['POST', '/events', '{"__proto__": {"x": 1}, "setKafkaBroker": {"state": "up"}}', 400, /JSON/],
    ['DELETE', '/events/999999', undefined, 404, /there is no event 999999 to come; allowed: none/],
    ['POST', '/jobs', { name: 'x' }, 400, /vertices: is missing/],
    ['POST', '/jobs', { template: { entryClass: 'org.example.Numers' } }, 400, /did you mean "org\.example\.Numbers"/],
    ['POST', '/jobs', { template: { entryClass: 'org.example.Numbers', arguments: ['--rate', 'fast'] } }, 400, /rate/],
    ['GET', '/jobs/nope', undefined, 404, /there is no job "nope"/],
    ['DELETE', '/jobs/nope', undefined, 404, /allowed: numbers, orders \(or an id\)/],
    ['PATCH', '/jobs/numbers', { operator: 'Source: Numbers', rate: 'much' }, 400, /rate: found "much"/],
    ['PUT', '/cluster', { taskManagers: -1 }, 400, /taskManagers/],
    ['PUT', '/cluster', { taskManagers: 5_001 }, 400, /5000/],
    ['POST', '/reset', { to: 'nowhere' }, 404, /there is no mark "nowhere"; allowed: start, running/],
    ['POST', '/reset', { to: 'running', seed: 3 }, 409, /a seed holds from the start on/],
    ['POST', '/marks', { name: '../x' }, 400, /allowed: letters, digits/],
    ['POST', '/marks', { name: 'start' }, 400, /and not `start`/],
    ['DELETE', '/marks/start', undefined, 409, /stays/],
    ['PUT', '/seed', { seed: -1 }, 400, /seed/],
    ['GET', '/stream?types=jobs', undefined, 400, /there are no events of type jobs; allowed: clock, reset/],
    ['POST', '/journal/verify', { match: { path: '/x' }, atleast: 1 }, 400, /atleast/],
    ['GET', '/nope', undefined, 404, /there is no GET \/_mock\/nope/],
    ['PATCH', '/clock', {}, 404, /there is no PATCH \/_mock\/clock/],
    ['POST', '/connections/refuse', { forMs: 0 }, 400, /forMs/],
  ])('%s %s %j', async (method, path, body, status, message) => {
    const before = JSON.stringify(flink.summary());
    const events = flink.events.pending();
    const answer = await ask(flink.controlUrl, method, path, body);
    expect([answer.status, answer.type]).toEqual([status, 'application/problem+json']);
    expect(answer.body).toMatchObject({ type: 'about:blank', status, title: expect.any(String) });
    expect(answer.body.detail).toMatch(message);
    expect(JSON.stringify(flink.summary())).toBe(before);
    expect(flink.events.pending()).toEqual(events);
  });

  it('says what methods a path has', async () => {
    expect((await ask(flink.controlUrl, 'PATCH', '/clock', {})).body.allowed).toEqual(['GET', 'POST']);
  });

  it('takes JSON only', async () => {
    const response = await fetch(`${flink.controlUrl}/clock`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"advanceMs":1000}' });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([415, null]);
  });

  it('takes no more than 4 MB', async () => {
    expect((await ask(flink.controlUrl, 'POST', '/events', { x: 'y'.repeat(5 * 1024 * 1024) })).status).toBe(413);
  });
});

describe('who may', () => {
  it('is who has the token', async () => {
    await using guarded = await smallCluster({ control: { token: 'correct-horse' } });
    const { controlUrl } = guarded;
    const none = await fetch(`${controlUrl}/state`);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="mock-flink"']);
    expect(((await none.json()) as { detail: string }).detail).toMatch(/send `Authorization: Bearer <token>`/);
    for (const authorization of ['Bearer wrong-horse', 'Bearer correct-hors', 'Basic correct-horse', 'Bearer', 'correct-horse']) {
      expect((await ask(controlUrl, 'POST', '/clock', { advanceMs: 1_000 }, { authorization })).status).toBe(401);
    }
    expect(guarded.clock.nowMs).toBe(guarded.state.model.startMs);
    expect((await ask(controlUrl, 'POST', '/clock', { advanceMs: 1_000 }, { authorization: 'Bearer correct-horse' })).status).toBe(200);
    for (const path of ['/health', '/docs', '/openapi.json']) expect((await fetch(`${controlUrl}${path}`)).status).toBe(200);
    expect((await fetch(`${guarded.url}/overview`)).status).toBe(200);
  });

  it('is nobody where it is off', async () => {
    await using closed = await smallCluster({ control: false });
    expect(closed.controlUrl).toBeNull();
    for (const path of ['/_mock/health', '/_mock/state']) {
      const response = await fetch(`${closed.url}${path}`);
      expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('Unable to load requested file')]);
    }
    expect((await fetch(`${closed.url}/_mock/clock`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('may be on another port', async () => {
    await using apart = await smallCluster({ control: { port: 0 } });
    expect(new URL(apart.controlUrl!).port).not.toBe(new URL(apart.url).port);
    expect((await ask(apart.controlUrl, 'POST', '/clock', { advanceMs: 1_000 })).body.nowMs).toBe(apart.state.model.startMs + 1_000);
    expect((await fetch(`${apart.url}/_mock/health`)).status).toBe(404);
    await apart.faults.refuseConnections(60_000);
    expect((await ask(apart.controlUrl, 'GET', '/health')).status).toBe(200);
  });
});

describe('the control API', () => {
  it('tells of all its routes', async () => {
    const { body } = await ask(flink.controlUrl, 'GET', '/openapi.json');
    expect(Object.keys(body.paths).sort()).toEqual(
      ['/health', '/clock', '/wait', '/state', '/cluster', '/jobs', '/jobs/{job}', '/events', '/events/{id}', '/faults', '/faults/{id}', '/connections/refuse', '/reset', '/seed', '/marks', '/marks/{name}', '/snapshot', '/snapshots', '/snapshots/{name}', '/snapshots/{name}/restore', '/journal', '/journal/verify', '/logs', '/stream', ...['state', 'stream', 'graph', 'vertex', 'threads', 'buffers', 'log', 'requests', 'forms'].map((name) => `/console/${name}`)].map((path) => `/_mock${path}`).sort(),
    );
    for (const methods of Object.values(body.paths)) for (const operation of Object.values(methods as object)) expect(operation).toMatchObject({ operationId: expect.any(String), summary: expect.any(String) });
  });

  it('submits jobs, inline and from templates, changes rates and cancels', async () => {
    await flink.reset('running');
    const { body } = await ask(flink.controlUrl, 'POST', '/jobs', { template: { entryClass: 'org.example.Numbers', arguments: ['--rate', '20'], parallelism: 1 } });
    await flink.advanceUntil({ allTasksRunning: { job: 'more numbers' } });
    expect(flink.jobs.get(body.id)).toMatchObject({ name: 'more numbers', status: 'RUNNING' });
    expect((await ask(flink.controlUrl, 'PATCH', '/jobs/more%20numbers', { operator: 'Source: More', rate: '900/s' })).status).toBe(200);
    const before = flink.state.jobs.get(body.id)!.vertices[0]!.columns.numRecordsOut[0]!;
    await flink.advanceBy('10 s');
    expect(flink.state.jobs.get(body.id)!.vertices[0]!.columns.numRecordsOut[0]! - before).toBeGreaterThan(8_000);
    expect((await ask(flink.controlUrl, 'DELETE', '/jobs/more%20numbers')).status).toBe(204);
    await flink.advanceUntil({ jobStatus: { job: body.id, status: 'CANCELED' } });
    expect(await ask(flink.controlUrl, 'DELETE', `/jobs/${body.id}`)).toMatchObject({ status: 409, body: { detail: 'job more numbers is CANCELED already' } });
    const inline = { name: 'inline', parallelism: 1, vertices: [{ operators: [{ name: 'Source: S', source: { rate: '5/s' } }, { name: 'Sink: S', sink: {} }] }] };
    expect((await ask(flink.controlUrl, 'POST', '/jobs', inline)).status).toBe(201);
    expect((await ask(flink.controlUrl, 'GET', '/jobs')).body).toMatchObject({ jobs: [{ name: 'numbers' }, { name: 'orders' }, { name: 'more numbers' }, { name: 'inline' }], templates: ['org.example.Numbers'] });
  });

  it('does now, or later, what a timeline can do', async () => {
    await flink.reset('running');
    const later = await ask(flink.controlUrl, 'POST', '/events', { at: '5 min', setTopicRate: { topic: 'orders', rate: '900/s' } });
    expect(later).toMatchObject({ status: 201, body: { at: '2024-03-04T09:05:00.000Z', action: { kind: 'set-topic-rate', recordsPerSecond: 900 } } });
    expect((await ask(flink.controlUrl, 'GET', '/events')).body.events).toMatchObject([{ id: later.body.id, origin: 'live' }]);
    await flink.clock.advanceTo('2024-03-04T09:04:59Z');
    const rate = () => flink.summary().topics[0]!.recordsPerSecond;
    expect(rate()).toBe(200);
    await flink.advanceBy('2 s');
    expect(rate()).toBe(900);
    const taken = flink.events.apply({ at: '6 min', setTopicRate: { topic: 'orders', rate: '1/s' } });
    expect((await ask(flink.controlUrl, 'DELETE', `/events/${taken.id}`)).status).toBe(204);
    await flink.advanceBy('2 min');
    expect(rate()).toBe(900);
  });

  it('changes the size of the cluster', async () => {
    await flink.reset('running');
    expect((await ask(flink.controlUrl, 'PUT', '/cluster', { taskManagers: 4 })).body).toEqual({ taskManagers: 4 });
    await flink.advanceUntil({ taskManagers: { count: 4 } });
    expect((await ask(flink.controlUrl, 'PUT', '/cluster', { taskManagers: 1 })).body).toEqual({ taskManagers: 1 });
    await flink.advanceUntil({ taskManagers: { count: 1 } });
  });

  it('goes back to marks and to the start, each time the same', async () => {
    await flink.reset('running');
    const overview = async () => (await flink.fetch('/jobs/overview')).text();
    const first = await overview();
    await flink.advanceBy('1 min');
    const later = await overview();
    expect(later).not.toBe(first);
    expect((await ask(flink.controlUrl, 'POST', '/reset', { to: 'running' })).status).toBe(200);
    expect(await overview()).toBe(first);
    await flink.advanceBy('1 min');
    expect(await overview()).toBe(later);
    expect((await ask(flink.controlUrl, 'POST', '/reset')).body.nowMs).toBe(flink.state.model.startMs);
    expect(flink.summary().jobs).toEqual([]);
    expect((await ask(flink.controlUrl, 'PUT', '/seed', { seed: 99 })).body).toEqual({ seed: 99 });
    expect((await ask(flink.controlUrl, 'GET', '/seed')).body).toEqual({ seed: 99 });
    await flink.advanceBy('1 min');
    expect(numbers().id).not.toBe(JSON.parse(first).jobs[0].jid);
    expect((await ask(flink.controlUrl, 'GET', '/marks')).body.marks).toMatchObject([{ name: 'start' }, { name: 'running' }]);
  });

  it('advances until conditions hold, to a limit', async () => {
    await flink.reset('running');
    const until = async (condition: object, limitMs?: number) => (await ask(flink.controlUrl, 'POST', '/clock', { until: condition, ...(limitMs === undefined ? {} : { limitMs }) })).body;
    expect(await until({ checkpointCompleted: { job: 'numbers', id: 5 } })).toMatchObject({ met: true });
    expect(numbers().checkpoints!.latestCompletedId).toBe(5);
    flink.events.apply({ setKafkaBroker: { state: 'stalled' } });
    expect(await until({ lagAbove: { job: 'orders', records: 2_000 } })).toMatchObject({ met: true });
    expect(flink.jobs.get('orders').lag).toBeGreaterThan(2_000);
    const from = flink.clock.nowMs;
    expect(await until({ lagBelow: { job: 'orders', records: 1_000 } }, 5_000)).toMatchObject({ met: false, nowMs: from + 5_000 });
    flink.events.apply({ setKafkaBroker: { state: 'up' } });
    expect(await until({ any: [{ lagBelow: { job: 'orders', records: 1_000 } }, { restarts: { count: 1 } }] })).toMatchObject({ met: true });
    flink.events.apply({ failSubtask: { job: 'numbers', operator: 'Square' } });
    expect(await until({ all: [{ restarts: { job: 'numbers', count: 1 } }, { allTasksRunning: { job: 'numbers' } }] })).toMatchObject({ met: true });
    flink.events.apply({ setCheckpointStorage: { failing: true } });
    expect(await until({ checkpointFailed: { job: 'numbers' } })).toMatchObject({ met: true });
  });

  it('lets wait while the clock runs, and tells of what happens', async () => {
    // Time begins to run when somebody listens.
    await using running = await smallCluster({ clock: 'real', speed: 0, control: true });
    const client = new ControlClient(running.url);
    const seen: FeedEvent[] = [];
    const stop = new AbortController();
    const listening = (async () => {
      for await (const event of client.stream(['job', 'checkpoint', 'event', 'clock'], stop.signal)) seen.push(event);
    })().catch(() => undefined);
    while (running.feed.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.clock.setSpeed(200);
    expect(await client.clock.waitUntil({ checkpointCompleted: { job: 'numbers', id: 2 } })).toMatchObject({ met: true });
    expect(await client.clock.waitUntil({ taskManagers: { count: 77 } }, 50)).toMatchObject({ met: false });
    await client.events.apply({ setTopicRate: { topic: 'orders', rate: 5 } });
    expect(await client.clock.pause()).toMatchObject({ paused: true });
    const { nowMs } = await client.clock.get();
    expect((await client.clock.get()).nowMs).toBe(nowMs);
    expect(await client.clock.setSpeed(0)).toMatchObject({ speed: 0 });
    while (!seen.some((event) => event.type === 'clock' && event.speed === 0)) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    await listening;
    expect(seen.filter((event) => event.type === 'job' && event.name === 'numbers').map((event) => (event as { status: string }).status)).toEqual(expect.arrayContaining(['CREATED', 'RUNNING']));
    expect(seen.filter(({ type }) => type === 'checkpoint')).not.toEqual([]);
    expect(seen.find(({ type }) => type === 'event')).toMatchObject({ action: { kind: 'set-topic-rate' } });
    while (running.feed.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('lets 50 clients listen, no more', async () => {
    const stop = new AbortController();
    const open = await Promise.all(Array.from({ length: 50 }, () => fetch(`${flink.controlUrl}/stream`, { signal: stop.signal })));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    expect((await ask(flink.controlUrl, 'GET', '/stream')).status).toBe(429);
    stop.abort();
  });
});

describe('the journal', () => {
  it('holds what was asked, when, by whom, and what was answered', async () => {
    flink.journal.clear();
    await fetch(`${flink.url}/v1/overview?a=b`, { headers: { 'user-agent': 'monitor/1' } });
    await fetch(`${flink.url}/jobs/${numbers().id}/savepoints`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"cancel-job":false,"target-directory":"file:///s"}' });
    const { body } = await ask(flink.controlUrl, 'GET', '/journal');
    expect(body.requests).toMatchObject([
      { method: 'GET', target: '/v1/overview?a=b', userAgent: 'monitor/1', remoteAddress: '127.0.0.1', outcome: 'answered', status: 200, atMs: flink.clock.nowMs, responseBody: expect.stringContaining('"taskmanagers"'), requestBody: null },
      { method: 'POST', status: 202, requestBody: expect.stringContaining('target-directory'), responseBody: expect.stringContaining('request-id') },
    ]);
    expect((await ask(flink.controlUrl, 'GET', '/journal?method=POST&limit=1')).body).toMatchObject({ count: 1, requests: [{ method: 'POST' }] });
  });

  it('verifies, and shows what nearly was', async () => {
    flink.journal.clear();
    await fetch(`${flink.url}/jobs/abc/savepoints`, { method: 'GET' });
    await fetch(`${flink.url}/overview`);
    await fetch(`${flink.url}/overview`);
    const verify = async (body: object) => (await ask(flink.controlUrl, 'POST', '/journal/verify', body)).body;
    expect(await verify({ match: { path: '/overview' }, exactly: 2 })).toMatchObject({ passed: true, count: 2, nearMisses: [] });
    expect(await verify({ match: { path: '/overview' }, atMost: 1 })).toMatchObject({ passed: false, count: 2, expected: 'at most 1' });
    expect(await verify({ match: { method: 'POST', path: '/jobs/:jobid/savepoints' } })).toMatchObject({
      passed: false,
      count: 0,
      expected: 'at least 1',
      nearMisses: [{ entry: { target: '/jobs/abc/savepoints' }, differences: ['method is GET, not POST'] }, {}, {}],
    });
  });

  it('is a ring', async () => {
    await using small = await smallCluster({ listen: false, journalEntries: 5 });
    for (let i = 0; i < 12; i++) await small.fetch(`/overview?i=${i}`);
    expect(small.journal.entries().map(({ target }) => target)).toEqual([7, 8, 9, 10, 11].map((i) => `/overview?i=${i}`));
    expect(small.journal.total).toBe(12);
  });
});

describe('the typed client', () => {
  it('does all of it', async () => {
    await using served = await smallCluster({ control: { token: 'secret-token' } });
    const client = new ControlClient(served.url, { token: 'secret-token' });
    expect(await client.health()).toMatchObject({ status: 'ok', flinkVersion: served.state.model.flinkVersion });
    expect(await client.clock.advanceUntil({ allTasksRunning: { job: 'numbers' } })).toMatchObject({ met: true });
    await client.history.mark('m');
    expect((await client.jobs.list()).map(({ name }) => name)).toEqual(['numbers', 'orders']);
    const fault = await client.faults.add({ path: '/overview', error: { status: 502 } });
    expect((await fetch(`${served.url}/overview`)).status).toBe(502);
    expect(await client.faults.get(fault)).toMatchObject({ struck: 1 });
    await client.faults.clear();
    expect(await client.journal.count({ path: '/overview' })).toBe(1);
    const bytes = await client.history.snapshot();
    await client.clock.advanceBy(5_000);
    expect((await client.history.restore(bytes)).nowMs).toBe((await client.history.reset('m')).nowMs);
    await client.cluster.setTaskManagers(3);
    expect((await client.state()).scenario).toBe('scenario');
    await expect(client.jobs.cancel('nope')).rejects.toThrow(/there is no job "nope"/);
    await expect(new ControlClient(served.url).state()).rejects.toBeInstanceOf(ControlError);
  });
});
